import CSQLite
import DataMonkCore
import Foundation
import Synchronization

/// **Shared.** Watches the files of an open store, and detects when one of them was moved, deleted or replaced.
///
/// A database in WAL mode consists of three files that SQLite finds by name: the database, its log (`-wal`) and the index of
/// the log (`-shm`). Open connections keep using the files they opened, whatever the names refer to by then. A commit would
/// go into a file that nobody finds again, and a new connection would apply the old log to the new database.
///
/// ```
/// standing --a file is missing or replaced--> failed      permanently: only closing the store ends it
/// ```
/// The files are checked as follows: the database after each BEGIN IMMEDIATE (by the connection itself, before anything is
/// written), the database and the log after each COMMIT (before it is acknowledged), all three before and after a connection
/// is opened, and all three at most every 100 ms while the store is read or written.
///
/// The first two are skipped while the folder has the time at which the files were last in place: an `fstat` of an open
/// descriptor costs a third of a path look-up. It does not tell that a folder above has got another name. Then database and
/// log have moved together; what is committed during the next 100 ms is in them, as if committed before. The first is also
/// skipped within the clock step of the last COMMIT's check: a file moved since then is found after the next COMMIT.
///
/// Invariants
/// 1. `failure` is set once and never cleared. From then on, every check throws it.
/// 2. `checkedAt` is in the past, and in the distant past once `failure` is set.
/// 3. `committedAt` is the time of a check that found the files in place.
final class StoreFiles: Sendable {
    private struct File: Sendable {
        /// The suffix after the database's name: empty, `-wal` or `-shm`.
        let suffix: String
        let path: String
        /// `nil` if the file did not exist when the store was opened.
        let identity: FileIdentity?
    }

    private let url: URL
    private let database: File
    private let log: File
    private let index: File
    private let failure = Locked<StoreError?>(nil)
    private let checkedAt: Atomic<Int64>
    /// The folder's descriptor; -1 if the path is a link, because the log then lies in a folder other than the link's.
    private let folder: Int32
    /// The folder's modification time when all files were last in place; 0 while it is too recent to distinguish a later
    /// change.
    private let folderTime = Atomic<Int64>(0)
    /// The time at which the check after a COMMIT last found the files in place.
    private let committedAt = Atomic<Int64>(StoreFiles.never)
    private static let never = Int64.min / 2

    /// Records the files that a connection has just opened.
    ///
    /// - Throws: ``SQLiteFailure`` if they were moved meanwhile.
    init(of connection: SQLiteConnection) throws {
        url = connection.fileURL
        // SQLite resolves links once, when it opens the file. The log lies beside the file that it found.
        let path = connection.resolvedPath ?? url.path
        database = File(suffix: "", path: url.path, identity: try FileIdentity(ofFileAt: url.path))
        // The identity is that of the connection's file only if the file was not moved in the meantime.
        try connection.requireInPlace()
        let usesLog = connection.options.access.usesLog
        func companion(_ suffix: String) -> File {
            // Reason for try?: the file may not exist, and then there is nothing to watch.
            let identity = usesLog ? try? FileIdentity(ofFileAt: path + suffix) : nil
            return File(suffix: suffix, path: path + suffix, identity: identity)
        }
        log = companion("-wal")
        index = companion("-shm")
        checkedAt = Atomic(Self.now)
        // A folder has no locks, so closing a descriptor of it drops none.
        folder =
            path == url.path
            ? Foundation.open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
    }

    deinit {
        if folder >= 0 { Foundation.close(folder) }
    }

    /// Checks the files if the last check was more than 100 ms ago, or if the store has failed. Called before each snapshot
    /// and transaction.
    @inline(__always)
    func checkFromTimeToTime() throws {
        if Self.now - checkedAt.load(ordering: .relaxed) > 100 { try check([database, log, index]) }
    }

    /// Checks all files now. Called before and after a connection is opened.
    @inline(never)
    func checkAll() throws { try check([database, log, index]) }

    /// Checks, after COMMIT, that the commit is where the next program will look for it.
    ///
    /// A file that cannot be examined is no reason to fail a commit that is on disk.
    func checkCommitted() throws {
        let time = timeOfFolder
        let now = Self.now
        if !isKnown(time) {
            for file in [database, log] where state(of: file).isElsewhere { try check([file]) }
            // The clock of file times advances in steps of a few milliseconds: a change within this step would get the
            // same time.
            folderTime.store(Self.fileClock > time ? time : 0, ordering: .relaxed)
        }
        committedAt.store(now, ordering: .relaxed)
    }

    /// A Boolean value indicating whether a transaction may begin without looking for the database: it was in place a moment
    /// ago, or nothing in the folder has been created, removed or renamed since.
    var isKnownInPlace: Bool { committedAt.load(ordering: .relaxed) == Self.now || isKnown(timeOfFolder) }

    private func isKnown(_ time: Int64) -> Bool { time != 0 && time == folderTime.load(ordering: .relaxed) }

    /// The time at which an entry of the folder, or the folder's own name, last changed, in nanoseconds; 0 if unknown.
    private var timeOfFolder: Int64 {
        var status = stat()
        guard folder >= 0, fstat(folder, &status) == 0 else { return 0 }
        #if os(Linux)
            return status.st_ctim.nanoseconds
        #else
            return status.st_ctimespec.nanoseconds
        #endif
    }

    /// The time that a file would get if it were changed now, in nanoseconds.
    private static var fileClock: Int64 {
        #if os(Linux)
            return timespec(CLOCK_REALTIME_COARSE).nanoseconds
        #else
            return timespec(CLOCK_REALTIME).nanoseconds
        #endif
    }

    /// A Boolean value indicating whether the log or its index may belong to another store. Then none of our commits may be
    /// moved from the log to the database.
    var hasForeignLog: Bool {
        [log, index].contains { file in
            if case .replaced = state(of: file) { return true }
            return false
        }
    }

    /// The error that the store failed with; `nil` if it has not failed.
    var knownFailure: StoreError? { failure.withLock { $0 } }

    // MARK: Checks

    private enum State {
        case inPlace, missing, replaced
        /// The state is unknown because the system reported an error.
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
                throw SQLiteFailure.system(
                    code, doing: "The attributes of “\(file.path)” could not be read", operation: .open)
            case .missing: throw fail(StoreError.movedFile(url, suffix: file.suffix, isReplaced: false))
            case .replaced: throw fail(StoreError.movedFile(url, suffix: file.suffix, isReplaced: true))
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

    /// The time in milliseconds, accurate to a few of them. This clock costs no more than a read from memory.
    private static var now: Int64 {
        #if os(Linux)
            return timespec(CLOCK_MONOTONIC_COARSE).nanoseconds / 1_000_000
        #else
            return timespec(CLOCK_MONOTONIC_RAW_APPROX).nanoseconds / 1_000_000
        #endif
    }
}

extension timespec {
    /// The time of a clock.
    fileprivate init(_ clock: clockid_t) {
        self.init()
        clock_gettime(clock, &self)
    }

    fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}

extension StoreError {
    /// The error for a database file, log or log index that is not at its path.
    static func movedFile(_ url: URL, suffix: String, isReplaced: Bool) -> StoreError {
        let file = url.lastPathComponent
        let event = isReplaced ? "was replaced by another file" : "was moved or deleted"
        let message =
            suffix.isEmpty
            ? """
            “\(file)” \(event) while it was open, so it is no longer read or written. Close the stack, put the right \
            file at \(url.path), and open it with a new Stack.
            """
            : """
            “\(file)\(suffix)”, which belongs to the open store “\(file)”, \(event), so the store is no longer read \
            or written. Close the stack, which saves as much of the log as possible, and open the store with a new \
            Stack.
            """
        return StoreError(.fileMoved, message, storeURL: url)
    }
}
