import CSQLite

/// **Value.** SQLite's answer when it did not do what was asked, as the connection layer throws it.
///
/// The store turns it into a ``StoreError`` before a user sees it. `sql` is the text with placeholders: bound values
/// are never part of a failure.
package struct SQLiteFailure: Error, Sendable {
    /// What was being done.
    package enum Operation: String, Sendable {
        case open, configure, prepare, bind, run, transaction, checkpoint, copy, register, close
    }

    /// SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`.
    package var extendedCode: Int32
    /// SQLite's sentence, in English.
    package var message: String
    package var operation: Operation
    package var sql: String?
    /// `errno` of the call to the system that failed; 0 where none did.
    package var systemError: Int32
    /// What a custom function or collation of ours threw.
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

    /// The failure that `database` has just reported with `code`. Call before any other call on the connection.
    init(code: Int32, database: OpaquePointer?, operation: Operation, sql: String? = nil) {
        // SQLite keeps the extended code and its words per connection, for the last call only; a code it gave to an
        // earlier call (or that is ours) has the general sentence of its number.
        let latest = database.map(sqlite3_extended_errcode) ?? code
        let isLatest = latest & 0xff == code & 0xff
        self.init(
            extendedCode: isLatest ? latest : code,
            message: isLatest ? database.map { String(cString: sqlite3_errmsg($0)) } : nil,
            operation: operation, sql: sql,
            systemError: isLatest ? database.map(sqlite3_system_errno) ?? 0 : 0)
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
    /// A file outside SQLite's reach could not be made or opened.
    static func system(_ code: Int32, doing what: String, operation: Operation) -> SQLiteFailure {
        SQLiteFailure(
            extendedCode: SQLITE_CANTOPEN, message: "\(what): \(describeSystemError(code))", operation: operation,
            systemError: code)
    }

    /// Whether another connection's lock was in the way until the deadline.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// Whether a reader was stopped by its cancellation.
    package var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
}
