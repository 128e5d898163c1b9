#if Postgres
    import DataMonkCore
    import Foundation

    extension ServerStoreOpening {
        /// Creates the tables of the history, unless they exist. From then on every process keeps it.
        ///
        /// Waits for transactions and snapshots that have begun without it. Meanwhile, others wait for a second at most at a time.
        func addHistory() throws {
            let tables = ServerHistoryTables(namespace: namespace)
            let question = try PostgresStatement("SELECT to_regclass($1) IS NOT NULL", values: tables.transactions)
            while try !run([question])[0].required(Bool.self, row: 0, column: 0) {
                do {
                    try inTransaction(alone: true) {
                        let lock = "LOCK TABLE \(namespace.qualified("_store")) IN ACCESS EXCLUSIVE MODE"
                        try run([PostgresStatement("SET LOCAL lock_timeout TO '1s'"), PostgresStatement(lock)])
                        // Another process may have been faster.
                        if try run([question])[0].required(Bool.self, row: 0, column: 0) { return }
                        try run(tables.createStatements.map { PostgresStatement($0) })
                        let grants = try run([tables.grantsQuery])[0].column(of: String.self)
                        try run(grants.map { PostgresStatement($0) })
                    }
                } catch let error as StoreError where error.code == .timeout {
                    guard error.isLockTimeout, ContinuousClock.now < deadline else {
                        throw StoreError.historyNotBegun(error, in: namespace)
                    }
                    // Lets those go on who have waited behind the lock. The caller's thread opens the store, and nothing else.
                    Thread.sleep(forTimeInterval: Double.random(in: 0.1...0.5))
                }
            }
        }
    }

    extension StoreError {
        fileprivate static func historyNotBegun(_ error: StoreError, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .timeout,
                """
                The store in the schema "\(namespace.name)" could not begin to keep a history, because snapshots and \
                transactions that began before have not ended. End them, and add the store again.
                """, underlyingError: error.underlyingError)
        }
    }
#endif
