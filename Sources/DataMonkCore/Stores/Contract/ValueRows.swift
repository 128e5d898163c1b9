/// **Value.** Rows of values, each of the same number of columns, in one array: an array for each row would take longer to
/// allocate than the row to read.
package struct ValueRows: Sendable {
    package let columnCount: Int
    /// The values of the first row, then those of the second, and so on.
    @usableFromInline package internal(set) var cells: [ManagedValue] = []

    package init(columnCount: Int) { self.columnCount = columnCount }

    package init(_ rows: [[ManagedValue]], of fetch: ResolvedFetch) {
        columnCount = fetch.columnCount
        cells = rows.flatMap(\.self)
    }

    /// Appends a value to the last row, or to a new one once that is complete.
    @inlinable
    package mutating func append(_ cell: consuming ManagedValue) { cells.append(cell) }

    /// The rows, in an array for each.
    package var rows: [[ManagedValue]] {
        stride(from: 0, to: cells.count, by: columnCount).map { Array(cells[$0..<($0 + columnCount)]) }
    }
}
