import CSQLite

extension SQLiteConnection {
    /// Runs reads that end with `SQLITE_INTERRUPT` soon after the calling task is cancelled or the deadline has passed.
    ///
    /// The handler stays installed as long as the connection is open, so that a fetch costs only a few stores to memory.
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
                // SQLite keeps the pointer while the connection is open. The connection retains the limit for as long.
                return Unmanaged<ReadLimit>.fromOpaque(limit).takeUnretainedValue().isReached ? 1 : 0
            }, Unmanaged.passUnretained(limit).toOpaque())
        readLimit = limit
        return limit
    }
}

extension SQLiteConnection {
    /// Runs a transaction that ends with `SQLITE_INTERRUPT` and rolls back soon after `shouldStop` returns `true`.
    ///
    /// For a transaction that is not shared with other saves: a migration's.
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
        // A connection has one progress handler. The next limited read installs its own again.
        readLimit = nil
        // `question` outlives the handler, which this call removes before it returns.
        defer { withExtendedLifetime(question) { sqlite3_progress_handler(database, 0, nil, nil) } }
        return try body()
    }
}

extension SQLiteConnection {
    /// The size of the database, in bytes.
    var byteCount: Int64 {
        get throws { try int64("PRAGMA page_count") * int64("PRAGMA page_size") }
    }

    /// Runs reads of a damaged file, which end with `SQLITE_INTERRUPT` after more steps than a sound file of its size needs:
    /// pages that lead to the same pages over and over have no end.
    ///
    /// A row takes eight bytes or more, and two thousand columns have that many instructions for each row.
    func withinSteps<Result>(_ body: () throws -> Result) throws -> Result {
        let limit = try 4_000_000 + 256 * byteCount
        var count: Int64 = 0
        return try stoppable(
            when: {
                count += 10_000
                return count > limit
            }, body)
    }
}

/// **Confined.** The condition of a stoppable call, boxed for a C pointer.
private final class StopQuestion {
    let shouldStop: () -> Bool

    init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }
}
