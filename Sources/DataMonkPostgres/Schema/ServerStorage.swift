#if Postgres
    import DataMonkCore

    /// **Value.** The place of a property in a server's tables.
    enum ServerStorage: Sendable {
        /// Not stored: the property is transient, or its destination is outside of the store's configuration.
        case none
        /// A value in a column of the entity's table.
        case value(ServerColumn)
        /// Values in several columns of the entity's table, in the order of the elements.
        case composite([ServerColumn])
        /// The primary key of the destination in a column of the entity's table, and the number of its entity in another one
        /// if the destinations may be of several.
        case toOne(key: ServerColumn, entity: ServerColumn?)
        /// A column in the table of the destinations.
        case toMany(ServerToMany)
        /// Rows of a link table.
        case links(ServerLinks)
    }

    /// **Value.** The place of a to-many relationship in the rows of its destinations.
    struct ServerToMany: Sendable {
        /// The table of the destination's root entity.
        let tableName: String
        /// The column with the primary key of the relationship's owner.
        let owner: ServerColumn
        /// The column with the position in an ordered relationship.
        let order: ServerColumn?
        /// A Boolean value indicating whether the column belongs to the inverse, which writes it. Without an inverse, this
        /// side writes it.
        let isStoredByInverse: Bool
    }

    /// **Value.** The place of one side of a many-to-many relationship.
    struct ServerLinks: Sendable {
        let tableName: String
        /// The column with the primary keys of the relationship's owners.
        let owner: ServerColumn
        /// The column with the primary keys of its elements.
        let element: ServerColumn
        /// The column with the element's position in an ordered relationship.
        let order: ServerColumn?
    }
#endif
