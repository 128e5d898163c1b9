import CSQLite
import DataMonkCore
import Foundation
import Synchronization

/// **Shared.** The files behind an open store: notices when one of them was moved, deleted or replaced.
///
/// A database in WAL mode is three files that SQLite finds by name: the database, its log (`-wal`) and the index of the log
/// (`-shm`). The open connections go on with the files they opened, whatever lies under the names by then. A commit would
/// go into a file that nobody finds again, and a new connection would lay the old log over the new database.
///
/// ```
/// standing --a file is gone, or another one--> failed      for good: only closing the store ends it
/// ```
/// Checked are: the database after each BEGIN IMMEDIATE (by the connection itself, before anything is written), the
/// database and the log after each COMMIT (before it is acknowledged), all three before and after a connection opens, and
/// at most every 100 ms while somebody reads or writes.
///
/// Invariants
/// 1. `failure` is set once and never cleared; from then on every check throws it.
/// 2. `checkedAt` is in the past, and long ago once `failure` is set.
final class StoreFiles: Sendable {
    private struct File: Sendable {
        /// The name behind the database's: empty, `-wal` or `-shm`.
        let suffix: String
        let path: String
        /// `nil` if there was no such file when the store was opened.
        let identity: FileIdentity?
    }

    private let url: URL
    private let database: File
    private let log: File
    private let index: File
    private let failure = Locked<StoreError?>(nil)
    private let checkedAt: Atomic<Int64>
    /// The folder's descriptor; -1 behind a link, where the log lies in another folder than the name.
    private let folder: Int32
    /// The folder's time of change when all was in place; 0 while that is too young to tell a later change from it.
    private let folderTime = Atomic<Int64>(0)
    private static let never = Int64.min / 2

    /// The files that a connection has just opened.
    ///
    /// - Throws: ``SQLiteFailure`` if they were moved while it did.
    init(of connection: SQLiteConnection) throws {
        url = connection.fileURL
        // SQLite follows links once, when it opens; the log lies beside the file that it found.
        let path = connection.resolvedPath ?? url.path
        database = File(suffix: "", path: url.path, identity: try FileIdentity(ofFileAt: url.path))
        // The identity is that of the connection's file only if nobody has moved that meanwhile.
        try connection.requireInPlace()
        let usesLog = connection.options.access.usesLog
        func companion(_ suffix: String) -> File {
            // Reason for try?: there need be none, and then there is nothing to watch.
            let identity = usesLog ? try? FileIdentity(ofFileAt: path + suffix) : nil
            return File(suffix: suffix, path: path + suffix, identity: identity)
        }
        log = companion("-wal")
        index = companion("-shm")
        checkedAt = Atomic(Self.now)
        // A folder has no locks: closing a descriptor of it drops none.
        folder =
            path == url.path
            ? Foundation.open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
    }

    deinit {
        if folder >= 0 { Foundation.close(folder) }
    }

    /// Before each snapshot and transaction: looks at the files if nobody has for 100 ms, or if the store has failed.
    @inline(__always)
    func checkFromTimeToTime() throws {
        if Self.now - checkedAt.load(ordering: .relaxed) > 100 { try check([database, log, index]) }
    }

    /// Looks at all files now: before and after a connection is opened.
    @inline(never)
    func checkAll() throws { try check([database, log, index]) }

    /// After COMMIT: what was committed must lie where the next program looks for it.
    ///
    /// A file that cannot be looked at is no reason to deny a commit that is on disk. While the folder has not changed since
    /// the files were last in place, they are: that costs one `fstat` instead of two walks along a path.
    func checkCommitted() throws {
        let time = timeOfFolder
        if time != 0, time == folderTime.load(ordering: .relaxed) { return }
        for file in [database, log] where state(of: file).isElsewhere { try check([file]) }
        // The system's clock for files moves by a few milliseconds: another change may come to have the same time.
        folderTime.store(Self.fileClock - time > 50_000_000 ? time : 0, ordering: .relaxed)
    }

    /// When a name in the folder, or the folder's own, last changed, in nanoseconds; 0 if nobody knows.
    private var timeOfFolder: Int64 {
        var status = stat()
        guard folder >= 0, fstat(folder, &status) == 0 else { return 0 }
        #if os(Linux)
            let time = status.st_ctim
        #else
            let time = status.st_ctimespec
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static var fileClock: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether the log and its index may be somebody else's: then nothing of ours may be moved from one to the other.
    var hasForeignLog: Bool {
        [log, index].contains { file in
            if case .replaced = state(of: file) { return true }
            return false
        }
    }

    /// The error with which the store failed; `nil` while it stands.
    var knownFailure: StoreError? { failure.withLock { $0 } }

    // MARK: Looking

    private enum State {
        case inPlace, missing, replaced
        /// The system's error: nobody knows.
        case unknown(Int32)

        var isElsewhere: Bool {
            switch self {
            case .missing, .replaced: true
            case .inPlace, .unknown: false
            }
        }
    }

    private func state(of file: File) -> State {
        guard let identity = file.identity else { return .inPlace }
        do {
            return try FileIdentity(ofFileAt: file.path) == identity ? .inPlace : .replaced
        } catch let failure {
            return failure.systemError == ENOENT || failure.systemError == ENOTDIR
                ? .missing : .unknown(failure.systemError)
        }
    }

    @inline(never)
    private func check(_ files: [File]) throws {
        if let known = knownFailure { throw known }
        for file in files {
            switch state(of: file) {
            case .inPlace: continue
            case .unknown(let code):
                throw SQLiteFailure.system(code, doing: "“\(file.path)” cannot be looked at", operation: .open)
            case .missing: throw fail(StoreError.movedFile(url, file.suffix, isReplaced: false))
            case .replaced: throw fail(StoreError.movedFile(url, file.suffix, isReplaced: true))
            }
        }
        checkedAt.store(Self.now, ordering: .relaxed)
    }

    private func fail(_ error: StoreError) -> StoreError {
        checkedAt.store(Self.never, ordering: .relaxed)
        return failure.withLock { failure in
            failure = failure ?? error
            return failure ?? error
        }
    }

    /// Milliseconds, to a few of them: a clock that costs no more than reading it from memory.
    private static var now: Int64 {
        #if os(Linux)
            let clock = CLOCK_MONOTONIC_COARSE
        #else
            let clock = CLOCK_MONOTONIC_RAW_APPROX
        #endif
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension StoreError {
    /// The database file, its log or the index of the log is not where it was.
    static func movedFile(_ url: URL, _ suffix: String, isReplaced: Bool) -> StoreError {
        let file = url.lastPathComponent
        let event = isReplaced ? "was replaced by another file" : "was moved or deleted"
        let message =
            suffix.isEmpty
            ? """
            “\(file)” \(event) while it was open. Nothing more is read or written. Close the stack, put the file that is \
            wanted at \(url.path), and open it with a new Stack.
            """
            : """
            “\(file)\(suffix)”, which belongs to the open store “\(file)”, \(event). Nothing more is read or written. Close \
            the stack, which saves what the log holds as far as it can, and open the store with a new Stack.
            """
        return StoreError(.fileMoved, message, storeURL: url)
    }
}
