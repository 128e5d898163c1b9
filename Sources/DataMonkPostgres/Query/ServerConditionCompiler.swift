#if Postgres
    import DataMonkCore

    /// **Value.** Says conditions in SQL, as far as PostgreSQL says exactly what memory does.
    ///
    /// SQL is true where the condition is true, and false or NULL where it is not. Yet it says only what an object's own row
    /// tells: values of attributes, and keys of to-ones.
    struct ServerConditionCompiler {
        /// **Value.** A condition in two parts. The objects that satisfy both satisfy the condition.
        struct Split {
            /// The part for the server; `nil` if it says nothing.
            let sql: ServerSQL?
            /// The part that is evaluated in memory; `nil` if the server says all.
            let rest: ResolvedCondition?
        }

        let entity: ServerEntity
        /// The alias of the entity's table in the statement.
        let alias: String
        /// The store's place among the coordinator's stores.
        let storeIndex: Int
        let numbers: [Int: Int32]

        /// - Parameter alias: The alias of the entity's table in the statement.
        init(_ entity: ServerEntity, in schema: ServerSchema, alias: String, storeIndex: Int) {
            self.entity = entity
            self.alias = alias
            self.storeIndex = storeIndex
            numbers = Dictionary(
                uniqueKeysWithValues: schema.model.entities.compactMap { entity in
                    schema.place(of: entity).map { (entity.index, $0.number) }
                })
        }

        /// Splits a condition. Only the parts of a conjunction go different ways: of a disjunction the server would have to say
        /// all, or nothing is gained.
        func split(_ condition: ResolvedCondition) -> Split {
            let parts = if case .and(let parts) = condition { parts } else { [condition] }
            var sql = ServerSQL()
            var rest: [ResolvedCondition] = []
            for part in parts {
                var attempt = sql
                if !attempt.text.isEmpty { attempt.append(" AND ") }
                if append(part, to: &attempt, depth: 0) { sql = attempt } else { rest.append(part) }
            }
            return Split(
                sql: sql.text.isEmpty ? nil : sql, rest: rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest))
        }

        /// The server's parser has a stack; deeper conditions are for memory.
        private static let maximumDepth = 100

        /// Appends a condition. Returns `false` if the server cannot say it; then what was appended is of no use.
        private func append(_ condition: ResolvedCondition, to sql: inout ServerSQL, depth: Int) -> Bool {
            if depth > Self.maximumDepth { return false }
            switch condition {
            case .constant(let isTrue): sql.append(isTrue ? "true" : "false")
            case .comparison(let comparison): return append(comparison, to: &sql)
            case .identity(let identity): return append(identity, to: &sql)
            case .and(let parts): return append(parts, joinedBy: " AND ", to: &sql, depth: depth)
            case .or(let parts): return append(parts, joinedBy: " OR ", to: &sql, depth: depth)
            case .not(let inner):
                sql.append("((")
                guard append(inner, to: &sql, depth: depth + 1) else { return false }
                sql.append(") IS NOT TRUE)")
            }
            return true
        }

        private func append(
            _ parts: [ResolvedCondition], joinedBy operation: String, to sql: inout ServerSQL, depth: Int
        ) -> Bool {
            for (index, part) in parts.enumerated() {
                sql.append(index == 0 ? "(" : operation)
                guard append(part, to: &sql, depth: depth + 1) else { return false }
            }
            sql.append(")")
            return true
        }

        // MARK: Objects

        private func append(_ identity: ResolvedIdentity, to sql: inout ServerSQL) -> Bool {
            guard identity.quantifier == .direct, case .keys(let keys) = identity.other,
                let columns = keyColumns(identity.path)
            else { return false }
            sql.append(identity.isNegated ? "((false" : "(false")
            if keys.contains(nil) { sql.append(" OR \(columns.key) IS NULL") }
            let known = keys.compactMap(\.self).filter { $0.storeIndex == storeIndex }
            for (index, keys) in Dictionary(grouping: known, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
                guard let number = numbers[index] else { continue }
                if columns.entity == nil, index != columns.destination.index { continue }
                sql.append(" OR \(columns.key) = ANY (")
                // More ids than a message has room for are for memory.
                guard (try? sql.bind(array: keys.map(\.primaryKey))) != nil else { return false }
                sql.append(")" + (columns.entity.map { " AND \($0) = \(number)" } ?? ""))
            }
            sql.append(identity.isNegated ? ") IS NOT TRUE)" : ")")
            return true
        }

        /// Returns the columns with an object's key and the number of its entity; `nil` if it is not in the row.
        private func keyColumns(_ path: ResolvedPath) -> (key: String, entity: String?, destination: Entity)? {
            guard case .object = path.start, case .object = path.terminal, path.steps.count < 2 else { return nil }
            guard let step = path.steps.first else {
                return ("\(alias).\"_id\"", "\(alias).\"_entity\"", entity.entity)
            }
            guard case .toOne(let key, let number) = storage(ofSlot: step.slot) else { return nil }
            return ("\(alias).\(key.identifier)", number.map { "\(alias).\($0.identifier)" }, step.destination)
        }

        func storage(ofSlot slot: Int) -> ServerStorage { entity.storage[slot] }
    }
#endif
