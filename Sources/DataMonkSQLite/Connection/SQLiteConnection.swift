import CSQLite
package import Foundation

/// **Confined.** A connection to a database file.
///
/// It has one owner at a time: SQLite's own mutexes are off (`SQLITE_OPEN_NOMUTEX`), so a connection may move between
/// threads but must never be used by two at once. ``ReaderPool`` moves readers; the writer belongs to the leader of the
/// commit queue.
///
/// Invariants
/// 1. `database` is open from the end of `init` until `close()`, and only code in this folder sees the pointer.
/// 2. The cache contains no lent and no running statement.
/// 3. `openSavepoints` is the number of savepoints in the open transaction, and 0 outside of one.
/// 4. The C callbacks installed on `database` (busy, trace, log size, read limit, guard) point to objects that this connection
///    retains.
/// 5. The log is that of the file: after the log was opened, the file was still at its path.
package final class SQLiteConnection {
    package let fileURL: URL
    package let options: SQLiteOptions

    /// `nil` while the file is being opened, and once the connection is closed.
    var database: OpaquePointer?
    /// Unchecked: it is only accessed to take and return statements. Neither can reach it recursively, and reads by id do
    /// both for every row.
    @exclusivity(unchecked) var cache: StatementCache
    var openSavepoints = 0
    /// The transactions that stand inside the open one; see `enclosing`.
    var inner = InnerTransaction.none
    /// The failure at which SQLite rolled back the open transaction while `enclosing` ran; `nil` if it did not.
    var fall: SQLiteFailure?
    /// The ``changeCount`` of a snapshot whose foreign commits have already been announced. Maintained by the owner.
    package var toldChangeCount: UInt32?
    let busyHandler: BusyHandler
    let callbackErrors = CallbackErrors()
    let tracer: StatementTracer?
    let logSize = WriteAheadLogSize()
    /// `nil` before the first limited read.
    var readLimit: ReadLimit?
    /// `nil` before the first statement of an application.
    var installedGuard: StatementGuard?

    /// Opens and hardens the file at `fileURL`. A new file gets Core Data's page size and vacuum mode.
    ///
    /// Throws a ``SQLiteFailure`` if the file is not a database, cannot be opened with these options, or stays locked.
    package init(fileURL: URL, options: SQLiteOptions) throws {
        self.fileURL = fileURL
        self.options = options
        cache = StatementCache(capacity: options.statementCacheCapacity)
        busyHandler = BusyHandler(limit: options.busyTimeout)
        tracer = options.trace.map { StatementTracer(trace: $0, label: options.label) }
        try openWaitingForOthers(DatabaseFile(fileURL))
    }

    deinit {
        // Only releases resources. Use `close()` to run a checkpoint and to receive errors.
        releaseDatabase()
    }

    /// Closes the file. The writer first moves its log into the file, as far as readers permit.
    ///
    /// If that fails and the connection is spent, it stays open for `abandon()`, and moves nothing more when it is closed.
    /// Statements that callers still hold keep the file open until they are released. Closing twice has no effect.
    package func close() throws {
        guard database != nil else { return }
        var checkpointError: (any Error)?
        if options.access.canWrite, !isInTransaction {
            do {
                try checkpoint(.truncate, waitingAtMost: .zero)
            } catch let failure as SQLiteFailure where failure.isBusy {
                // Another connection is reading the log. The last one to close completes the checkpoint.
            } catch let failure as SQLiteFailure where failure.spendsConnection {
                skipFinalCheckpoint()
                throw failure
            } catch {
                checkpointError = error
            }
        }
        releaseDatabase()
        if let checkpointError { throw checkpointError }
    }

    /// Closes the file and leaves the log as it is. For a connection whose writes cannot be trusted, or whose files no
    /// longer belong to it.
    func abandon() {
        skipFinalCheckpoint()
        releaseDatabase()
    }

    /// Lets SQLite move nothing from the log when the connection is closed.
    private func skipFinalCheckpoint() {
        if let database { datamonk_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    }

    /// The maximum time a statement waits for another connection's lock.
    package var busyTimeout: Duration {
        get { busyHandler.limit }
        set { busyHandler.limit = newValue }
    }

    /// Tries what the disk does not read once, as long as the connection is open.
    func rememberFailedReads() throws { FailedReads.remember(on: try openDatabase()) }

    /// Returns the open database, for code in this folder.
    func openDatabase() throws -> OpaquePointer {
        guard let database else {
            throw SQLiteFailure(extendedCode: SQLITE_MISUSE, message: "The connection is closed", operation: .run)
        }
        return database
    }

    /// Releases the database. The callbacks are removed first: SQLite keeps the database alive for statements that callers
    /// still hold, but the objects behind the callbacks end with this connection (invariant 4).
    func releaseDatabase() {
        cache.removeAll()
        installedGuard?.queries.removeAll()
        guard let database else { return }
        sqlite3_busy_handler(database, nil, nil)
        sqlite3_trace_v2(database, 0, nil, nil)
        sqlite3_wal_hook(database, nil, nil)
        sqlite3_progress_handler(database, 0, nil, nil)
        sqlite3_set_authorizer(database, nil, nil)
        sqlite3_close_v2(database)
        self.database = nil
    }

    /// Throws the error that SQLite reports as `code`, unless it is `SQLITE_OK`.
    func check(_ code: Int32, operation: SQLiteFailure.Operation, sql: String? = nil) throws {
        guard code != SQLITE_OK else { return }
        var failure = SQLiteFailure(code: code, database: database, operation: operation, sql: sql)
        failure.underlyingError = callbackErrors.take()
        throw failure
    }
}

@available(*, unavailable, message: "A connection has a single owner at a time; borrow one from a ReaderPool")
extension SQLiteConnection: Sendable {}
