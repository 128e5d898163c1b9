package import DataMonkCore

/// **Value.** The storage of one entity's objects.
package struct EntitySchema: Sendable {
    package let entity: Entity
    /// The entity's `Z_ENT`.
    package let number: Int
    /// The numbers of the entity and its sub-entities, which are consecutive.
    package let familyNumbers: ClosedRange<Int>
    /// The table, shared by all entities with the same root.
    package let table: TableSchema
    /// The storage of each property, by slot.
    package let storage: [PropertyStorage]

    /// Returns the storage of the property with a name, or `nil` if the entity has no such property.
    package func storage(ofPropertyNamed name: String) -> PropertyStorage? {
        entity.propertiesByName[name].map { storage[$0.slot] }
    }

    /// A Boolean value indicating whether rows of the table may be of another entity, so that a query must check `Z_ENT`.
    package var sharesTable: Bool { entity !== table.root || familyNumbers.count > 1 }
}
