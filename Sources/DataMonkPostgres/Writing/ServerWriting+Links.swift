#if Postgres
    import DataMonkCore

    extension ServerWriting {
        /// The statements that write the links of one owner: those that it has lost, those that it has got, and their order.
        func statements(_ change: ChangeSet.LinkChange) throws -> [PostgresStatement] {
            guard let place = store.schema.place(of: change.relationship.entity) else { return [] }
            switch place.storage[change.relationship.slot] {
            case .links(let links):
                let target = Target(
                    table: table(links.tableName), owner: links.owner.identifier, element: links.element.identifier,
                    order: links.order?.identifier)
                return try [
                    linkRemoval(change, target), linkInsertion(change, target), ordering(change, target),
                ].compactMap(\.self)
            case .toMany(let toMany):
                let target = Target(
                    table: table(toMany.tableName), owner: toMany.owner.identifier, element: "\"_id\"",
                    order: toMany.order?.identifier)
                // With an inverse, the to-ones of the other side are stored.
                let own =
                    toMany.isStoredByInverse
                    ? [] : try [memberRemoval(change, target), memberInsertion(change, target)]
                return try (own + [ordering(change, target)]).compactMap(\.self)
            case .none, .value, .composite, .toOne: return []
            }
        }

        /// **Value.** The columns that a link is in.
        private struct Target {
            let table: String
            let owner: String
            let element: String
            let order: String?
        }

        private func linkRemoval(_ change: ChangeSet.LinkChange, _ target: Target) throws -> PostgresStatement? {
            try statement(
                "DELETE FROM \(target.table) WHERE \(target.owner) = $1 AND \(target.element) = ANY ($2)", change,
                change.removed)
        }

        private func linkInsertion(_ change: ChangeSet.LinkChange, _ target: Target) throws -> PostgresStatement? {
            try statement(
                """
                INSERT INTO \(target.table) (\(target.owner), \(target.element)) SELECT $1, * FROM unnest($2) \
                ON CONFLICT DO NOTHING
                """, change, change.added)
        }

        private func memberRemoval(_ change: ChangeSet.LinkChange, _ target: Target) throws -> PostgresStatement? {
            try statement(
                """
                UPDATE \(target.table) SET \(target.owner) = NULL \
                WHERE \(target.owner) = $1 AND \(target.element) = ANY ($2)
                """, change, change.removed)
        }

        private func memberInsertion(_ change: ChangeSet.LinkChange, _ target: Target) throws -> PostgresStatement? {
            try statement(
                "UPDATE \(target.table) SET \(target.owner) = $1 WHERE \(target.element) = ANY ($2)", change,
                change.added)
        }

        /// The distance between the positions of two elements, which leaves room for insertions.
        private static let orderStep = 1_024

        /// Writes the whole order if it is known, otherwise appends the new elements.
        private func ordering(_ change: ChangeSet.LinkChange, _ target: Target) throws -> PostgresStatement? {
            guard let order = target.order else { return nil }
            let last =
                change.order == nil
                ? "(SELECT coalesce(max(\(order)), 0) FROM \(target.table) WHERE \(target.owner) = $1)" : "0"
            return try statement(
                """
                UPDATE \(target.table) AS target SET \(order) = \(last) + places.place * \(Self.orderStep) \
                FROM unnest($2) WITH ORDINALITY AS places (element, place) \
                WHERE target.\(target.owner) = $1 AND target.\(target.element) = places.element
                """, change, change.order ?? change.added)
        }

        private func statement(
            _ sql: String, _ change: ChangeSet.LinkChange, _ keys: [ObjectKey]
        ) throws -> PostgresStatement? {
            if keys.isEmpty { return nil }
            var parameters = PostgresParameters()
            try parameters.append(change.owner.primaryKey)
            try parameters.append(array: keys.map(\.primaryKey))
            return .prepared(sql, parameters)
        }

        // MARK: Referrers

        /// Selects the links of some owners, whose rows may be deleted: owner, destination, and its entity's number. `nil` if
        /// the relationship has none; see `StoreTransaction.links`.
        func links(of relationship: Entity.Relationship, from ids: [Int64]) throws -> PostgresStatement? {
            guard let place = store.schema.place(of: relationship.entity) else { return nil }
            let source: (tables: String, owner: String)?
            switch place.storage[relationship.slot] {
            case .toMany(let toMany):
                source = ("\(table(toMany.tableName)) t0", "t0.\(toMany.owner.identifier)")
            case .links(let links):
                guard let destination = store.schema.place(of: relationship.destination) else { return nil }
                let join = "t0.\"_id\" = t1.\(links.element.identifier)"
                source = (
                    "\(table(links.tableName)) t1 JOIN \(table(destination.table.name)) t0 ON \(join)",
                    "t1.\(links.owner.identifier)"
                )
            case .toOne:
                guard let inverse = relationship.inverse, !inverse.isToMany,
                    let other = store.schema.place(of: inverse.entity),
                    case .toOne(let key, _) = other.storage[inverse.slot]
                else { return nil }
                source = ("\(table(other.table.name)) t0", "t0.\(key.identifier)")
            case .none, .value, .composite: source = nil
            }
            return try source.map { source in
                try .prepared(
                    """
                    SELECT \(source.owner), t0."_id", t0."_entity" FROM \(source.tables) WHERE \(source.owner) = ANY ($1) \
                    ORDER BY 1, 2
                    """, ids: ids)
            }
        }
    }
#endif
