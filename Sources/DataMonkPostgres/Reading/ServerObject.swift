#if Postgres
    import DataMonkCore

    /// **Confined.** An object of a snapshot, as conditions read it in memory.
    struct ServerObject: PropertyReader {
        let graph: ServerGraph
        /// The objects that were read together with this one.
        let cohort: ServerGraph.Cohort
        let objectKey: ObjectKey
        let row: Row
        let entity: Entity

        func value(at slot: Int) -> ManagedValue {
            entity.properties[slot].attribute?.value(in: row.pointer) ?? .null
        }

        func toOneKey(_ slot: Int) -> ObjectKey? { ObjectKey(slot: RowFormat.word(in: row.pointer, at: slot)) }

        func toOne(_ slot: Int) -> (any PropertyReader)? {
            guard let key = toOneKey(slot), let relationship = entity.properties[slot].relationship else { return nil }
            return graph.destination(key, of: relationship, from: cohort)
        }

        func toMany(_ slot: Int) -> [any PropertyReader] {
            guard let relationship = entity.properties[slot].relationship else { return [] }
            return graph.destinations(of: relationship, from: objectKey, in: cohort)
        }
    }
#endif
