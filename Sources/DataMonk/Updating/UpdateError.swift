/// **Value.** Why an update did not run.
public struct UpdateError: Error, Sendable {
    /// **Value.** What went wrong. Open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as text.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A call that waits was made from inside the update that it would wait for.
        public static let wouldDeadlock = Code(rawValue: "wouldDeadlock")
        /// A call that waits reached its deadline.
        public static let deadlinePassed = Code(rawValue: "deadlinePassed")
        /// The set-up needs a root context or a main context that is not there.
        public static let invalidTarget = Code(rawValue: "invalidTarget")
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do, in words.
    public let message: String
}

extension UpdateError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
