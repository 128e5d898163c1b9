public import DataMonkCore

/// **Value.** A row of an import's input: values by name, or the reason why it could not be read.
///
///     let row = ImportRow(at: ImportPlace(index: 0), values: ["id": 1, "name": "Monk", "tags": ["a", "b"]])
///
/// Nested objects are `.dictionary`, arrays `.list`, and null is `.null`. A name that is missing leaves the object's value
/// as it is.
public struct ImportRow: Sendable {
    /// The row's place in the input.
    public let place: ImportPlace
    /// The values by name, or the error that the row could not be read for. Such a row is one of the report's failures, and
    /// the rows after it are imported.
    public let content: Result<[String: ManagedValue], any Error>
    /// Indicates whether the values are the cells of a table, which has texts alone: that of a `Codable` attribute is its JSON.
    var hasCells = false

    /// Creates a row.
    public init(at place: ImportPlace, values: [String: ManagedValue]) {
        self.place = place
        content = .success(values)
    }

    /// Creates a row that could not be read.
    ///
    /// - Parameter problem: The reason, such as ``ImportError/malformedRow(_:at:)``.
    public init(at place: ImportPlace, problem: any Error) {
        self.place = place
        content = .failure(problem)
    }
}
