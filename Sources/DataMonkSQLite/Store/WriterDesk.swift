import DataMonkCore

/// **Shared.** The writing connection: one transaction at a time writes with it, and while it rests readers ask it
/// for the commits of other processes.
///
/// SQLite counts changes for each connection. A reader's count moves with any commit, this process's own among them, so
/// it says only that something may have happened. The writer's `PRAGMA data_version` leaves its own commits out: it
/// answers for the whole process.
///
///     resting --begin--> writing --willCommit--> committing --transactionDidMove--> resting
///                           +------------------rollback, transactionDidMove---------^
///
/// Who uses the connection: the transaction, but for `resting`, where anybody does under the lock. So the log is not
/// moved by this connection (see `Checkpointer`), and the wait for another process's transaction holds no lock.
///
/// Invariants:
/// 1. The observer is told before `writer` notes what was found: who finds nothing new knows that it was told.
/// 2. While `writing`, nobody else commits, and all that others had committed before is told.
/// 3. What others commit after a transaction that is `committing` shows in no snapshot that does not show it, too.
final class WriterDesk: Sendable {
    fileprivate enum Phase {
        case resting, writing, committing
    }

    fileprivate struct State {
        /// `nil` once the store is closed.
        var writer: SQLiteWriter?
        var isLent = false
        var phase = Phase.resting
        var observer: ForeignCommitObserver?
    }

    private let state: Locked<State>

    init(_ writer: SQLiteWriter) {
        state = Locked(State(writer: writer))
    }

    /// Sets who is told of other processes' commits.
    func observe(_ observer: @escaping ForeignCommitObserver) {
        state.withLock { $0.observer = observer }
    }

    // MARK: Lending

    /// Lends the writer to a transaction; `nil` if the store is closed, or another transaction has it.
    func takeWriter() -> SQLiteWriter? {
        state.withLock { state in
            if state.isLent { return nil }
            state.isLent = state.writer != nil
            return state.writer
        }
    }

    func giveBack(_ writer: SQLiteWriter) {
        state.withLock { state in
            state.isLent = false
            if state.writer != nil { state.writer = writer }
        }
    }

    /// Takes another writer in the place of a lent one that is spent.
    func replaceWriter(by writer: SQLiteWriter) {
        state.withLock { if $0.writer != nil { $0.writer = writer } }
    }

    /// Takes the writer for good: the store is being closed.
    func removeWriter() -> SQLiteWriter? {
        state.withLock { state in
            defer { state.writer = nil }
            return state.isLent ? nil : state.writer
        }
    }

    // MARK: A transaction

    /// Begins to write, and tells the observer of what other processes have committed since the writer last looked.
    /// Waits for another process's transaction as long as the connection's busy timeout says.
    ///
    /// - Returns: whether there was anything to tell.
    func begin(_ writer: SQLiteWriter) throws -> Bool {
        let limit = writer.connection.busyTimeout
        var deadline: ContinuousClock.Instant?
        var attempt = 0
        while true {
            do {
                if let hasFound = try tryToBegin(writer) { return hasFound }
            } catch let failure as SQLiteFailure where failure.isBusy {
                // Not in SQLite's own busy handler: the connection is free for those who ask.
                let end = deadline ?? ContinuousClock.now + limit
                deadline = end
                guard ContinuousClock.now < end else { throw failure }
            }
            writer.connection.pauseForOthers(attempt: attempt)
            attempt += 1
        }
    }

    /// Returns `nil` if the observer could not be told.
    private func tryToBegin(_ writer: SQLiteWriter) throws -> Bool? {
        let connection = writer.connection
        let limit = connection.busyTimeout
        let (hasFound, wake) = try state.withLock { state -> (Bool?, (@Sendable () -> Void)?) in
            connection.busyTimeout = .zero
            defer { connection.busyTimeout = limit }
            try connection.begin(.immediate)
            do {
                let status = try state.tell(of: writer, isCommitting: true)
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

    /// The transaction is about to be committed.
    func willCommit() {
        state.withLock { $0.phase = .committing }
    }

    /// The transaction was committed or rolled back, or should have been.
    func transactionDidMove(_ writer: SQLiteWriter) {
        state.withLock { state in
            // Resting already, it may have been asked: what it has seen since is not its own.
            if state.phase == .resting { return }
            state.phase = writer.connection.isInTransaction ? .writing : .resting
            if state.phase == .resting { writer.noteOwnChanges() }
        }
    }

    // MARK: Readers

    /// Tells the observer of what other processes have committed, for a reader whose connection's count has moved.
    func tellForeignCommits() throws -> ForeignCommitStatus {
        let (status, wake) = try state.withLock { state -> (ForeignCommitStatus, (@Sendable () -> Void)?) in
            switch state.phase {
            case .writing: return (.told, nil)  // 2
            case .committing: return (.toldBeforeCommit, nil)  // 3
            case .resting:
                guard let writer = state.writer else { return (.told, nil) }
                let status = try state.tell(of: writer, isCommitting: false)
                return (status.isTold ? .told : .untold, status.wake)
            }
        }
        wake?()
        return status
    }
}

extension WriterDesk.State {
    /// **Value.** The end of a look for other processes' commits.
    fileprivate struct Look {
        var isTold = true
        var hasFound = false
        var wake: (@Sendable () -> Void)?
    }

    /// Looks for other processes' commits, and tells the observer.
    fileprivate func tell(of writer: SQLiteWriter, isCommitting: Bool) throws -> Look {
        guard let found = try writer.foreignVersion() else { return Look() }
        var look = Look(hasFound: true)
        if let observer {
            look.wake = observer(isCommitting)
            if look.wake == nil { return Look(isTold: false) }
        }
        writer.note(found)  // 1
        return look
    }
}
