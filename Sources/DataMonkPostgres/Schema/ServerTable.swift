#if Postgres
    import DataMonkCore

    /// **Value.** The table of a root entity and all of its sub-entities.
    struct ServerTable: Sendable {
        let name: String
        let root: Entity
        /// The columns, beginning with `_id`, `_entity` and `_version`.
        let columns: [ServerColumn]
        /// The name of the sequence of its ids.
        let sequenceName: String
        /// The name of the constraint of its primary key, which is the name of an index.
        let primaryKeyName: String

        /// The statements that create the table and the sequence of its ids.
        func createStatements(in namespace: ServerNamespace) -> [String] {
            let columns = columns.map(\.definition).joined(separator: ", ")
            return [
                """
                CREATE TABLE \(namespace.qualified(name)) (\(columns), \
                CONSTRAINT \(ServerName.quoted(primaryKeyName)) PRIMARY KEY ("_id"))
                """,
                """
                CREATE SEQUENCE \(namespace.qualified(sequenceName)) AS bigint INCREMENT BY \(Self.keyBlockSize) \
                MAXVALUE \(ObjectKey.maximumPrimaryKey - Self.keyBlockSize) OWNED BY \(namespace.qualified(name))."_id"
                """,
            ]
        }

        /// The number of ids that a process takes from the sequence at once.
        static let keyBlockSize: Int64 = 64
    }
#endif
