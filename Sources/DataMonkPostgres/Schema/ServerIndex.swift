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
