/// **Shared.** The objects of a JSON array as rows of an import. The array is the whole input, or lies at a key path in it.
///
///     let rows = JSONRows(.file(url), at: "data.people")        // {"data": {"people": [{"id": 1, …}, …]}}
///     let report = try await stack.importRows(Person.self, from: rows)
///
/// An input of any size is read with the memory of a chunk and a row. Values keep all they have: an integer of 64 bits is
/// `.int`; any other number `.double` if a `Double` has exactly its digits, or else `.decimal`. Nested objects are
/// `.dictionary`, arrays `.list`.
///
/// An element that is malformed, has two members of one name, is nested more than 128 deep or is no object becomes a row with
/// a ``FormatError``; the rows after it follow. If it cannot be told where rows end any more, the iteration throws one.
public struct JSONRows: AsyncSequence, Sendable {
    /// The type of rows.
    public typealias Element = ImportRow

    private let source: ByteSource
    private let path: [String]
    private let limit: Int

    /// Creates the rows of a source. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - source: The bytes, in UTF-8.
    ///   - keyPath: The names that lead to the array, joined by points; `nil` if it is the whole input.
    ///   - maximumRowSize: The largest number of bytes of a row. A larger one is a row with a ``FormatError``.
    public init(_ source: ByteSource, at keyPath: String? = nil, maximumRowSize: Int = 64 << 20) {
        self.source = source
        path = keyPath.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) } ?? []
        limit = maximumRowSize
    }

    /// Begins to read the source.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: RowStream(source, framing: JSONArrayFraming(path: path), limit: limit))
    }

    /// **Confined.** A pass over the rows.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var stream: RowStream<JSONArrayFraming>

        fileprivate init(stream: RowStream<JSONArrayFraming>) { self.stream = stream }

        /// Returns the next row, or `nil` after the last one.
        ///
        /// - Throws: ``FormatError`` if the input cannot be read any further; the error of its source.
        public mutating func next() async throws -> ImportRow? { try await stream.next() }

        /// Returns the next row, or `nil` after the last one, without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ImportRow? {
            try await stream.next()
        }
    }
}

@available(*, unavailable)
extension JSONRows.AsyncIterator: Sendable {}
