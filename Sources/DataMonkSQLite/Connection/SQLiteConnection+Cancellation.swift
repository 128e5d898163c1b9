import CSQLite

extension SQLiteConnection {
    /// Runs reads that end with `SQLITE_INTERRUPT` soon after the calling task is cancelled, or the deadline has passed.
    ///
    /// The handler stays installed for the connection's life: a fetch pays for two stores.
    @inline(__always)
    package func limited<Result>(
        until deadline: ContinuousClock.Instant? = nil, _ body: () throws -> Result
    ) throws -> Result {
        let limit = try readLimit ?? installReadLimit()
        return try limit.limiting(until: deadline, body)
    }

    private func installReadLimit() throws -> ReadLimit {
        let limit = ReadLimit()
        sqlite3_progress_handler(
            try openDatabase(), 1_000,
            { limit in
                guard let limit else { return 0 }
                // SQLite keeps the pointer while the connection is open, which retains the limit as long.
                return Unmanaged<ReadLimit>.fromOpaque(limit).takeUnretainedValue().isReached ? 1 : 0
            }, Unmanaged.passUnretained(limit).toOpaque())
        readLimit = limit
        return limit
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
        // A connection has one handler: that of limited reads is installed again when there is one.
        readLimit = nil
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
