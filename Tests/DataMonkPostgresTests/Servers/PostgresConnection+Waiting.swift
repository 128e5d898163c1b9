#if Postgres
    import Testing

    @testable import DataMonkPostgres

    extension PostgresConnection {
        /// Waits until the server has a process that a condition on `pg_stat_activity` is true of.
        func wait(forProcess condition: String) throws { try wait(condition) { $0 > 0 } }

        /// Waits until the server has no process that a condition on `pg_stat_activity` is true of.
        func wait(forNoProcess condition: String) throws { try wait(condition) { $0 == 0 } }

        private func wait(_ condition: String, _ isEnough: (Int64) -> Bool) throws {
            // The server rests before it looks.
            let statement = PostgresStatement(
                "SELECT count(*) FROM pg_sleep(0.01), pg_stat_activity WHERE \(condition)")
            while try !isEnough(run(statement, until: farDeadline).required(row: 0, column: 0)) {}
        }
    }
#endif
