import DataMonkSQL

/// **Shared.** The instructions for binding rows of one entity, or some of their slots, to a statement: the written columns,
/// flattened for the loop that binds millions of values. Created once per statement, and immutable.
final class WritePlan: @unchecked Sendable {
    // @unchecked Sendable: the memory behind the pointer is written in `init` and only read afterwards.

    /// Valid as long as the plan.
    let columns: UnsafeBufferPointer<StoredColumn>
    /// The same columns as in the schema.
    let written: [RowWriting.Column]
    /// The number of parameters of all columns.
    let width: Int

    init(_ written: [RowWriting.Column]) {
        self.written = written
        let columns = UnsafeMutableBufferPointer<StoredColumn>.allocate(capacity: written.count)
        var width: Int32 = 0
        for (index, column) in written.enumerated() {
            var stored = column.stored
            stored.position = width
            columns.initializeElement(at: index, to: stored)
            width += stored.width
        }
        self.columns = UnsafeBufferPointer(columns)
        self.width = Int(width)
    }

    deinit { columns.deallocate() }
}
