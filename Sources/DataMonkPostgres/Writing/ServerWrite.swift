#if Postgres
    import DataMonkCore

    /// **Value.** A statement that a transaction writes with.
    struct ServerWrite {
        let statement: PostgresStatement
        /// The objects whose rows are written, if all parameters are arrays with an element for each row; empty if the rows are
        /// nobody else's. `nil` for any other statement, which has its place among all.
        let keys: [ObjectKey]?

        init(_ statement: PostgresStatement) {
            self.statement = statement
            keys = nil
        }

        /// Creates a statement whose parameters are arrays with an element for each row.
        init(_ statement: PostgresStatement, ofRows keys: [ObjectKey]) {
            self.statement = statement
            self.keys = keys
        }

        /// Creates the statement of all rows that several of the same text write.
        fileprivate init(joining writes: [ServerWrite]) {
            let parameters = PostgresParameters(joining: writes.map(\.statement.parameters))
            statement = .prepared(writes[0].statement.sql, parameters)
            keys = writes.flatMap { $0.keys ?? [] }
        }
    }

    extension [ServerWrite] {
        /// Returns the statements. Those that have the same text and write different rows are joined into one: for a group of
        /// saves, that takes the server much less time than a statement for each save.
        ///
        /// Only statements that write rows move, and only past statements that write other rows. The server checks references
        /// after all of them.
        func joined() -> [ServerWrite] {
            var groups: [[ServerWrite]] = []
            // Both begin anew at a statement that nothing may move past.
            var places: [PreparedStatements.Key: Int] = [:]
            var written: Set<ObjectKey> = []
            for write in self {
                guard let keys = write.keys else {
                    (places, written) = ([:], [])
                    groups.append([write])
                    continue
                }
                if !written.isDisjoint(with: keys) { (places, written) = ([:], []) }
                written.formUnion(keys)
                let key = PreparedStatements.Key(write.statement)
                if let place = places[key] {
                    groups[place].append(write)
                } else {
                    places[key] = groups.count
                    groups.append([write])
                }
            }
            return groups.map { $0.count == 1 ? $0[0] : ServerWrite(joining: $0) }
        }
    }
#endif
