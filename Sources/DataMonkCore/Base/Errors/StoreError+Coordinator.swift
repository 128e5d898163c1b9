package import Foundation

extension StoreError {
    static let externalStoreIsGone = StoreError(
        .operationFailed,
        "The data lies in a file beside a store that is closed. Read it before the stack is closed.")

    static var noStores: StoreError {
        StoreError(
            .operationFailed,
            "The stack has no open store. Call addDatabaseStore or addInMemoryStore first, and close() last.")
    }

    static var insideCommit: StoreError {
        StoreError(
            .wouldDeadlock,
            """
            The call was made by code that runs inside a commit of the same stack: a batch handler, or what traces its SQL. \
            It would wait for itself. Make it when that has returned.
            """)
    }

    static var stackIsClosed: StoreError {
        StoreError(.operationFailed, "The stack was closed, and takes no store any more. Make a new Stack.")
    }

    static func noStore(_ key: ObjectKey) -> StoreError {
        StoreError(
            .operationFailed, "The object's store was closed or never added. Add it again before its objects are used.")
    }

    static var tooManyStores: StoreError {
        StoreError(
            .operationFailed, "A stack holds at most \(ObjectKey.maximumStores) stores. Spread the data over fewer.")
    }

    /// A store with the same identifier has already been added to the stack.
    static func addedTwice(_ url: URL?, _ twin: URL?) -> StoreError {
        StoreError(
            .openFailed,
            """
            The stack has \(url?.lastPathComponent ?? "the store") already\(twin.map { ", as \($0.path)" } ?? ""): the two \
            are one file, or one is a copy of the other. Add it once; open a copy in a Stack of its own.
            """, storeURL: url)
    }

    static var snapshotUnavailable: StoreError {
        StoreError(
            .timeout,
            """
            No snapshot could be opened between commits. The machine is overloaded, or a commit is stuck: try again.
            """)
    }

    static func partlyCommitted(_ failure: any Error) -> StoreError {
        StoreError(
            .saveFailed,
            """
            The changes lie in several stores, and one of them could not be committed after another one was. Refresh the \
            objects and save what is missing again. Objects that belong together are safe in one store.
            """, underlyingError: failure)
    }

    /// A store that was added with `readOnly` or `immutable` cannot be written to.
    package static func openedReadOnly(_ url: URL?) -> StoreError {
        StoreError(
            .readOnly,
            """
            \(url?.lastPathComponent ?? "The store") was added with readOnly: true or immutable: true, and nothing is written \
            to it. Make a Stack that adds it without them.
            """, storeURL: url)
    }

    /// Passed to the error handler, because the committing caller only receives the error of the last attempt.
    static func retriedCommit(_ error: any Error) -> StoreError {
        let failure = error as? StoreError
        return StoreError(
            failure?.code ?? .saveFailed,
            """
            A commit failed and is written once more. If that succeeds nothing is lost; check the disk all the same, and see \
            the underlying error.
            """, storeURL: failure?.storeURL, underlyingError: error)
    }
}
