#if Postgres
    /// **Value.** A schema of the database's, in which a store's tables are. PostgreSQL calls it a schema, which here is the
    /// layout of a model's tables.
    struct ServerNamespace: Sendable, Hashable {
        let name: String

        /// Returns the name of a table or index, which no setting of the connection changes.
        func qualified(_ name: String) -> String { "\(ServerName.quoted(self.name)).\(ServerName.quoted(name))" }
    }
#endif
