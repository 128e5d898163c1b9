#if Postgres
    import DataMonkCore

    /// **Value.** The place of one entity's objects.
    struct ServerEntity: Sendable {
        let entity: Entity
        /// The entity's number, which its rows have as `_entity`.
        let number: Int32
        /// The numbers of the entity and its sub-entities.
        let familyNumbers: [Int32]
        /// The table, shared by all entities with the same root.
        let table: ServerTable
        /// The place of each property, by slot.
        let storage: [ServerStorage]

        /// A Boolean value indicating whether rows of the table may be of another entity, so that a query must check it.
        let sharesTable: Bool
    }
#endif
