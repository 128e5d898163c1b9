package import DataMonkCore

/// **Value.** Where a store keeps a property.
package enum PropertyStorage: Sendable {
    /// Nowhere: the property is transient, or leads out of the store's configuration.
    case none
    /// A value in a column of the entity's table.
    case value(ColumnSchema)
    /// Values in several columns of the entity's table, in the order of the elements.
    case composite([ColumnSchema])
    /// The key of the object at the other end, in a column of the entity's table.
    case toOne(ToOneStorage)
    /// A column in the table of the objects at the other end.
    case toMany(ToManyStorage)
    /// Rows of a table of their own.
    case manyToMany(ManyToManyStorage)
}

/// **Value.** Where a to-one relationship is kept: `ZPARENT`, and `Z3_PARENT` when the destination has sub-entities.
package struct ToOneStorage: Sendable {
    package let relationship: Entity.Relationship
    /// Holds the key.
    package let column: ColumnSchema
    /// Holds the entity's number; nil when every destination is of one entity.
    package let entityColumn: ColumnSchema?
}

/// **Value.** Where a to-many relationship is kept: in the rows of its objects.
package struct ToManyStorage: Sendable {
    package let relationship: Entity.Relationship
    /// The table of the destination's root.
    package let tableName: String
    /// Holds the key of the object that the relationship belongs to.
    package let column: ColumnSchema
    /// Holds the number of that object's entity; nil when it is not kept.
    package let entityColumn: ColumnSchema?
    /// Holds the place in an ordered relationship.
    package let orderColumn: ColumnSchema?
    /// Whether the column belongs to the inverse, which writes it; without an inverse this side does.
    package let isKeptByInverse: Bool
}

/// **Value.** Where a many-to-many relationship is kept, seen from one of its sides.
package struct ManyToManyStorage: Sendable {
    package let relationship: Entity.Relationship
    package let table: JoinTableSchema
    /// Holds the key of the object that the relationship belongs to.
    package let sourceColumn: String
    /// Holds the key of the object at the other end.
    package let destinationColumn: String
    /// Holds the place of the object at the other end in an ordered relationship.
    package let orderColumn: String?
}
