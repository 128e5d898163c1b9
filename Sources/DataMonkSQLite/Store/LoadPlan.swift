import DataMonkCore
import DataMonkSQL

/// **Shared.** How the rows of one SELECT are packed: the query's row plan, flattened to plain numbers for the loop that
/// reads millions of columns. Made once a SELECT, immutable.
final class LoadPlan: @unchecked Sendable {
    // @unchecked Sendable: the memory behind the pointers is written in `init` and only read afterwards.

    /// **Value.** One column, without references: copying it costs no reference count.
    struct Column {
        enum Kind: UInt8 {
            case integer, real, text, bytes, toOne
            /// Decimals and external data: not packed as they lie.
            case special
        }

        let kind: Kind
        let slot: Int32
        let position: Int32
        /// Of a to-one: where the destination's entity number is; -1 where every destination is of one entity.
        let entityColumn: Int32
        /// Of a to-one: that one entity's index.
        let destination: Int32

        var isLong: Bool { kind == .text || kind == .bytes }
    }

    /// **Value.** How rows of one entity are packed.
    struct Entity {
        /// Those of long values first. Valid as long as the plan.
        let columns: UnsafeBufferPointer<Column>
        /// How many columns hold long values.
        let longCount: Int
        let entityIndex: Int
        let number: Int
        let hasSpecial: Bool
        let headerSize: Int
        /// Bytes of `blankRow`, from the row pointer on: of the slots, and of the defaults of transient attributes.
        let blankSize: Int
        /// What a row begins as; it lives as long as the layout.
        let blankRow: UnsafeRawPointer
        /// The layout lives as long as the model's directory, which the store holds.
        unowned(unsafe) let layout: EntityLayout
    }

    let entities: UnsafeBufferPointer<Entity>
    /// -1 where every row is of the first entity.
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
