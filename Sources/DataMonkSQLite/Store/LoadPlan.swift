import DataMonkCore
import DataMonkSQL

/// **Shared.** The instructions for packing the rows of one SELECT: the query's row plan, flattened to plain numbers for the
/// loop that reads millions of columns. Created once per SELECT, and immutable.
final class LoadPlan: @unchecked Sendable {
    // @unchecked Sendable: the memory behind the pointers is written in `init` and only read afterwards.

    /// **Value.** One column. It contains no references, so copying it costs no reference counting.
    struct Column {
        enum Kind: UInt8 {
            case integer, real, text, bytes, toOne
            /// Decimals and external data, which are not packed in their stored form.
            case special
        }

        let kind: Kind
        let slot: Int32
        let position: Int32
        /// For a to-one relationship, the column with the destination's entity number; -1 if all destinations are of one
        /// entity.
        let entityColumn: Int32
        /// For a to-one relationship, the index of that entity.
        let destination: Int32

        var isLong: Bool { kind == .text || kind == .bytes }
    }

    /// **Value.** The instructions for packing rows of one entity.
    struct Entity {
        /// The columns, long values first. Valid as long as the plan.
        let columns: UnsafeBufferPointer<Column>
        /// The number of columns with long values.
        let longCount: Int
        let entityIndex: Int
        let number: Int
        let hasSpecial: Bool
        let headerSize: Int
        /// The size of `blankRow` in bytes, from the row pointer on: the slots and the defaults of transient attributes.
        let blankSize: Int
        /// The initial contents of a row. It lives as long as the layout.
        let blankRow: UnsafeRawPointer
        /// The layout lives as long as the model's directory, which the store retains.
        unowned(unsafe) let layout: EntityLayout
    }

    let entities: UnsafeBufferPointer<Entity>
    /// -1 if all rows are of the first entity.
    let entityColumn: Int
    let versionColumn: Int
    let columnCount: Int
    let rowPlan: RowPlan

    init(_ plan: RowPlan, directory: ObjectDirectory) {
        rowPlan = plan
        entityColumn = plan.key.entityColumn ?? -1
        versionColumn = plan.versionColumn
        var most = 0
        let entities = UnsafeMutableBufferPointer<Entity>.allocate(capacity: plan.entities.count)
        for (index, entity) in plan.entities.enumerated() {
            most = max(most, entity.columns.count)
            entities.initializeElement(
                at: index,
                to: Self.flatten(
                    entity, number: plan.key.entities[index].number, directory.layouts[entity.entity.index]))
        }
        self.entities = UnsafeBufferPointer(entities)
        columnCount = most
    }

    deinit {
        for entity in entities { entity.columns.deallocate() }
        entities.deallocate()
    }

    private static func flatten(_ plan: RowPlan.EntityPlan, number: Int, _ layout: EntityLayout) -> Entity {
        let columns = UnsafeMutableBufferPointer<Column>.allocate(capacity: plan.columns.count)
        let unsorted = plan.columns.map(Column.init)
        let long = unsorted.filter(\.isLong)
        _ = columns.initialize(fromContentsOf: long + unsorted.filter { !$0.isLong })
        return Entity(
            columns: UnsafeBufferPointer(columns), longCount: long.count, entityIndex: plan.entity.index,
            number: number,
            hasSpecial: columns.contains { $0.kind == .special }, headerSize: layout.headerSize,
            blankSize: layout.blankSize, blankRow: layout.blankRow.pointer, layout: layout)
    }
}

extension LoadPlan.Column {
    init(_ column: RowColumn) {
        slot = Int32(column.slot)
        position = Int32(column.position)
        switch column.kind {
        case .integer: (kind, entityColumn, destination) = (.integer, -1, 0)
        case .real: (kind, entityColumn, destination) = (.real, -1, 0)
        case .text: (kind, entityColumn, destination) = (.text, -1, 0)
        case .blob, .uuid: (kind, entityColumn, destination) = (.bytes, -1, 0)
        case .decimal, .externalData, .composite: (kind, entityColumn, destination) = (.special, -1, 0)
        case .toOne(let entity, let column):
            (kind, entityColumn, destination) = (.toOne, Int32(column ?? -1), Int32(entity.index))
        }
    }
}
