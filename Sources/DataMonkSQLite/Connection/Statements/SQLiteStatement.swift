import CSQLite

/// **Confined.** A compiled statement of one ``SQLiteConnection``: bind, step, read columns, reset.
///
/// ```swift
/// statement.bind(18, at: 1)
/// while try statement.step() {
///     total += statement.int64(at: 0)
/// }
/// statement.reset()
/// ```
/// Parameters count from 1, columns from 0, as in SQLite. A statement that was stepped and not reset holds its read
/// snapshot open. The calls are thin and inlined: a row costs what it costs in C.
package final class SQLiteStatement {
    /// Never leaves this type. Finalized in `deinit`; SQLite keeps a closed connection alive until then.
    @usableFromInline let handle: OpaquePointer
    @usableFromInline let callbackErrors: CallbackErrors

    init(handle: OpaquePointer, callbackErrors: CallbackErrors) {
        self.handle = handle
        self.callbackErrors = callbackErrors
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs to the next row. Answers false when there is none.
    @inlinable @inline(__always)
    package func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code, .run)
    }

    /// Runs to the end, ignores rows, and resets: for statements that write.
    @inlinable @inline(__always)
    package func run() throws {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else { throw failure(code, .run) }
        sqlite3_reset(handle)
    }

    /// Makes it ready for the next values, and ends its read. Values stay bound.
    @inlinable @inline(__always)
    package func reset() {
        // The code repeats the last step's error, which was thrown then.
        sqlite3_reset(handle)
    }

    /// Forgets all bound values: every parameter is NULL again.
    @inlinable @inline(__always)
    package func clearBindings() {
        sqlite3_clear_bindings(handle)
    }

    /// The text, with placeholders.
    package var sql: String {
        String(cString: sqlite3_sql(handle))
    }

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// Whether it certainly writes nothing to the database.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Whether it has been stepped and neither ended nor been reset.
    package var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// How many steps SQLite's machine has taken for it since it was compiled: what a query costs, on every machine.
    package var machineSteps: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    /// The result column's name as the SELECT gives it.
    package func columnName(at column: Int) -> String {
        guard let name = sqlite3_column_name(handle, Int32(column)) else { return "" }
        return String(cString: name)
    }

    /// The failure of a call that answered `code`. Resets, so that no snapshot stays open behind an error.
    @usableFromInline @inline(never)
    func failure(_ code: Int32, _ operation: SQLiteFailure.Operation) -> SQLiteFailure {
        var failure = SQLiteFailure(code: code, database: sqlite3_db_handle(handle), operation: operation, sql: sql)
        failure.underlyingError = callbackErrors.take()
        sqlite3_reset(handle)
        return failure
    }
}

@available(*, unavailable, message: "A statement belongs to one owner, with its connection")
extension SQLiteStatement: Sendable {}
