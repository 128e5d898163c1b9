import DataMonkCore

// The storage of what a fetch refers to. A model may have entities that a store does not contain.

extension StoreSchema {
    func storage(of entity: Entity) throws(FetchError) -> EntitySchema {
        if let schema = schema(of: entity) { return schema }
        throw FetchError(
            .unsupportedByStore,
            """
            The store contains no objects of \(entity.name), because its configuration does not include the \
            entity.
            """,
            entityName: entity.name)
    }

    /// Returns the table of an entity's objects, quoted for statements.
    func table(of entity: Entity) throws(FetchError) -> String { try storage(of: entity).table.identifier }

    /// Returns `true` if an index over all objects begins with an attribute.
    func isIndexed(_ attribute: Entity.Attribute) throws(FetchError) -> Bool {
        guard let column = try column(of: attribute) else { return false }
        return try storage(of: attribute.entity).table.indexes.contains { index in
            index.condition == nil && index.columns.first?.hasPrefix("\(column) ") == true
        }
    }

    /// Returns the column of an attribute, quoted for statements; `nil` for a transient or composite one. Each element of a
    /// composite attribute has its own column.
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

    /// Returns the columns of a to-one relationship, or `nil` if it has none.
    func toOne(_ relationship: Entity.Relationship) throws(FetchError) -> ToOneStorage? {
        guard case .toOne(let storage) = try storage(of: relationship) else { return nil }
        return storage
    }
}
