#if Postgres
    import DataMonkCore

    /// **Value.** An index of a server's table.
    struct ServerIndex: Sendable, Hashable {
        let name: String
        let tableName: String
        let isUnique: Bool
        /// The columns, quoted, each with its direction if that is descending.
        let columns: [String]
        /// For an index over some sub-entities' rows, the numbers of these.
        let entityNumbers: [Int32]?

        /// Returns whether it is over a column of the table, perhaps among others.
        func contains(_ column: String) -> Bool {
            let column = ServerName.quoted(column)
            return columns.contains { $0 == column || $0 == column + " DESC" }
        }

        /// The statement that creates the index.
        func createStatement(in namespace: ServerNamespace) -> String {
            let numbers = entityNumbers.map { $0.map { "\($0)" }.joined(separator: ", ") }
            return """
                CREATE \(isUnique ? "UNIQUE " : "")INDEX \(ServerName.quoted(name)) ON \(namespace.qualified(tableName)) \
                (\(columns.joined(separator: ", ")))\(numbers.map { " WHERE \"_entity\" IN (\($0))" } ?? "")
                """
        }
    }
#endif
