/// **Value.** The reason why a terminal cannot be used.
public struct TerminalError: Error, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: Sendable {
        /// Input or output is not a terminal.
        case noTerminal
        /// The terminal cannot place its cursor.
        case simpleTerminal
        /// A call of the system failed.
        case callFailed
    }

    /// The kind of the error.
    public let code: Code
    /// The problem, then the remedy.
    public let description: String

    static let noTerminal = TerminalError(
        code: .noTerminal,
        description: "Input or output is not a terminal. Run LiveList in a terminal, without a pipe or a file.")
    static let simpleTerminal = TerminalError(
        code: .simpleTerminal,
        description: "This terminal (TERM=dumb) cannot place its cursor. Run LiveList in another one.")

    static func callFailed(_ call: String, _ reason: String) -> TerminalError {
        TerminalError(
            code: .callFailed, description: "The terminal refused \(call): \(reason). Run LiveList in another one.")
    }
}
