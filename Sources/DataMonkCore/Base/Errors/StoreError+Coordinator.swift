package import Foundation

extension StoreError {
    static let externalStoreIsGone = StoreError(
        .operationFailed,
        "The data is in an external file of a store that was closed. Read it before you close the stack.")

    static var noStores: StoreError {
        StoreError(
            .operationFailed,
            "The stack has no store yet. Call addDatabaseStore or addInMemoryStore first.")
    }

    static var insideCommit: StoreError {
        StoreError(
            .wouldDeadlock,
            """
            The call was made from code that runs inside a commit of the same stack (a batch handler, or a handler \
            that traces SQL), and would wait for itself. Make the call after that code has returned.
            """)
    }

    static var stackIsClosed: StoreError {
        StoreError(
            .operationFailed,
            "The stack was closed: nothing can be read from it, saved to it or added to it. Create a new Stack.")
    }

    static func noStore(_ key: ObjectKey) -> StoreError {
        StoreError(
            .operationFailed, "The object's store was closed, or was never added. Add it before you use its objects.")
    }

    static var tooManyStores: StoreError {
        StoreError(
            .operationFailed,
            "A stack can have at most \(ObjectKey.maximumStores) stores. Put the data into fewer stores.")
    }

    /// A store with the same identifier has already been added to the stack.
    static func addedTwice(_ url: URL?, as twin: URL?) -> StoreError {
        StoreError(
            .openFailed,
            """
            \(url?.lastPathComponent ?? "the store") is already part of the \
            stack\(twin.map { ", as \($0.path)" } ?? ""): both are the same file, or one is a copy of the other. Add \
            it only once, or open a copy in a Stack of its own.
            """, storeURL: url)
    }

    static var snapshotUnavailable: StoreError {
        StoreError(
            .timeout,
            """
            No consistent snapshot could be opened between commits. The system is overloaded, or a commit is blocked. \
            Try again.
            """)
    }

    /// A Boolean value indicating whether changes may be in a store although the error was thrown.
    var mayHaveCommitted: Bool { code == .outcomeUnknown || code == .savedInPart }

    static func partlyCommitted(_ failure: any Error) -> StoreError {
        StoreError(
            .savedInPart,
            """
            The changes belong to several stores, and one store could not be committed after another one had been. \
            Refresh the objects, and make and save the missing changes again. Keep objects that belong together in \
            one store.
            """, underlyingError: failure)
    }

    /// A store behind another one of the same transaction was rolled back.
    ///
    /// - Parameter failure: The error of the other one, which has not answered.
    static func rolledBack(behind failure: any Error) -> StoreError {
        StoreError(
            .saveFailed,
            """
            Nothing was saved: the changes were written together with others, to a store that has not confirmed the \
            commit. Save again.
            """, underlyingError: failure)
    }

    static func unanswered(_ failure: any Error) -> StoreError {
        let cause = failure as? StoreError
        return StoreError(
            .outcomeUnknown,
            """
            The store has not confirmed the commit, so it is unknown whether the changes were saved. Refresh the \
            objects, and make and save the missing changes again.\(cause.map { " The reason: \($0.message)" } ?? "")
            """, storeURL: cause?.storeURL, underlyingError: failure)
    }

    /// A store that was added with `readOnly` or `immutable` cannot be written to.
    package static func openedReadOnly(_ url: URL?) -> StoreError {
        StoreError(
            .readOnly,
            """
            \(url?.lastPathComponent ?? "The store") was added with readOnly: true or immutable: true, so nothing can \
            be written to it. Create a Stack that adds it without these options.
            """, storeURL: url)
    }

    /// Passed to the error handler, because nobody has asked for the look.
    static func failedLook(_ error: any Error, at url: URL?) -> StoreError {
        let failure = error as? StoreError
        return StoreError(
            failure?.code ?? .operationFailed,
            """
            Commits of other processes to \(url?.lastPathComponent ?? "a store") could not be looked for, so main \
            contexts and observers may learn of them late. Looks go on, and a fetch shows what there is. \
            \(failure?.message ?? "See the underlying error.")
            """, storeURL: url, underlyingError: error)
    }

    /// Passed to the error handler, because the committing caller only receives the error of the last attempt.
    static func retriedCommit(_ error: any Error) -> StoreError {
        let failure = error as? StoreError
        return StoreError(
            failure?.code ?? .saveFailed,
            """
            A commit failed and is being retried. If the retry succeeds, nothing is lost; check the disk in any case, \
            and see the underlying error.
            """, storeURL: failure?.storeURL, underlyingError: error)
    }
}
