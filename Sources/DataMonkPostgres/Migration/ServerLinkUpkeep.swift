#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** The changes to links that stay in their columns or table: links to objects that go are removed, numbers of
    /// entities and positions are added.
    struct ServerLinkUpkeep {
        private let old: ServerSchema
        private let new: ServerSchema
        private let succession: ServerSuccession
        private let knownColumns: Set<[String]>

        init(from old: ServerSchema, to new: ServerSchema, after succession: ServerSuccession) {
            self.old = old
            self.new = new
            self.succession = succession
            knownColumns = Set(old.columns.map { [$0.table, $0.column.name] })
        }

        var statements: [ServerMigration.Statement] {
            succession.pairs.filter { succession.stayingLinks(of: $0) != nil }.flatMap { relationship in
                let inverse = relationship.storedInverse.flatMap { $0.isToMany || $0 === relationship ? nil : $0 }
                return [relationship, inverse].compactMap(\.self).flatMap(statements)
            }
        }

        private func statements(_ side: Entity.Relationship) -> [ServerMigration.Statement] {
            guard let place = new.place(of: side.entity) else { return [] }
            let owners = ids(goneFrom: side.entity)
            let elements = ids(goneFrom: side.destination)
            switch place.storage[side.slot] {
            case .toOne(let key, let entity):
                let order = side.storedInverse.flatMap { new.place(of: $0.entity)?.storage[$0.slot] }?.toMany?.order
                let keys = Keys(
                    table: place.table.name, key: key, entity: entity, order: order, root: side.entity.root,
                    destination: side.destination)
                return statements(keys, gone: elements)
            case .toMany(let toMany) where !toMany.isStoredByInverse:
                let keys = Keys(
                    table: toMany.tableName, key: toMany.owner, entity: nil, order: toMany.order,
                    root: side.destination.root, destination: side.entity)
                return statements(keys, gone: owners)
            case .links(let links):
                guard let table = new.linkTables.first(where: { $0.name == links.tableName }) else { return [] }
                return statements(table, owners: owners, elements: elements)
            default: return []
            }
        }

        /// Returns a query for the ids of objects that go, of an entity's tree; `nil` if there are none.
        private func ids(goneFrom entity: Entity) -> String? {
            guard let past = succession.sourceRoot(of: entity) else { return nil }
            let gone = succession.objects(of: past).gone
            if gone.isEmpty { return nil }
            return "SELECT \"_id\" FROM \(succession.table(of: past)) WHERE \"_entity\" IN (\(succession.list(gone)))"
        }

        // MARK: Keys

        /// **Value.** The columns with a key.
        private struct Keys {
            let table: String
            let key: ServerColumn
            let entity: ServerColumn?
            let order: ServerColumn?
            /// The root of the table.
            let root: Entity
            /// The entity of the objects whose keys they are.
            let destination: Entity
        }

        private func statements(_ keys: Keys, gone: String?) -> [ServerMigration.Statement] {
            var statements: [String] = []
            let (table, key) = (new.namespace.qualified(keys.table), keys.key.identifier)
            if let gone { statements.append("UPDATE \(table) SET \(key) = NULL WHERE \(key) IN (\(gone))") }
            if let entity = keys.entity, isAdded(entity, to: keys.table), let objects = new.place(of: keys.destination)
            {
                statements.append(
                    """
                    UPDATE \(table) t SET \(entity.identifier) = d."_entity" \
                    FROM \(new.namespace.qualified(objects.table.name)) d WHERE d."_id" = t.\(key)
                    """)
                // No entity: the object does not exist.
                statements.append(
                    "UPDATE \(table) SET \(key) = NULL WHERE \(key) IS NOT NULL AND \(entity.identifier) IS NULL")
            }
            if let order = keys.order, isAdded(order, to: keys.table) {
                statements.append(
                    """
                    UPDATE \(table) t SET \(order.identifier) = k.place FROM (SELECT "_id", \
                    \(ServerLinkTransfer.position("row_number() OVER (PARTITION BY \(key) ORDER BY \"_id\")")) AS place \
                    FROM \(table) WHERE \(key) IS NOT NULL) k WHERE k."_id" = t."_id"
                    """)
            }
            // Affects few rows, if any, so it is not part of the plan.
            let dangling = condition(ofDangling: keys.key, in: keys.table)
                .map { PostgresStatement("UPDATE \(table) SET \(key) = NULL WHERE \($0)") }
            return [dangling].compactMap(\.self).map { ServerMigration.Statement(statement: $0) }
                + statements.map { ServerMigration.Statement(statement: PostgresStatement($0), root: keys.root) }
        }

        /// Returns the condition of keys of objects that do not exist, which read as none, if only the new version has the server
        /// check that they do; otherwise `nil`.
        private func condition(ofDangling key: ServerColumn, in table: String) -> String? {
            let checks = { (schema: ServerSchema) in
                schema.foreignKeys.first { $0.tableName == table && $0.column.name == key.name }
            }
            guard checks(old) == nil, let check = checks(new), !isAdded(key, to: table) else { return nil }
            let (column, objects) = (key.identifier, new.namespace.qualified(check.destinationName))
            let own = "\(new.namespace.qualified(table)).\(column)"
            return "\(column) IS NOT NULL AND NOT EXISTS (SELECT FROM \(objects) d WHERE d.\"_id\" = \(own))"
        }

        private func isAdded(_ column: ServerColumn, to table: String) -> Bool {
            !knownColumns.contains([table, column.name])
        }

        // MARK: Link tables

        private func statements(
            _ links: ServerLinkTable, owners: String?, elements: String?
        ) -> [ServerMigration.Statement] {
            let table = new.namespace.qualified(links.name)
            let (owner, element) = (links.owner.identifier, links.element.identifier)
            var statements = [(owner, owners), (element, elements)].compactMap { column, gone in
                gone.map { "DELETE FROM \(table) WHERE \(column) IN (\($0))" }
            }
            statements += [links.owner, links.element].compactMap { condition(ofDangling: $0, in: links.name) }
                .map { "DELETE FROM \(table) WHERE \($0)" }
            for (order, partition, other) in [(links.ownerOrder, element, owner), (links.elementOrder, owner, element)]
            {
                guard let order, isAdded(order, to: links.name) else { continue }
                let place = "row_number() OVER (PARTITION BY \(partition) ORDER BY \(other))"
                statements.append(
                    """
                    UPDATE \(table) t SET \(order.identifier) = k.place FROM (SELECT \(owner) AS owner, \
                    \(element) AS element, \(ServerLinkTransfer.position(place)) AS place FROM \(table)) k \
                    WHERE t.\(owner) = k.owner AND t.\(element) = k.element
                    """)
            }
            return statements.map { ServerMigration.Statement(statement: PostgresStatement($0)) }
        }
    }

    extension ServerStorage {
        /// The place of a to-many in the rows of its destinations.
        fileprivate var toMany: ServerToMany? { if case .toMany(let toMany) = self { toMany } else { nil } }
    }
#endif
