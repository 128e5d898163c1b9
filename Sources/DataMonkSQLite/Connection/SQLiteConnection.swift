import CSQLite
package import Foundation

/// **Confined.** An open database file.
///
/// One owner at a time: SQLite's own mutexes are off (`SQLITE_OPEN_NOMUTEX`), so a connection may move between threads
/// but never be used by two at once. ``ReaderPool`` moves readers; the writer belongs to the commit queue's leader.
///
/// Invariants
/// 1. `database` is open from the end of `init` until `close()`, and only code in this folder sees the pointer.
/// 2. The cache holds no lent and no running statement.
/// 3. `openSavepoints` counts the savepoints of the open transaction; it is 0 outside of one.
/// 4. The C callbacks installed on `database` (busy, trace, log size, read limit) point to objects that this connection retains.
package final class SQLiteConnection {
    package let fileURL: URL
    package let options: SQLiteOptions

    /// `nil` once closed.
    var database: OpaquePointer?
    /// Unchecked: only taking and giving back reach it, which call nothing that could reach it again, and by-id reads
    /// do both for every row.
    @exclusivity(unchecked) var cache: StatementCache
    var openSavepoints = 0
    /// ``changeCount`` at a snapshot of which others know what other processes have committed in it. For the owner's use.
    package var toldChangeCount: UInt32?
    let busyHandler: BusyHandler
    let callbackErrors = CallbackErrors()
    let tracer: StatementTracer?
    let logSize = WriteAheadLogSize()
    /// There once a limited read has run.
    var readLimit: ReadLimit?

    /// Opens and hardens the file at `fileURL`; a new one gets Core Data's page size and vacuum mode.
    ///
    /// Throws a ``SQLiteFailure`` when it is no database, cannot be opened in this way, or stays locked.
    package init(fileURL: URL, options: SQLiteOptions) throws {
        self.fileURL = fileURL
        self.options = options
        cache = StatementCache(capacity: options.statementCacheCapacity)
        busyHandler = BusyHandler(limit: options.busyTimeout)
        tracer = options.trace.map { StatementTracer(trace: $0, label: options.label) }
        let file = try DatabaseFile(fileURL)
        if case .readWriteCreate = options.access { try file.createIfMissing() }
        let database = try Self.open(file, access: options.access)
        self.database = database
        do {
            try configure(database)
        } catch {
            releaseDatabase()
            throw error
        }
    }

    deinit {
        // Release only: `close()` is the way to end with a checkpoint and to hear of errors.
        releaseDatabase()
    }

    /// Closes the file; the writer first moves its log into the file, as far as readers let it.
    ///
    /// Statements that callers still keep hold the file open until they are released. Closing twice is nothing.
    package func close() throws {
        guard database != nil else { return }
        var checkpointError: (any Error)?
        if options.access.canWrite, !isInTransaction {
            do {
                try checkpoint(.truncate, waitingAtMost: .zero)
            } catch let failure as SQLiteFailure where failure.isBusy {
                // Another connection reads the log: the last one to close finishes this.
            } catch {
                checkpointError = error
            }
        }
        releaseDatabase()
        if let checkpointError { throw checkpointError }
    }

    /// Closes the file and leaves the log as it is: for a connection whose writes are not to be trusted, or whose files are
    /// not its own any more.
    func abandon() {
        guard let database else { return }
        datamonk_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        releaseDatabase()
    }

    package var isClosed: Bool { database == nil }

    /// How long a statement waits for another connection's lock.
    package var busyTimeout: Duration {
        get { busyHandler.limit }
        set { busyHandler.limit = newValue }
    }

    /// The open database, for the calls of this folder.
    func openDatabase() throws -> OpaquePointer {
        guard let database else {
            throw SQLiteFailure(extendedCode: SQLITE_MISUSE, message: "The connection is closed", operation: .run)
        }
        return database
    }

    /// Gives up the database. The callbacks go first: SQLite keeps it alive for statements that callers still hold, and
    /// the objects behind the callbacks end with this connection (invariant 4).
    private func releaseDatabase() {
        cache.removeAll()
        guard let database else { return }
        sqlite3_busy_handler(database, nil, nil)
        sqlite3_trace_v2(database, 0, nil, nil)
        sqlite3_wal_hook(database, nil, nil)
        sqlite3_progress_handler(database, 0, nil, nil)
        sqlite3_close_v2(database)
        self.database = nil
    }

    /// Throws what SQLite reports as `code`, unless it is `SQLITE_OK`.
    func check(_ code: Int32, _ operation: SQLiteFailure.Operation, sql: String? = nil) throws {
        guard code != SQLITE_OK else { return }
        var failure = SQLiteFailure(code: code, database: database, operation: operation, sql: sql)
        failure.underlyingError = callbackErrors.take()
        throw failure
    }
}

@available(*, unavailable, message: "A connection belongs to one owner; take one from a ReaderPool")
extension SQLiteConnection: Sendable {}
