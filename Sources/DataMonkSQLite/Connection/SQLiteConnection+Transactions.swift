import CSQLite

extension SQLiteConnection {
    package enum TransactionKind: Sendable {
        /// Takes its snapshot at the first read.
        case deferred
        /// Takes the writer's lock at once, waiting for another writer up to the busy timeout.
        case immediate
    }

    /// **Value.** A savepoint of the open transaction: an inner transaction that can be undone alone.
    package struct Savepoint: Sendable {
        let level: Int
    }

    /// Whether a transaction is open. After any error ask this: SQLite has rolled back by itself where the error was
    /// too grave to go on (a full disk, a failed write, no memory), and everything since `begin` is undone.
    package var isInTransaction: Bool {
        guard let database else { return false }
        return sqlite3_get_autocommit(database) == 0
    }

    /// Whether this connection holds a read snapshot or the writer's lock.
    package var holdsSnapshot: Bool {
        guard let database else { return false }
        return sqlite3_txn_state(database, nil) != SQLITE_TXN_NONE
    }

    /// Sleeps a little before a lock that another connection has is asked for again; longer at later attempts.
    package func pauseForOthers(attempt: Int) { busyHandler.pause(attempt: attempt) }

    /// A transaction that may write begins only in a file that still lies under its name.
    package func begin(_ kind: TransactionKind) throws {
        try runTransaction(kind == .immediate ? .beginImmediate : .beginDeferred)
        openSavepoints = 0
        guard kind == .immediate else { return }
        do {
            try requireInPlace()
        } catch {
            try rollback()
            throw error
        }
    }

    /// Begins a read transaction and takes its snapshot now: what others commit from here on stays unseen.
    package func beginSnapshot() throws {
        try begin(.deferred)
        do {
            try withStatement(.touch) { try $0.run() }
        } catch {
            try rollback()
            throw error
        }
    }

    /// When it throws, the transaction may still stand (another connection was in the way): see ``isInTransaction``.
    package func commit() throws {
        try runTransaction(.commit)
        openSavepoints = 0
    }

    /// Undoes the transaction; nothing where none is open, as after an error that rolled back.
    package func rollback() throws {
        defer { openSavepoints = 0 }
        guard isInTransaction else { return }
        try runTransaction(.rollback)
    }

    /// Commits what `body` did; rolls back and throws when it throws.
    package func transaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
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
    /// Opens a savepoint in the open transaction. Throws `SQLITE_ABORT` where none is open (any more): a savepoint
    /// alone would begin one, and what follows would not belong to what came before.
    package func beginSavepoint() throws -> Savepoint {
        guard isInTransaction else {
            openSavepoints = 0
            throw SQLiteFailure(
                extendedCode: SQLITE_ABORT, message: "The transaction has been rolled back", operation: .transaction)
        }
        let savepoint = Savepoint(level: openSavepoints + 1)
        if savepoint.level == 1 {
            try runTransaction(.savepoint)
        } else {
            try runTransaction("SAVEPOINT level_\(savepoint.level)")
        }
        openSavepoints += 1
        return savepoint
    }

    /// Keeps what was done since `savepoint`, which ends with those inside it.
    package func release(_ savepoint: Savepoint) throws {
        try require(savepoint)
        if savepoint.level == 1 {
            try runTransaction(.release)
        } else {
            try runTransaction("RELEASE level_\(savepoint.level)")
        }
        openSavepoints = savepoint.level - 1
    }

    /// Undoes what was done since `savepoint`, which ends with those inside it.
    package func rollBack(to savepoint: Savepoint) throws {
        try require(savepoint)
        try runTransaction("ROLLBACK TO level_\(savepoint.level)")
        try release(savepoint)
    }

    private func require(_ savepoint: Savepoint) throws {
        guard isInTransaction else {
            openSavepoints = 0
            throw SQLiteFailure(
                extendedCode: SQLITE_ABORT, message: "The transaction has been rolled back", operation: .transaction)
        }
        precondition(savepoint.level <= openSavepoints, "A savepoint ends once: it was released or rolled back before")
    }
}

extension SQLiteConnection {
    /// Ends whatever still reads, so that the next owner begins without a snapshot. Answers false where it cannot.
    func endReading() -> Bool {
        guard let database else { return false }
        guard holdsSnapshot || isInTransaction else { return true }
        var statement = sqlite3_next_stmt(database, nil)
        while let running = statement {
            if sqlite3_stmt_busy(running) != 0 { sqlite3_reset(running) }
            statement = sqlite3_next_stmt(database, running)
        }
        // Reason for try?: whether it worked is asked below, of SQLite itself.
        try? rollback()
        return !holdsSnapshot && !isInTransaction
    }
}
