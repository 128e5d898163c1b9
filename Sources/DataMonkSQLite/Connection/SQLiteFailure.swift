import CSQLite
import Foundation

/// **Value.** An error reported by SQLite, as the connection layer throws it.
///
/// The store turns it into a ``StoreError`` before users see it. `sql` is the text with placeholders: bound values are never
/// part of a failure.
package struct SQLiteFailure: Error, Sendable {
    /// The operation that failed.
    package enum Operation: String, Sendable {
        case open, configure, prepare, bind, run, transaction, checkpoint, copy, register, close
    }

    /// SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`.
    package var extendedCode: Int32
    /// SQLite's error message, in English.
    package var message: String
    package var operation: Operation
    package var sql: String?
    /// The `errno` of the system call that failed; 0 if none did.
    package var systemError: Int32
    /// The error thrown by one of our custom functions or collations.
    package var underlyingError: (any Error)?

    /// The low byte of the extended code, such as `SQLITE_CONSTRAINT`.
    package var primaryCode: Int32 { extendedCode & 0xff }

    package init(
        extendedCode: Int32, message: String? = nil, operation: Operation, sql: String? = nil, systemError: Int32 = 0,
        underlyingError: (any Error)? = nil
    ) {
        self.extendedCode = extendedCode
        self.message = message ?? String(cString: sqlite3_errstr(extendedCode))
        self.operation = operation
        self.sql = sql
        self.systemError = systemError
        self.underlyingError = underlyingError
    }

    /// Creates the failure that `database` has just reported as `code`. Call it before any other call on the connection.
    init(code: Int32, database: OpaquePointer?, operation: Operation, sql: String? = nil) {
        // SQLite keeps the extended code and the message for each connection, but for the last call only. A code from an
        // earlier call, or one of ours, gets the general message for its number.
        let latest = database.map(sqlite3_extended_errcode) ?? code
        let isLatest = latest & 0xff == code & 0xff
        if code & 0xff == SQLITE_CORRUPT, let database, let systemError = Self.diskError(of: database) {
            self.init(extendedCode: Self.failedDisk, operation: operation, sql: sql, systemError: systemError)
            return
        }
        self.init(
            extendedCode: isLatest ? latest : code,
            message: isLatest ? database.map { String(cString: sqlite3_errmsg($0)) } : nil,
            operation: operation, sql: sql,
            systemError: isLatest ? database.map(sqlite3_system_errno) ?? 0 : 0)
    }
}

extension SQLiteFailure {
    /// SQLITE_IOERR_CORRUPTFS: the disk failed. A statement that runs into it reports a damaged file.
    static let failedDisk: Int32 = SQLITE_IOERR | (33 << 8)

    /// Returns the system's error behind a page that SQLite reports as damaged, if the disk failed rather than the page;
    /// otherwise `nil`.
    private static func diskError(of database: OpaquePointer) -> Int32? {
        let codes = [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER].map { pointer -> Int32 in
            var file: UnsafeMutablePointer<sqlite3_file>?
            var code: Int32 = 0
            guard sqlite3_file_control(database, nil, pointer, &file) == SQLITE_OK, let file,
                let control = file.pointee.pMethods?.pointee.xFileControl,
                control(file, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK
            else { return 0 }
            return code
        }
        return codes.first { $0 == EIO || $0 == ENXIO }
    }
}

extension SQLiteFailure: CustomStringConvertible {
    package var description: String {
        var text = "SQLite \(extendedCode) on \(operation.rawValue): \(message)"
        if let sql { text += " [\(sql)]" }
        if let underlyingError { text += " [cause: \(underlyingError)]" }
        return text
    }
}

extension SQLiteFailure {
    /// Creates a failure for a file outside SQLite's control that could not be created or opened.
    static func system(_ code: Int32, doing what: String, operation: Operation) -> SQLiteFailure {
        SQLiteFailure(
            extendedCode: SQLITE_CANTOPEN, message: "\(what): \(describeSystemError(code))", operation: operation,
            systemError: code)
    }

    /// A Boolean value indicating whether another connection held a lock until the deadline.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// SQLITE_READONLY_DBMOVED: the path now names another file, or none. (Swift does not import the macro.)
    static let moved: Int32 = SQLITE_READONLY | (4 << 8)

    /// A Boolean value indicating whether the file was moved, deleted or replaced while the connection was open.
    var isMoved: Bool { extendedCode == Self.moved }

    /// A Boolean value indicating whether a sync failed. The system may by now consider the pages clean that it could not
    /// write, and the next sync would succeed without them.
    package var isFailedSync: Bool {
        // SQLITE_IOERR_FSYNC, _DIR_FSYNC
        primaryCode == SQLITE_IOERR && [4, 5].contains(extendedCode >> 8)
    }

    /// A Boolean value indicating whether a COMMIT that failed so may have written all its frames: the sync behind them failed,
    /// or the index of the log could not take them. After a write that failed, the last frame is missing or incomplete.
    var mayLeaveCommit: Bool {
        // SQLITE_IOERR_SHMOPEN, _SHMSIZE, _SHMLOCK, _SHMMAP
        isFailedSync || isShortOfMemory || primaryCode == SQLITE_IOERR && (18...21).contains(extendedCode >> 8)
    }

    /// A Boolean value indicating whether a part of the file is damaged, or cannot be read from the disk, or leads a read around
    /// in circles until it is stopped. Other parts may be sound, and the transaction goes on in its snapshot.
    ///
    /// Other errors of the disk than a failed read that ``FailedReads`` knows are none: SQLite has ended the transaction, and
    /// what is read next could be of another commit.
    var isDamage: Bool {
        primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_FORMAT || extendedCode == Self.failedDisk
            || primaryCode == SQLITE_INTERRUPT
    }

    /// A Boolean value indicating whether a file beside the database could not be opened, or is to be written to: a log or a
    /// journal, in a place that is read-only.
    var needsWriting: Bool { primaryCode == SQLITE_CANTOPEN || primaryCode == SQLITE_READONLY }

    /// A Boolean value indicating whether the connection must not be used again: after a failed sync, and after a disk
    /// error, because SQLite keeps its number and could mistake the next damaged page for another one.
    package var spendsConnection: Bool { isFailedSync || extendedCode == Self.failedDisk }

    /// A Boolean value indicating whether SQLite refused the statement itself, as it would each time.
    var isRefusedStatement: Bool {
        [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_MISUSE, SQLITE_RANGE].contains(primaryCode)
    }

    /// A Boolean value indicating whether SQLite got no memory.
    var isShortOfMemory: Bool { primaryCode == SQLITE_NOMEM }

    /// A Boolean value indicating whether a read was interrupted by its cancellation or deadline.
    package var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
}
