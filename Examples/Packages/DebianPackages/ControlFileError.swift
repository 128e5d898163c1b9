/// **Value.** Why a file could not be read as a list of packages, and where.
public struct ControlFileError: Error, Hashable, CustomStringConvertible {
    /// The line, from 1; where a whole paragraph is wrong, its first line.
    public let line: Int
    /// What is wrong with it.
    public let message: String

    /// Both in a sentence.
    public var description: String {
        "line \(line): \(message)"
    }
}
