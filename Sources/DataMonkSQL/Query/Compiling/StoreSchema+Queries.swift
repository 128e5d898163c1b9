import DataMonkCore

// Where a store keeps what a fetch names. A model can have entities that a store has not.

extension StoreSchema {
    func storage(of entity: Entity) throws(FetchError) -> EntitySchema {
        if let schema = schema(of: entity) { return schema }
        throw FetchError(
            .unsupportedByStore, "The store has no objects of \(entity.name): its configuration leaves the entity out.",
            entityName: entity.name)
    }

    /// The table of an entity's objects, as statements need its name.
    func table(of entity: Entity) throws(FetchError) -> String { try storage(of: entity).table.identifier }

    /// The column of an attribute, as statements need its name; nil for a transient or composite one. That of an
    /// element of a composite one is its own.
    func column(of attribute: Entity.Attribute) throws(FetchError) -> String? {
        switch try storage(of: attribute.entity).storage[attribute.slot] {
        case .value(let column): return column.identifier
        case .composite(let columns): return attribute.position.map { columns[$0].identifier }
        default: return nil
        }
    }

    func storage(of relationship: Entity.Relationship) throws(FetchError) -> PropertyStorage {
        try storage(of: relationship.entity).storage[relationship.slot]
    }

    /// The columns of a to-one; nil where it has none.
    func toOne(_ relationship: Entity.Relationship) throws(FetchError) -> ToOneStorage? {
        guard case .toOne(let storage) = try storage(of: relationship) else { return nil }
        return storage
    }
}
