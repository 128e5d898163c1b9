import CSQLite
import Foundation

extension SQLiteConnection {
    /// Opens and configures the file. While it is locked, it is opened again and again until the deadline.
    ///
    /// SQLite finds the log by the path of the file, and only once it has a lock on the file. Whoever holds the lock may move
    /// the file, and another file may come in its place: a connection that waited with the first one open would find the log
    /// of the second. So nobody waits with the file open, and it must be at its path once the log is open. Besides, SQLite
    /// reports two connections that wait for each other's read locks as "busy" without calling the busy handler.
    func openWaitingForOthers(_ file: DatabaseFile) throws {
        let deadline = ContinuousClock.now + options.busyTimeout
        busyHandler.limit = .zero
        defer { busyHandler.limit = options.busyTimeout }
        var attempt = 0
        while true {
            do {
                return try openOnce(file)
            } catch let failure as SQLiteFailure where failure.isBusy && ContinuousClock.now < deadline {
                busyHandler.pause(attempt: attempt)
                attempt += 1
            }
        }
    }

    private func openOnce(_ file: DatabaseFile) throws {
        if case .readWriteCreate = options.access { try file.createIfMissing() }
        let database = try Self.open(file, access: options.access)
        self.database = database
        do {
            try configure(database)
            try requireInPlace()
        } catch {
            releaseDatabase()
            throw error
        }
    }

    static func open(_ file: DatabaseFile, access: SQLiteOptions.Access) throws -> OpaquePointer {
        try file.requireRegularFiles()
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        flags |= access.canWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        var name = file.path
        if case .immutable = access {
            flags |= SQLITE_OPEN_URI
            name = URL(fileURLWithPath: file.path).absoluteString + "?immutable=1"
        }
        var database: OpaquePointer?
        let code = sqlite3_open_v2(name, &database, flags, nil)
        guard code == SQLITE_OK, let database else {
            // Even a failed open returns a handle, which holds the reason.
            defer { sqlite3_close_v2(database) }
            throw SQLiteFailure(code: code, database: database, operation: .open)
        }
        return database
    }

    private func configure(_ database: OpaquePointer) throws {
        busyHandler.install(on: database)
        tracer?.install(on: database)
        try harden(database)
        if options.isExclusive { try execute("PRAGMA locking_mode = EXCLUSIVE") }
        // The first read detects a file that is not a database, and one that is locked exclusively.
        let isNew = try int64("PRAGMA page_count") == 0
        guard options.access.canWrite else {
            return try execute("PRAGMA query_only = 1; PRAGMA cache_size = -\(options.pageCacheKiB)")
        }
        guard sqlite3_db_readonly(database, "main") == 0 else {
            // SQLite opens a file without write permission as read-only, and reports it only at the first write.
            throw SQLiteFailure(extendedCode: SQLITE_READONLY, operation: .open, systemError: EACCES)
        }
        if isNew { try execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA encoding = 'UTF-8'") }
        try switchToWriteAheadLog()
        // fullfsync: on Apple platforms a plain fsync leaves data in the disk's cache. No effect elsewhere.
        try execute(
            """
            PRAGMA synchronous = \(options.durability.rawValue); PRAGMA fullfsync = 1;
            PRAGMA cache_size = -\(options.pageCacheKiB); PRAGMA journal_size_limit = 33554432
            """)
        logSize.install(on: database)
    }

    /// Turns off everything that a hostile file could use; see the section on security in the documentation.
    private func harden(_ database: OpaquePointer) throws {
        let flags: [(verb: Int32, value: Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0),
        ]
        for flag in flags {
            try check(datamonk_db_config(database, flag.verb, flag.value), operation: .configure)
        }
        // Checkpoints run between commits, never inside one. Damaged pages must not be followed.
        try execute("PRAGMA wal_autocheckpoint = 0; PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0")
    }

    /// Lets triggers write to virtual tables, which a connection without trust in the schema refuses: SQLite does not count
    /// FTS5 as harmless. For a file with full-text indexes, after all of its triggers and tables were compared with
    /// what belongs there. What else the trust permits is turned off above.
    package func permitIndexingTriggers() throws {
        try check(datamonk_db_config(openDatabase(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1), operation: .configure)
    }

    /// Lets statements change what SQLite keeps for itself: the tables beneath virtual tables, and the schema. A full-text index
    /// can only be dropped if all of its tables are there.
    package func permitInternalTables() throws {
        try check(datamonk_db_config(openDatabase(), SQLITE_DBCONFIG_DEFENSIVE, 0), operation: .configure)
    }

    /// Refuses again what ``permitInternalTables()`` permits.
    func refuseInternalTables() throws {
        try check(datamonk_db_config(openDatabase(), SQLITE_DBCONFIG_DEFENSIVE, 1), operation: .configure)
    }

    private func switchToWriteAheadLog() throws {
        // To its end, which writes the new mode into the file: an error there would be lost, and the store opened without a
        // log.
        let mode = try withStatement("PRAGMA journal_mode = WAL") { try $0.rows { $0.text(at: 0) } }.first
        guard mode == "wal" else {
            throw SQLiteFailure(
                extendedCode: SQLITE_CANTOPEN,
                message: "the write-ahead log needs shared memory, which this volume does not support",
                operation: .configure)
        }
    }
}
