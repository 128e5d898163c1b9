/// **Shared.** The lines of a table as rows of an import. Its first line names the columns.
///
///     let rows = CSVRows(.file(url))                             // id,name,age
///     let report = try await stack.importRows(Person.self, from: rows)
///
/// Each cell is `.string`, or `.null` where it is empty; see ``CSVFormat/EmptyCell``. A row with fewer cells than there are
/// columns has no values for the last ones, so that an import leaves these alone. A row with more cells, with text after a
/// quotation or with bytes that are no UTF-8 becomes a row with a ``FormatError``, and the rows after it follow. Empty lines are
/// passed over if there are several columns.
///
/// - Important: A quotation mark at the start of a cell that is not meant to open a quotation takes the lines after it into the
///   cell, up to the next one. Text after that is a problem of the row, which says how many lines it has; the iteration throws a
///   ``FormatError`` if there is no other one. If a delimiter or a line break follows, the lines are the value of the cell.
///
/// An input of any size is read with the memory of a chunk and a row.
public struct CSVRows: AsyncSequence, Sendable {
    /// The type of rows.
    public typealias Element = ImportRow

    private let source: ByteSource
    private let format: CSVFormat
    private let columns: [String]?
    private let limit: Int

    /// Creates the rows of a source. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - source: The bytes, in UTF-8, with or without its mark.
    ///   - columns: The names of the columns, for a table whose first line has values; `nil` if the first line names them.
    ///   - maximumRowSize: The largest number of bytes of a row. A larger one is a row with a ``FormatError``.
    public init(
        _ source: ByteSource, format: CSVFormat = CSVFormat(), columns: [String]? = nil,
        maximumRowSize: Int = 64 << 20
    ) {
        self.source = source
        self.format = format
        self.columns = columns
        limit = maximumRowSize
    }

    /// Begins to read the source.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: RowStream(source, framing: CSVFraming(format, columns: columns), limit: limit))
    }

    /// **Confined.** A pass over the rows.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var stream: RowStream<CSVFraming>

        fileprivate init(stream: RowStream<CSVFraming>) { self.stream = stream }

        /// Returns the next row, or `nil` after the last one.
        ///
        /// - Throws: ``FormatError`` if the input cannot be read any further, or if the header names a column twice; the
        ///   error of its source.
        public mutating func next() async throws -> ImportRow? { try await stream.next() }

        /// Returns the next row, or `nil` after the last one, without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ImportRow? {
            try await stream.next()
        }
    }
}

@available(*, unavailable)
extension CSVRows.AsyncIterator: Sendable {}
