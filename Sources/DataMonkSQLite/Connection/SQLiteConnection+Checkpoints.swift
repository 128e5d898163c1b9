import CSQLite

/// **Confined.** The pages in the write-ahead log after this connection's last commit, and when they are worth moving.
final class WriteAheadLogSize {
    fileprivate(set) var pages = 0 {
        // The log has begun anew.
        didSet { if pages < triedAt { triedAt = 0 } }
    }
    /// How many there were when a checkpoint last left some of them behind.
    private var triedAt = 0

    /// How many have come since a checkpoint was tried.
    fileprivate var pagesSinceTried: Int { pages - triedAt }

    fileprivate func didMove(all: Bool) {
        if all { pages = 0 } else { triedAt = pages }
    }

    /// Installs it; it must outlive `database`. Takes the place of SQLite's automatic checkpoint.
    func install(on database: OpaquePointer) {
        sqlite3_wal_hook(
            database,
            { size, _, _, pages in
                guard let size else { return SQLITE_OK }
                Unmanaged<WriteAheadLogSize>.fromOpaque(size).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

extension SQLiteConnection {
    package enum CheckpointMode: Sendable {
        /// Moves what no reader needs any more; waits for nobody.
        case passive
        /// Moves all, waiting for readers, and empties the log file.
        case truncate
    }

    package struct CheckpointResult: Equatable, Sendable {
        /// Pages in the log.
        package var logPages: Int
        /// Those that are in the file now.
        package var movedPages: Int
    }

    /// Moves the log into the file. For the writer, between its transactions, under the lock of the commit queue.
    ///
    /// `.passive` moves what it can and does not throw for readers; `.truncate` throws busy at the deadline.
    @discardableResult
    package func checkpoint(
        _ mode: CheckpointMode, waitingAtMost limit: Duration? = nil
    ) throws -> CheckpointResult {
        let database = try openDatabase()
        precondition(!isInTransaction, "A checkpoint stands between transactions, never inside one")
        let usual = busyHandler.limit
        busyHandler.limit = limit ?? usual
        defer { busyHandler.limit = usual }
        let verb = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        var logPages: Int32 = 0
        var movedPages: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(database, "main", verb, &logPages, &movedPages)
        // Another connection's checkpoint is as good as ours.
        if mode != .passive || code != SQLITE_BUSY { try check(code, .checkpoint) }
        if mode == .truncate { logSize.didMove(all: true) }
        return CheckpointResult(logPages: max(0, Int(logPages)), movedPages: max(0, Int(movedPages)))
    }

    /// A passive checkpoint when the log has grown by the interval of the options since the last one; `nil` when it has
    /// not.
    @discardableResult
    package func checkpointIfDue() throws -> CheckpointResult? {
        guard logSize.pagesSinceTried >= options.checkpointInterval else { return nil }
        let result = try checkpoint(.passive)
        // All moved: the next commit begins the log anew and sets the count. If not, a reader is in the way. A try flushes
        // two files, whatever it moves: with one a commit, commits beside a busy reader took five times as long.
        logSize.didMove(all: result.logPages == result.movedPages)
        return result
    }

    /// Pages in the log after this connection's last commit.
    package var logPages: Int { logSize.pages }
}
