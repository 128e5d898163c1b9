package import DataMonkCore

/// **Value.** The storage of a property.
package enum PropertyStorage: Sendable {
    /// Not stored: the property is transient, or its destination is outside the store's configuration.
    case none
    /// A value in a column of the entity's table.
    case value(ColumnSchema)
    /// Values in several columns of the entity's table, in the order of the elements.
    case composite([ColumnSchema])
    /// The key of the destination, in a column of the entity's table.
    case toOne(ToOneStorage)
    /// A column in the table of the destinations.
    case toMany(ToManyStorage)
    /// Rows of a join table.
    case manyToMany(ManyToManyStorage)

    /// The property's columns in its entity's table.
    var columns: [ColumnSchema] {
        switch self {
        case .value(let column): [column]
        case .composite(let columns): columns
        case .toOne(let storage): [storage.column, storage.entityColumn].compactMap(\.self)
        case .none, .toMany, .manyToMany: []
        }
    }
}

/// **Value.** The storage of a to-one relationship: `ZPARENT`, and `Z3_PARENT` if the destination has sub-entities.
package struct ToOneStorage: Sendable {
    package let relationship: Entity.Relationship
    /// The column with the key.
    package let column: ColumnSchema
    /// The column with the entity's number; `nil` if all destinations are of one entity.
    package let entityColumn: ColumnSchema?
}

/// **Value.** The storage of a to-many relationship, in the rows of its destinations.
package struct ToManyStorage: Sendable {
    package let relationship: Entity.Relationship
    /// The table of the destination's root entity.
    package let tableName: String
    /// The column with the key of the relationship's owner.
    package let column: ColumnSchema
    /// The column with the number of the owner's entity; `nil` if it is not stored.
    package let entityColumn: ColumnSchema?
    /// The column with the position in an ordered relationship.
    package let orderColumn: ColumnSchema?
    /// A Boolean value indicating whether the column belongs to the inverse, which writes it. Without an inverse, this side
    /// writes it.
    package let isStoredByInverse: Bool
}

/// **Value.** The storage of a many-to-many relationship, as seen from one of its sides.
package struct ManyToManyStorage: Sendable {
    package let relationship: Entity.Relationship
    package let table: JoinTableSchema
    /// The column with the key of the relationship's owner.
    package let sourceColumn: String
    /// The column with the key of the destination.
    package let destinationColumn: String
    /// The column with the destination's position in an ordered relationship.
    package let orderColumn: String?
}
