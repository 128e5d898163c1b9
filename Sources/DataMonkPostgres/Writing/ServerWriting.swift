#if Postgres
    import DataMonkCore

    /// **Value.** The statements that write rows. Each has one text for any number of rows, which are arrays.
    struct ServerWriting {
        let store: ServerStore
        private var schema: ServerSchema { store.schema }

        init(_ store: ServerStore) { self.store = store }

        // MARK: Rows

        /// Locks rows of a table in the order of their ids, which all transactions do. Selects the id, the entity's number and
        /// the version of each.
        func locks(of ids: [Int64], in table: ServerTable, _ strength: String) throws -> PostgresStatement {
            try .prepared(
                """
                SELECT "_id", "_entity", "_version" FROM \(self.table(table.name)) \
                WHERE "_id" = ANY ($1) ORDER BY "_id" FOR \(strength)
                """, ids: ids)
        }

        /// Locks rows as `locks` does. Fails unless they are there, with certain versions.
        func checkedLocks(of versions: [ObjectKey: Int64], in table: ServerTable) throws -> PostgresStatement {
            var parameters = PostgresParameters()
            let rows = versions.sorted { $0.key.primaryKey < $1.key.primaryKey }
            try parameters.append(array: rows.map(\.key.primaryKey))
            try parameters.append(array: rows.map { try place(ofEntityAt: $0.key.entityIndex).number })
            try parameters.append(array: rows.map(\.value))
            return .prepared(
                """
                SELECT 1 / CAST(count(*) = cardinality($1) AS integer) FROM (\
                SELECT "_id", "_entity", "_version" FROM \(self.table(table.name)) \
                WHERE "_id" = ANY ($1) ORDER BY "_id" FOR NO KEY UPDATE) AS locked \
                JOIN unnest($1, $2, $3) AS known (id, entity, version) \
                ON "_id" = known.id AND "_entity" = known.entity AND "_version" = known.version
                """, parameters)
        }

        /// Deletes objects, and their links. References to them are kept.
        func deletions(of keys: [ObjectKey]) throws -> [PostgresStatement] {
            var statements: [PostgresStatement] = []
            for (index, keys) in Dictionary(grouping: keys, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
                let place = try place(ofEntityAt: index)
                let ids = keys.map(\.primaryKey)
                for relationship in place.entity.relationships where relationship.isToMany {
                    switch place.storage[relationship.slot] {
                    case .links(let links):
                        var condition = "\(links.owner.identifier) = ANY ($1)"
                        // Both ends of a relationship that is its own inverse.
                        if relationship.inverse === relationship {
                            condition += " OR \(links.element.identifier) = ANY ($1)"
                        }
                        statements.append(
                            try .prepared("DELETE FROM \(table(links.tableName)) WHERE \(condition)", ids: ids))
                    case .toMany(let toMany) where !toMany.isStoredByInverse:
                        let owner = toMany.owner.identifier
                        statements.append(
                            try .prepared(
                                "UPDATE \(table(toMany.tableName)) SET \(owner) = NULL WHERE \(owner) = ANY ($1)",
                                ids: ids))
                    case .none, .value, .composite, .toOne, .toMany: break
                    }
                }
                statements.append(
                    try .prepared("DELETE FROM \(table(place.table.name)) WHERE \"_id\" = ANY ($1)", ids: ids))
            }
            return statements
        }

        func insertions(_ changes: [ChangeSet.ObjectChange]) throws -> [ServerWrite] {
            let grouped = Dictionary(grouping: changes, by: \.key.entityIndex).sorted { $0.key < $1.key }
            return try grouped.flatMap { index, changes in
                let place = try place(ofEntityAt: index)
                guard let plan = store.rowPlan(of: place.entity) else {
                    throw StoreError.entityNotOnServer(place.entity)
                }
                let columns = plan.columns.map(\.identifier).joined(separator: ", ")
                let numbers = plan.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
                let sql = "INSERT INTO \(table(place.table.name)) (\(columns)) SELECT * FROM unnest(\(numbers))"
                return try statements(sql, for: changes) { part in
                    try ServerRowEncoder(plan).parameters(part.map { ($0.key, $0.row) })
                }
            }
        }

        /// The bytes that a statement with several rows has at most, approximately.
        private static let statementByteCount = 1_048_576

        /// Returns statements of one text for rows of an entity, each with as many of them as a megabyte has room for, or with
        /// one that is larger.
        ///
        /// - Parameter slots: The slots that are written; `nil` for all.
        private func statements(
            _ sql: String, for changes: [ChangeSet.ObjectChange], in slots: SlotSet? = nil,
            _ encode: (ArraySlice<ChangeSet.ObjectChange>) throws -> PostgresParameters
        ) throws -> [ServerWrite] {
            guard let first = changes.first else { return [] }
            let layout = store.directory.layout(of: first.key)
            let written = layout.kinds.indices.filter { slots?.contains($0) ?? true }
            let longSlots = written.filter { layout.kinds[$0].isLong }
            // With the id and the version.
            let shortByteCount = 8 * (written.count + 2)
            var statements: [ServerWrite] = []
            var rest = changes[...]
            while !rest.isEmpty {
                var byteCount = 0
                let part = rest.prefix { change in
                    let isFirst = byteCount == 0
                    byteCount += longSlots.reduce(shortByteCount) { sum, slot in
                        sum + RowFormat.bytes(in: change.row.pointer, at: slot).count
                    }
                    return isFirst || byteCount <= Self.statementByteCount
                }
                statements.append(ServerWrite(.prepared(sql, try encode(part)), ofRows: part.map(\.key)))
                rest = rest.dropFirst(part.count)
            }
            return statements
        }

        /// Updates rows, which are locked, and whose versions are known.
        func updates(_ changes: [ChangeSet.ObjectChange]) throws -> [ServerWrite] {
            struct Shape: Hashable {
                let entity: Int
                let slots: SlotSet
            }
            var order: [Shape] = []
            var grouped: [Shape: [ChangeSet.ObjectChange]] = [:]
            for change in changes {
                let shape = Shape(entity: change.key.entityIndex, slots: change.changed)
                if grouped[shape] == nil { order.append(shape) }
                grouped[shape, default: []].append(change)
            }
            return try order.flatMap { try update(grouped[$0] ?? [], of: $0.entity, slots: $0.slots) }
        }

        private func update(
            _ changes: [ChangeSet.ObjectChange], of index: Int, slots: SlotSet
        ) throws -> [ServerWrite] {
            let place = try place(ofEntityAt: index)
            guard let plan = store.rowPlan(of: place.entity), let fields = plan.entities[place.number] else {
                throw StoreError.entityNotOnServer(place.entity)
            }
            let changed = fields.fields.filter { slots.contains($0.slot) }.flatMap { field in
                field.position..<field.position + field.columns.count
            }
            // The id, the version, and what has changed.
            let positions = [0, 2] + changed
            let assignments = positions.dropFirst().map { "\(plan.columns[$0].identifier) = changes.c\($0)" }
            let sql =
                """
                UPDATE \(table(place.table.name)) AS target SET \(assignments.joined(separator: ", ")) \
                FROM unnest(\(positions.indices.map { "$\($0 + 1)" }.joined(separator: ", "))) \
                AS changes (\(positions.map { "c\($0)" }.joined(separator: ", "))) \
                WHERE target."_id" = changes.c0
                """
            return try statements(sql, for: changes, in: slots) { part in
                try ServerRowEncoder(plan).parameters(part.map { ($0.key, $0.row) }, at: positions)
            }
        }

        // MARK: Unique values

        /// Empties the unique values that an update changes; `nil` if it changes none. An object that lacks one of the values
        /// conflicts with none, so those that it does not change, and that are not written again, stay.
        func emptying(_ change: ChangeSet.ObjectChange) throws -> PostgresStatement? {
            let layout = store.directory.layout(of: change.key)
            let constrained = layout.uniqueness.filter { $0.concerns(change) }.flatMap(\.slots)
            let slots = constrained.filter(change.changed.contains)
            let place = try place(ofEntityAt: change.key.entityIndex)
            let columns = Set(slots).sorted().flatMap { self.columns(of: place.storage[$0]) }
            if columns.isEmpty { return nil }
            let assignments = columns.map { "\($0.identifier) = NULL" }.joined(separator: ", ")
            return try .prepared(
                "UPDATE \(table(place.table.name)) SET \(assignments) WHERE \"_id\" = ANY ($1)",
                ids: [change.key.primaryKey])
        }

        /// Selects the other object that has the unique values of a change; `nil` if one of them is missing.
        func holder(of constraint: UniquenessConstraint, _ change: ChangeSet.ObjectChange) throws -> PostgresStatement?
        {
            if constraint.slots.contains(where: { RowFormat.isNull(in: change.row.pointer, at: $0) }) { return nil }
            let place = try place(ofEntityAt: change.key.entityIndex)
            guard let plan = store.rowPlan(of: place.entity), let fields = plan.entities[place.number] else {
                return nil
            }
            let positions = constraint.slots.compactMap { slot in fields.fields.first { $0.slot == slot }?.position }
            let numbers = schema.place(of: constraint.entity)?.familyNumbers.map { "\($0)" }.joined(separator: ", ")
            guard positions.count == constraint.slots.count, let numbers else { return nil }
            let parameters = try ServerRowEncoder(plan).parameters([(change.key, change.row)], at: [0] + positions)
            let conditions = positions.enumerated().map { "\(plan.columns[$1].identifier) = ANY ($\($0 + 2))" }
            return PostgresStatement(
                """
                SELECT "_id", "_entity" FROM \(table(place.table.name)) WHERE \(conditions.joined(separator: " AND ")) \
                AND "_id" <> ALL ($1) AND "_entity" IN (\(numbers))
                """, parameters)
        }

        private func columns(of storage: ServerStorage) -> [ServerColumn] {
            switch storage {
            case .value(let column): [column]
            case .composite(let columns): columns
            case .toOne(let key, let entity): [key] + [entity].compactMap(\.self)
            case .none, .toMany, .links: []
            }
        }

        // MARK: Names

        func table(_ name: String) -> String { schema.namespace.qualified(name) }

        private func place(ofEntityAt index: Int) throws -> ServerEntity {
            let entity = store.directory.model.entities[index]
            guard let place = schema.place(of: entity) else { throw StoreError.entityNotOnServer(entity) }
            return place
        }
    }
#endif
