public import DataMonkCore
import Foundation

/// **Value.** The reason why an update did not run.
public struct UpdateError: DataMonkError, Sendable {
    /// **Value.** The kind of the error. Later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as text.
        public let rawValue: String

        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The wait could never end, or would end only if the main actor were not blocked. It was refused before it
        /// began.
        public static let wouldDeadlock = Code(rawValue: "wouldDeadlock")
        /// A call that waits reached its deadline.
        public static let deadlinePassed = Code(rawValue: "deadlinePassed")
        /// The setup needs a root context or a main context that does not exist.
        public static let invalidTarget = Code(rawValue: "invalidTarget")
        /// The context of a draft was saved directly, rather than by the draft's commit. Nothing was saved.
        public static let commitRequired = Code(rawValue: "commitRequired")
    }

    /// The kind of the error.
    public let code: Code
    /// A description of the problem and its remedy.
    public let message: String
    /// The call that was waiting or would have waited.
    public let waiter: UpdateCall?
    /// The call that it would have waited for, which holds the place.
    public let holder: UpdateCall?

    package init(code: Code, message: String, waiter: UpdateCall? = nil, holder: UpdateCall? = nil) {
        self.code = code
        self.message = message
        self.waiter = waiter
        self.holder = holder
    }
}

extension UpdateError {
    static let savedWithoutCommit = UpdateError(
        code: .commitRequired,
        message: """
            This context belongs to a draft, which saves it together with the context beneath it. Call \
            `try await draft.commit()` instead of save().
            """)

    private static func name(_ holder: UpdateCall?) -> String { holder?.description ?? "another update" }

    static func wouldWaitForItself(waiter: UpdateCall, holder: UpdateCall?) -> UpdateError {
        UpdateError(
            code: .wouldDeadlock,
            message: """
                \(waiter) would wait for \(name(holder)), which cannot end before it. Use the update at hand, or \
                start a step that waits for its turn with beginUpdate, and do not await its handle here.
                """, waiter: waiter, holder: holder)
    }

    static func mayNeedMain(waiter: UpdateCall, holder: UpdateCall?) -> UpdateError {
        UpdateError(
            code: .wouldDeadlock,
            message: """
                \(waiter) would block the main actor while it waits for \(name(holder)), which can suspend and may \
                need the main actor to continue. Use `try await update`, which does not block, or beginUpdate.
                """, waiter: waiter, holder: holder)
    }

    static func deadlinePassed(retrying waiter: UpdateCall) -> UpdateError {
        UpdateError(
            code: .deadlinePassed,
            message: """
                \(waiter) was not run again, because it still conflicted with other commits at its deadline. Set a \
                later deadline, or change less in the body.
                """, waiter: waiter)
    }

    static func deadlinePassed(withoutThread waiter: UpdateCall) -> UpdateError {
        UpdateError(
            code: .deadlinePassed,
            message: """
                \(waiter) could not begin before its deadline, so its body has not run. If it had time, no thread was \
                free: look for updates and reads that compute for long or block. Or give a later deadline.
                """, waiter: waiter)
    }

    static func deadlinePassed(waiter: UpdateCall, holder: UpdateCall?) -> UpdateError {
        UpdateError(
            code: .deadlinePassed,
            message: """
                \(waiter) waited for \(name(holder)) until its deadline. Find out why the latter does not end, or set \
                a later deadline.
                """, waiter: waiter, holder: holder)
    }
}
