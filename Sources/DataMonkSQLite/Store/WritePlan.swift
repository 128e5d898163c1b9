import DataMonkCore
import DataMonkSQL

/// **Shared.** How rows of one entity, or some of their slots, are bound to a statement: the columns that are written,
/// flattened to plain numbers for the loop that binds millions of values. Made once a statement, immutable.
final class WritePlan: @unchecked Sendable {
    // @unchecked Sendable: the memory behind the pointer is written in `init` and only read afterwards.

    /// **Value.** One column, without references: copying it costs no reference count.
    struct Column {
        enum Kind: UInt8 {
            case integer, real, text, bytes, decimal, toOne
            /// Of a to-one, with the entity number of its destination behind it.
            case toAnyOne
            /// Composites and external data: not bound as they lie.
            case special
        }

        let kind: Kind
        let slot: Int32
        /// The first of its parameters, counted from the plan's first one.
        let offset: Int32
        let width: Int32
    }

    /// Valid as long as the plan.
    let columns: UnsafeBufferPointer<Column>
    /// The same as the schema has them.
    let written: [RowWriting.Column]
    /// How many parameters the columns take.
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
