package import DataMonkCore

/// **Value.** Where a store keeps the objects of one entity.
package struct EntitySchema: Sendable {
    package let entity: Entity
    /// The entity's `Z_ENT`.
    package let number: Int
    /// The numbers of the entity and of everything that inherits from it: an unbroken range.
    package let familyNumbers: ClosedRange<Int>
    /// The table, shared by everything that inherits from the same root.
    package let table: TableSchema
    /// Where each property is kept, by slot.
    package let storage: [PropertyStorage]

    /// Where the property of a name is kept, nil when the entity has no such property.
    package func storage(ofPropertyNamed name: String) -> PropertyStorage? {
        entity.propertiesByName[name].map { storage[$0.slot] }
    }

    /// Whether rows of the table may be of another entity, so that a query must look at `Z_ENT`.
    package var sharesTable: Bool { entity !== table.root || familyNumbers.count > 1 }
}
