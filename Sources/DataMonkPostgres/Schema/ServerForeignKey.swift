#if Postgres
    import DataMonkCore

    /// **Value.** A reference from a column to the objects of a table, which the server checks when a transaction commits.
    struct ServerForeignKey: Sendable, Hashable {
        let tableName: String
        let column: ServerColumn
        /// The table of the destinations.
        let destinationName: String

        /// The statement that adds the reference. Tables refer to each other, so it comes behind all of them.
        ///
        /// The server names it: the column's name may be that of another constraint, such as the primary key's.
        func createStatement(in namespace: ServerNamespace) -> String {
            """
            ALTER TABLE \(namespace.qualified(tableName)) ADD FOREIGN KEY (\(column.identifier)) \
            REFERENCES \(namespace.qualified(destinationName)) ("_id") DEFERRABLE INITIALLY DEFERRED
            """
        }
    }
#endif
