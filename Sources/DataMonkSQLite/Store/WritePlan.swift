import DataMonkCore
import DataMonkSQL

/// **Shared.** The instructions for binding rows of one entity, or some of their slots, to a statement: the written columns,
/// flattened to plain numbers for the loop that binds millions of values. Created once per statement, and immutable.
final class WritePlan: @unchecked Sendable {
    // @unchecked Sendable: the memory behind the pointer is written in `init` and only read afterwards.

    /// **Value.** One column. It contains no references, so copying it costs no reference counting.
    struct Column {
        enum Kind: UInt8 {
            case integer, real, text, bytes, decimal, toOne
            /// A to-one relationship, followed by the entity number of its destination.
            case toAnyOne
            /// Composites and external data, which are not bound in their stored form.
            case special
        }

        let kind: Kind
        let slot: Int32
        /// The first of the column's parameters, relative to the plan's first one.
        let offset: Int32
        let width: Int32
    }

    /// Valid as long as the plan.
    let columns: UnsafeBufferPointer<Column>
    /// The same columns as in the schema.
    let written: [RowWriting.Column]
    /// The number of parameters of all columns.
    let width: Int

    init(_ written: [RowWriting.Column]) {
        self.written = written
        let columns = UnsafeMutableBufferPointer<Column>.allocate(capacity: written.count)
        var offset = 0
        for (index, column) in written.enumerated() {
            columns.initializeElement(
                at: index,
                to: Column(
                    kind: Column.Kind(column), slot: Int32(column.slot), offset: Int32(offset),
                    width: Int32(column.width)))
            offset += column.width
        }
        self.columns = UnsafeBufferPointer(columns)
        width = offset
    }

    deinit { columns.deallocate() }
}

extension WritePlan.Column.Kind {
    fileprivate init(_ column: RowWriting.Column) {
        switch column.kind {
        case .integer: self = .integer
        case .real: self = .real
        case .text: self = .text
        case .decimal: self = .decimal
        case .blob, .uuid: self = .bytes
        case .externalData, .composite: self = .special
        case .toOne: self = column.entityColumnName == nil ? .toOne : .toAnyOne
        }
    }
}
