#if Postgres
    import DataMonkCore

    /// **Value.** A schema of the database's, in which a store's tables are. PostgreSQL calls it a schema, which here is the
    /// layout of a model's tables.
    struct ServerNamespace: Sendable, Hashable {
        let name: String

        /// Returns the name of a table or index, which no setting of the connection changes.
        func qualified(_ name: String) -> String { "\(ServerName.quoted(self.name)).\(ServerName.quoted(name))" }

        /// Throws a `StoreError` if no schema can have the name, or if the server's own have such names. PostgreSQL would
        /// shorten a long one.
        func requireUsableName() throws(StoreError) {
            let reason: String? =
                switch name {
                case _ where name.isEmpty: "is empty"
                case _ where name.utf8.contains(0): "contains NUL"
                case _ where name.utf8.count > ServerName.maximumByteCount:
                    "has more than \(ServerName.maximumByteCount) bytes"
                case _ where name.utf8.starts(with: "pg_".utf8): "begins with pg_, like those of PostgreSQL itself"
                case "information_schema": "belongs to PostgreSQL itself"
                default: nil
                }
            if let reason { throw .unusableName(of: self, because: reason) }
        }
    }
#endif
