import CSQLite

extension SQLiteConnection {
    /// Runs reads that end with `SQLITE_INTERRUPT` soon after `token` is cancelled.
    ///
    /// For readers only: a writer that is stopped in the middle of a group would undo the commits of others.
    package func cancellable<Result>(by token: CancellationToken, _ body: () throws -> Result) throws -> Result {
        let database = try openDatabase()
        precondition(
            sqlite3_txn_state(database, nil) != SQLITE_TXN_WRITE,
            "A write transaction is never cancelled: commit or roll back")
        guard !token.isCancelled else {
            throw SQLiteFailure(extendedCode: SQLITE_INTERRUPT, operation: .run)
        }
        sqlite3_progress_handler(
            database, 1_000,
            { token in
                guard let token else { return 0 }
                return Unmanaged<CancellationToken>.fromOpaque(token).takeUnretainedValue().isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(token).toOpaque())
        // `token` outlives the handler: it is an argument of this call, which removes the handler at its end.
        defer { withExtendedLifetime(token) { sqlite3_progress_handler(database, 0, nil, nil) } }
        return try body()
    }
}

extension SQLiteConnection {
    /// Runs a transaction that ends with `SQLITE_INTERRUPT` soon after `shouldStop` says so, and rolls back.
    ///
    /// For a transaction that nobody shares: the one of a migration.
    package func stoppable<Result>(
        when shouldStop: @escaping () -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        let database = try openDatabase()
        let question = StopQuestion(shouldStop)
        sqlite3_progress_handler(
            database, 10_000,
            { question in
                guard let question else { return 0 }
                return Unmanaged<StopQuestion>.fromOpaque(question).takeUnretainedValue().shouldStop() ? 1 : 0
            }, Unmanaged.passUnretained(question).toOpaque())
        // `question` outlives the handler: this call removes it at its end.
        defer { withExtendedLifetime(question) { sqlite3_progress_handler(database, 0, nil, nil) } }
        return try body()
    }
}

/// **Confined.** What a stoppable call asks, as C sees it through a pointer.
private final class StopQuestion {
    let shouldStop: () -> Bool

    init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }
}
