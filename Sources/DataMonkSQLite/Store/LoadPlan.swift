import DataMonkCore
import DataMonkSQL

/// **Shared.** The instructions for packing the rows of one SELECT: the query's row plan, flattened for the loop that reads
/// millions of columns. Created once per SELECT, and immutable.
final class LoadPlan: @unchecked Sendable {
    // @unchecked Sendable: the memory behind the pointers is written in `init` and only read afterwards.

    /// **Value.** The instructions for packing rows of one entity.
    struct Entity {
        /// The columns, long values first. Valid as long as the plan.
        let columns: UnsafeBufferPointer<StoredColumn>
        /// The number of columns with long values.
        let longCount: Int
        let entityIndex: Int
        let number: Int
        /// A Boolean value indicating whether some columns are not packed in their stored form.
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
                    entity, number: plan.key.entities[index].number, layout: directory.layouts[entity.entity.index]))
        }
        self.entities = UnsafeBufferPointer(entities)
        columnCount = most
    }

    deinit {
        for entity in entities { entity.columns.deallocate() }
        entities.deallocate()
    }

    private static func flatten(_ plan: RowPlan.EntityPlan, number: Int, layout: EntityLayout) -> Entity {
        let columns = UnsafeMutableBufferPointer<StoredColumn>.allocate(capacity: plan.columns.count)
        let long = plan.columns.filter(\.isLong)
        _ = columns.initialize(fromContentsOf: long + plan.columns.filter { !$0.isLong })
        return Entity(
            columns: UnsafeBufferPointer(columns), longCount: long.count, entityIndex: plan.entity.index,
            number: number,
            hasSpecial: columns.contains(where: \.isConverted), headerSize: layout.headerSize,
            blankSize: layout.blankSize, blankRow: layout.blankRow.pointer, layout: layout)
    }
}

extension StoredColumn {
    /// A Boolean value indicating whether rows are not packed in the value's stored form.
    fileprivate var isConverted: Bool { form == .decimal || form == .externalData || form == .composite }
}
