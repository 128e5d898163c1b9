import DataMonkCore

/// **Shared.** Holds the writing connection. One transaction at a time writes with it; while it rests, readers ask it for
/// the commits of other processes.
///
/// SQLite counts changes for each connection. A reader's count changes with any commit, including this process's own, so it
/// only indicates that something may have happened. The writer's `PRAGMA data_version` does not count its own commits, and
/// so answers for the whole process.
///
///     idle --begin--> writing --willCommit--> committing --transactionDidMove--> idle
///                           +------------------rollBack-----------------------------^
///
/// Only the transaction uses the connection, except in `idle`, when any thread may use it under the lock. Therefore the
/// log is not moved by this connection (see `Checkpointer`), and no lock is held while waiting for another process's
/// transaction.
///
/// Invariants:
/// 1. The observer is notified before `writer` records what was found: a caller that finds nothing new knows that the
///    observer was notified.
/// 2. While `writing`, nobody else commits, and the observer was notified of everything that others committed before.
/// 3. A commit by others after a transaction that is `committing` is visible only in snapshots that show that transaction,
///    too.
///
/// 2 and 3 do not hold between an error after which SQLite has rolled the transaction back (a full disk) and `rollBack`. If
/// another process commits in between, a snapshot that is opened there shows that commit before the observer hears of it.
/// The next look finds it.
final class WriterDesk: Sendable {
    fileprivate enum Phase {
        case idle, writing, committing
    }

    fileprivate struct State {
        /// `nil` once the store is closed.
        var writer: SQLiteWriter?
        var isLent = false
        var phase = Phase.idle
        var observer: ForeignCommitObserver?
    }

    private let state: Locked<State>

    init(_ writer: SQLiteWriter) {
        state = Locked(State(writer: writer))
    }

    /// Sets the observer of other processes' commits.
    func observe(_ observer: @escaping ForeignCommitObserver) {
        state.withLock { $0.observer = observer }
    }

    // MARK: Lending

    /// Lends the writer to a transaction. Returns `nil` if the store is closed, or if another transaction has the writer.
    func takeWriter() -> SQLiteWriter? {
        state.withLock { state in
            if state.isLent { return nil }
            state.isLent = state.writer != nil
            return state.writer
        }
    }

    func checkIn(_ writer: SQLiteWriter) {
        state.withLock { state in
            state.isLent = false
            if state.writer != nil { state.writer = writer }
        }
    }

    /// Replaces a lent writer that is spent. The new one keeps the same history.
    func replaceWriter(by writer: SQLiteWriter) {
        state.withLock { state in
            guard let spent = state.writer else { return }
            writer.history = spent.history
            state.writer = writer
        }
    }

    /// Removes the writer for good, because the store is being closed.
    func removeWriter() -> SQLiteWriter? {
        state.withLock { state in
            defer { state.writer = nil }
            return state.isLent ? nil : state.writer
        }
    }

    // MARK: A transaction

    /// Begins a write transaction, and notifies the observer of other processes' commits since the writer last looked. Waits
    /// for another process's transaction up to the connection's busy timeout.
    ///
    /// - Parameter files: Checked when the transaction has begun.
    /// - Returns: `true` if there were such commits.
    func begin(_ writer: SQLiteWriter, of files: StoreFiles) throws -> Bool {
        let limit = writer.connection.busyTimeout
        var deadline: ContinuousClock.Instant?
        var attempt = 0
        while true {
            do {
                if let hasFound = try tryToBegin(writer, of: files) { return hasFound }
            } catch let failure as SQLiteFailure where failure.isBusy {
                // Not in SQLite's own busy handler, so that readers can use the connection meanwhile.
                let end = deadline ?? ContinuousClock.now + limit
                deadline = end
                guard ContinuousClock.now < end else { throw failure }
            }
            writer.connection.pauseForOthers(attempt: attempt)
            attempt += 1
        }
    }

    /// Returns `nil` if the observer could not be notified.
    private func tryToBegin(_ writer: SQLiteWriter, of files: StoreFiles) throws -> Bool? {
        let connection = writer.connection
        let limit = connection.busyTimeout
        let (hasFound, wake) = try state.withLock { state -> (Bool?, (@Sendable () -> Void)?) in
            connection.busyTimeout = .zero
            defer { connection.busyTimeout = limit }
            // A transaction is open here if it could not be rolled back, for lack of memory.
            try connection.rollback()
            state.phase = .idle
            try connection.begin(.immediate) { files.isKnownInPlace }
            do {
                let status = try state.checkForeignVersion(of: writer, isCommitting: true)
                guard status.isTold else {
                    try connection.rollback()
                    return (nil, nil)
                }
                state.phase = .writing
                return (status.hasFound, status.wake)
            } catch {
                try connection.rollback()
                throw error
            }
        }
        wake?()
        return hasFound
    }

    /// Records that the transaction is about to be committed.
    func willCommit() {
        state.withLock { $0.phase = .committing }
    }

    /// Records that the transaction was committed, or that an attempt was made.
    func transactionDidMove(_ writer: SQLiteWriter) { state.withLock { $0.transactionDidMove(writer) } }

    /// Rolls the transaction back. Under the lock: others may commit as soon as it has ended, and a reader that sees that
    /// must not be answered as during the transaction.
    func rollBack(_ writer: SQLiteWriter) throws {
        try state.withLock { state in
            // The connection may be idle already, and readers use it, if SQLite has ended the transaction.
            writer.forgetNumbers()
            defer { state.transactionDidMove(writer) }
            try writer.connection.rollback()
        }
    }

    // MARK: The log

    /// Empties the log if nobody needs it. By this connection, because it would take what another one does to the log for a
    /// commit; under the lock, because readers use it, too. Does not wait for others.
    func emptyLog() throws {
        try state.withLock { state in
            guard state.phase == .idle, !state.isLent, let writer = state.writer, !writer.isSpent else { return }
            do {
                try writer.connection.checkpoint(.truncate, waitingAtMost: .zero)
            } catch let failure as SQLiteFailure where failure.isBusy {
                // A reader or another process needs the log.
            } catch {
                writer.note(error)
                throw error
            }
        }
    }

    /// Tells the writer of a failed checkpoint: the log's sync may have failed, so that it is unknown whether its contents
    /// are on disk.
    func noteFailedCheckpoint(_ error: any Error) { state.withLock { $0.writer?.note(error) } }

    // MARK: Readers

    /// Notifies the observer of other processes' commits, for a reader whose connection's change count has changed.
    ///
    /// SQLite may have rolled a transaction back by itself without the desk knowing. An answer given during a transaction is
    /// therefore for one snapshot only.
    ///
    /// - Returns: The status, and whether it also holds for later snapshots with the same change count.
    func tellForeignCommits() throws -> (status: ForeignCommitStatus, isLasting: Bool) {
        let (status, isLasting, wake) = try state.withLock {
            state -> (ForeignCommitStatus, Bool, (@Sendable () -> Void)?) in
            switch state.phase {
            case .writing: return (.told, false, nil)  // 2
            case .committing: return (.toldBeforeCommit, false, nil)  // 3
            case .idle:
                guard let writer = state.writer else { return (.told, true, nil) }
                let status = try state.checkForeignVersion(of: writer, isCommitting: false)
                return (status.isTold ? .told : .untold, status.isTold, status.wake)
            }
        }
        wake?()
        return (status, isLasting)
    }
}

extension WriterDesk.State {
    fileprivate mutating func transactionDidMove(_ writer: SQLiteWriter) {
        // If the writer is already idle, readers may have used it: the changes seen since are not its own.
        if phase == .idle { return }
        phase = writer.connection.isInTransaction ? .writing : .idle
        if phase == .idle { writer.noteOwnChanges() }
    }

    /// **Value.** The result of looking for other processes' commits.
    fileprivate struct ForeignVersionCheck {
        var isTold = true
        var hasFound = false
        var wake: (@Sendable () -> Void)?
    }

    /// Looks for other processes' commits and notifies the observer.
    fileprivate func checkForeignVersion(of writer: SQLiteWriter, isCommitting: Bool) throws -> ForeignVersionCheck {
        guard let found = try writer.foreignVersion() else { return ForeignVersionCheck() }
        var check = ForeignVersionCheck(hasFound: true)
        if let observer {
            check.wake = observer(isCommitting)
            if check.wake == nil { return ForeignVersionCheck(isTold: false) }
        }
        writer.note(found)  // 1
        return check
    }
}
