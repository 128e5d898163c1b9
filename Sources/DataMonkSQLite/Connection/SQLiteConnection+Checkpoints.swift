import CSQLite
import Foundation

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

    /// Moves the log into the file. Between the writer's transactions, under the lock of the commit queue.
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
    ///
    /// - Parameter other: makes the checkpoint by another connection; `nil` for this one.
    @discardableResult
    package func checkpointIfDue(by other: (() throws -> CheckpointResult)? = nil) throws -> CheckpointResult? {
        guard logSize.pagesSinceTried >= options.checkpointInterval else { return nil }
        let result: CheckpointResult
        do {
            result = try other?() ?? checkpoint(.passive)
        } catch {
            // Not again after each commit: when the log has grown by the interval once more.
            logSize.didMove(all: false)
            throw error
        }
        // All moved: the next commit begins the log anew and sets the count. If not, a reader is in the way. A try flushes
        // two files, whatever it moves: with one a commit, commits beside a busy reader took five times as long.
        logSize.didMove(all: result.logPages == result.movedPages)
        return result
    }

    /// Writes the log once more as it reads, and syncs it: for a new writer after a failed sync.
    ///
    /// The system may hold pages of the log for clean that never reached the disk. A sync would not write them; what is
    /// written anew it does. To be called in a write transaction, while nobody appends.
    func rewriteLog() throws {
        precondition(isInTransaction, "The log is rewritten under the writer's lock")
        guard let path = resolvedPath.map({ $0 + "-wal" }) else { return }
        // A log of its own has no locks: closing a descriptor of it drops none.
        let file = Foundation.open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw failedRewrite(path) }
        defer { Foundation.close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var place: off_t = 0
        while true {
            let count = pread(file, &bytes, bytes.count, place)
            if count == 0 { break }
            guard count > 0, pwrite(file, bytes, count, place) == count else { throw failedRewrite(path) }
            place += off_t(count)
        }
        guard fsync(file) == 0 else { throw failedRewrite(path) }
    }

    private func failedRewrite(_ path: String) -> SQLiteFailure {
        let code = errno
        return SQLiteFailure(
            extendedCode: SQLITE_IOERR | (4 << 8), message: "“\(path)”: \(describeSystemError(code))",
            operation: .checkpoint, systemError: code)
    }

    /// Leaves the file of the log alone when the connection is closed. For a database that is about to be moved: SQLite
    /// would remove the file at the old place, where another database may be by then.
    package func keepLogOnClosing() throws {
        var isOn: Int32 = 1
        try check(sqlite3_file_control(openDatabase(), "main", SQLITE_FCNTL_PERSIST_WAL, &isOn), .configure)
    }

    /// Pages in the log after this connection's last commit.
    package var logPages: Int { logSize.pages }
}
