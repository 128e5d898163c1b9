import CSQLite

extension SQLiteConnection {
    package enum TransactionKind: Sendable {
        /// Takes its snapshot at the first read.
        case deferred
        /// Takes the write lock at once, waiting for another writer up to the busy timeout.
        case immediate
    }

    /// **Value.** A savepoint of the open transaction: a nested transaction that can be rolled back on its own.
    package struct Savepoint: Sendable, Equatable {
        let level: Int
    }

    /// A Boolean value indicating whether a transaction is open. Check it after any error: SQLite rolls back by itself if it
    /// cannot continue (a full disk, a failed write, out of memory), and everything since `begin` is undone.
    package var isInTransaction: Bool {
        guard let database else { return false }
        return sqlite3_get_autocommit(database) == 0
    }

    /// A Boolean value indicating whether this connection holds a read snapshot or the write lock.
    package var holdsSnapshot: Bool {
        guard let database else { return false }
        return sqlite3_txn_state(database, nil) != SQLITE_TXN_NONE
    }

    /// Sleeps briefly before another attempt to take a lock that another connection holds; later attempts sleep longer.
    package func pauseForOthers(attempt: Int) { busyHandler.pause(attempt: attempt) }

    /// Begins a transaction. A write transaction begins only if the file is still at its path.
    ///
    /// - Parameter isInPlace: Returns `true` if the caller knows that the file is at its path, which saves its look-up.
    package func begin(_ kind: TransactionKind, isInPlace: () -> Bool = { false }) throws {
        if inner != .none { return inner = .begun(try beginSavepoint()) }
        try runTransaction(kind == .immediate ? .beginImmediate : .beginDeferred)
        openSavepoints = 0
        guard kind == .immediate, !isInPlace() else { return }
        do {
            try requireInPlace()
        } catch {
            try rollback()
            throw error
        }
    }

    /// Begins a read transaction and takes its snapshot now: later commits by others stay invisible.
    package func beginSnapshot() throws {
        try begin(.deferred)
        do {
            try withStatement(.touch) { try $0.run() }
        } catch {
            try rollback()
            throw error
        }
    }

    /// Commits the transaction. If this throws, the transaction may still be open, because another connection was in the
    /// way; see ``isInTransaction``.
    package func commit() throws {
        if case .begun(let savepoint) = inner {
            try release(savepoint)
            return inner = .permitted
        }
        try runTransaction(.commit)
        openSavepoints = 0
    }

    /// Rolls the transaction back. Does nothing if none is open, as after an error that already rolled back.
    package func rollback() throws {
        if inner != .none { return try rollbackInner() }
        defer { openSavepoints = 0 }
        guard isInTransaction else { return }
        try runTransaction(.rollback)
    }

    /// Runs `body` in a transaction and commits it. If `body` throws, rolls back and rethrows.
    package func transaction<Result>(_ kind: TransactionKind, body: () throws -> Result) throws -> Result {
        try begin(kind)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            try rollback()
            throw error
        }
    }

    private func runTransaction(_ sql: PreparedSQL) throws {
        try nameFailures { try withStatement(sql) { try $0.run() } }
    }

    private func runTransaction(_ sql: String) throws {
        try nameFailures { try withStatement(sql) { try $0.run() } }
    }

    private func nameFailures(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch var failure as SQLiteFailure {
            failure.operation = .transaction
            throw failure
        }
    }
}

extension SQLiteConnection {
    /// Opens a savepoint in the open transaction. Throws `SQLITE_ABORT` if no transaction is open (any more): a savepoint
    /// would begin a new one, separate from what was done before.
    package func beginSavepoint() throws -> Savepoint {
        try requireTransaction()
        let savepoint = Savepoint(level: openSavepoints + 1)
        if savepoint.level == 1 {
            try runTransaction(.savepoint)
        } else {
            try runTransaction("SAVEPOINT level_\(savepoint.level)")
        }
        openSavepoints += 1
        return savepoint
    }

    /// Keeps the changes since `savepoint`, and ends it together with those nested inside it.
    package func release(_ savepoint: Savepoint) throws {
        try require(savepoint)
        if savepoint.level == 1 {
            try runTransaction(.release)
        } else {
            try runTransaction("RELEASE level_\(savepoint.level)")
        }
        openSavepoints = savepoint.level - 1
    }

    /// Undoes the changes since `savepoint`, and ends it together with those nested inside it.
    package func rollBack(to savepoint: Savepoint) throws {
        try require(savepoint)
        try runTransaction("ROLLBACK TO level_\(savepoint.level)")
        try release(savepoint)
    }

    /// Throws the failure that ended the transaction, or `SQLITE_ABORT` if it is not known.
    func requireTransaction() throws {
        if isInTransaction { return }
        openSavepoints = 0
        throw fall
            ?? SQLiteFailure(
                extendedCode: SQLITE_ABORT, message: "The transaction has been rolled back", operation: .transaction)
    }

    private func require(_ savepoint: Savepoint) throws {
        try requireTransaction()
        precondition(savepoint.level <= openSavepoints, "The savepoint has already been released or rolled back")
    }
}

extension SQLiteConnection {
    /// **Value.** The transaction inside the open one. It is a savepoint.
    enum InnerTransaction: Equatable {
        /// Transactions are the connection's own.
        case none
        case permitted
        case begun(Savepoint)
    }

    /// Calls `body`, which may begin, commit and roll back transactions inside the open one. The open one decides whether any
    /// of that is kept.
    ///
    /// - Throws: The failure at which the open transaction was rolled back meanwhile, whatever `body` made of the error that
    ///   told so.
    func enclosing<Result>(_ body: () throws -> Result) throws -> Result {
        fall = nil
        try requireTransaction()
        inner = .permitted
        // The store that `body` uses has prepared statements of its own for the same slots.
        cache.removeAll()
        defer {
            cache.removeAll()
            // Reason for try?: `requireTransaction` tells of a rollback that failed, and the open transaction ends with it.
            try? rollbackInner()
            inner = .none
        }
        let result = Swift.Result { try body() }
        // First: what `body` has thrown may be no more than a consequence.
        try requireTransaction()
        return try result.get()
    }

    /// Keeps the first failure after which the open transaction, of which an inner one is part, is no more.
    func noteFall(_ failure: SQLiteFailure) {
        if inner != .none, fall == nil, !isInTransaction { fall = failure }
    }

    private func rollbackInner() throws {
        guard case .begun(let savepoint) = inner else { return }
        inner = .permitted
        if isInTransaction { try rollBack(to: savepoint) }
    }
}

extension SQLiteConnection {
    /// Ends all reads, so that the next owner starts without a snapshot. Returns `false` if it cannot.
    func endReading() -> Bool {
        guard let database else { return false }
        guard holdsSnapshot || isInTransaction else { return true }
        var statement = sqlite3_next_stmt(database, nil)
        while let running = statement {
            if sqlite3_stmt_busy(running) != 0 { sqlite3_reset(running) }
            statement = sqlite3_next_stmt(database, running)
        }
        // Reason for try?: the next line asks SQLite itself whether it worked.
        try? rollback()
        return !holdsSnapshot && !isInTransaction
    }
}
