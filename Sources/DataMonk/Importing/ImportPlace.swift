/// **Value.** The place of a row in the input of an import.
///
///     for failure in report.failures { print("\(failure.place): \(failure.message)") }    // row 12 (line 14): …
public struct ImportPlace: Hashable, Sendable, CustomStringConvertible {
    /// The row's number, counted from 0. ``ImportOptions/resumingAt`` takes such a number.
    public let index: Int
    /// The line of a file on which the row begins, counted from 1; `nil` for other inputs.
    public let line: Int?

    /// Creates a place.
    public init(index: Int, line: Int? = nil) {
        self.index = index
        self.line = line
    }

    /// The place in words: `row 12 (line 14)`.
    public var description: String { line.map { "row \(index) (line \($0))" } ?? "row \(index)" }
}
