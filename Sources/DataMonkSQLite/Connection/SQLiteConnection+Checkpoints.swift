import CSQLite
import DataMonkCore
import Foundation

/// **Confined.** The size of the write-ahead log after this connection's last commit, in pages, and its growth since the
/// last checkpoint.
final class WriteAheadLogSize {
    fileprivate(set) var pages = 0 {
        // The log has started over.
        didSet { if pages < triedAt { triedAt = 0 } }
    }
    /// The number of pages when a checkpoint last had to leave some in the log.
    private var triedAt = 0

    /// The number of pages added since the last checkpoint attempt.
    fileprivate var pagesSinceTried: Int { pages - triedAt }

    fileprivate func didMove(all: Bool) {
        if all { pages = 0 } else { triedAt = pages }
    }

    /// Installs the hook, which must outlive `database`. It replaces SQLite's automatic checkpoint.
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
        /// Moves the pages that no reader needs any more, without waiting.
        case passive
        /// Moves all pages, waiting for readers, and truncates the log file.
        case truncate
    }

    package struct CheckpointResult: Equatable, Sendable {
        /// The number of pages in the log.
        package var logPages: Int
        /// The number of those pages that are now in the database file.
        package var movedPages: Int
    }

    /// Moves the log into the database file. Called between the writer's transactions, under the commit queue's lock.
    ///
    /// `.passive` moves what it can and does not throw if readers are in the way. `.truncate` throws busy at the deadline.
    @discardableResult
    package func checkpoint(
        _ mode: CheckpointMode, waitingAtMost limit: Duration? = nil
    ) throws -> CheckpointResult {
        let database = try openDatabase()
        precondition(!isInTransaction, "A checkpoint cannot run inside a transaction")
        let usual = busyHandler.limit
        busyHandler.limit = limit ?? usual
        defer { busyHandler.limit = usual }
        let verb = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        var logPages: Int32 = 0
        var movedPages: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(database, "main", verb, &logPages, &movedPages)
        // A checkpoint by another connection serves as well.
        if mode != .passive || code != SQLITE_BUSY { try check(code, operation: .checkpoint) }
        if mode == .truncate { logSize.didMove(all: true) }
        return CheckpointResult(logPages: max(0, Int(logPages)), movedPages: max(0, Int(movedPages)))
    }

    /// Runs a passive checkpoint if the log has grown by the checkpoint interval since the last one, and returns `nil`
    /// otherwise.
    ///
    /// - Parameter other: Runs the checkpoint on another connection; `nil` to run it on this one.
    @discardableResult
    package func checkpointIfDue(by other: (() throws -> CheckpointResult)? = nil) throws -> CheckpointResult? {
        guard logSize.pagesSinceTried >= options.checkpointInterval else { return nil }
        let result: CheckpointResult
        do {
            result = try other?() ?? checkpoint(.passive)
        } catch {
            // Do not retry after every commit, but when the log has grown by the interval again.
            logSize.didMove(all: false)
            throw error
        }
        // If all pages were moved, the next commit starts the log over and sets the count. If not, a reader is in the way.
        // Every attempt syncs two files whatever it moves: with one attempt per commit, commits beside a busy reader took
        // five times as long.
        logSize.didMove(all: result.logPages == result.movedPages)
        return result
    }

    /// Rewrites the log with the contents it reads back, and syncs it. For a new writer after a failed sync.
    ///
    /// The system may consider pages of the log clean although they never reached the disk. A sync would skip them, but it
    /// writes pages that were written anew. Must be called inside a write transaction, so that nobody appends to the log.
    func rewriteLog() throws {
        precondition(isInTransaction, "The log can only be rewritten by the holder of the write lock")
        guard let path = resolvedPath.map({ $0 + "-wal" }) else { return }
        let files = SystemFileCalls.inUse.withLock { $0 }
        // SQLite takes no locks on the log file, so closing a descriptor of it drops none. Two descriptors: each has its
        // place in the file.
        let source = files.open(path, in: AT_FDCWD, O_RDONLY | O_CLOEXEC, mode: 0)
        guard source >= 0 else { throw failedRewrite(path) }
        defer { files.close(source) }
        let target = files.open(path, in: AT_FDCWD, O_WRONLY | O_CLOEXEC, mode: 0)
        guard target >= 0 else { throw failedRewrite(path) }
        defer { files.close(target) }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { bytes.deallocate() }
        while true {
            let count = files.read(source, into: bytes)
            if count == 0 { break }
            guard count > 0,
                files.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: target) == count
            else { throw failedRewrite(path) }
        }
        guard files.synchronize(target) == 0 else { throw failedRewrite(path) }
    }

    /// Writes a page without changing its contents. The open transaction then has a frame in the log: it overwrites the first
    /// frame of a failed commit behind the end of the log, on whose checksum all further ones depend.
    ///
    /// An `UPDATE` that sets a value to itself would not do: SQLite compares the bytes, and writes nothing.
    func writeFirstPage() throws {
        let version = try int64("PRAGMA user_version")
        try execute("PRAGMA user_version = \(version)")
    }

    private func failedRewrite(_ path: String) -> SQLiteFailure {
        let code = errno
        return SQLiteFailure(
            extendedCode: SQLITE_IOERR | (4 << 8), message: "“\(path)”: \(describeSystemError(code))",
            operation: .checkpoint, systemError: code)
    }

    /// Keeps the log file when the connection is closed. For a database that is about to be moved: SQLite would remove the
    /// log at the old path, which may belong to another database by then.
    package func keepLogOnClosing() throws {
        var isOn: Int32 = 1
        try check(sqlite3_file_control(openDatabase(), "main", SQLITE_FCNTL_PERSIST_WAL, &isOn), operation: .configure)
    }

    /// The number of pages in the log after this connection's last commit.
    package var logPages: Int { logSize.pages }
}
