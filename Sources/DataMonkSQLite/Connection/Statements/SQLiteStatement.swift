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
/// Parameters are numbered from 1, columns from 0, as in SQLite. A statement that was stepped but not reset keeps its read
/// snapshot open. The methods are thin and inlined: reading a row costs as much as in C.
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

    /// Advances to the next row. Returns `false` if there is none.
    @inlinable @inline(__always)
    package func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code: code, operation: .run)
    }

    /// Returns what `read` makes of each row.
    @inline(__always)
    package func rows<Row>(_ read: (SQLiteStatement) throws -> Row) throws -> [Row] {
        var rows: [Row] = []
        while try step() { rows.append(try read(self)) }
        return rows
    }

    /// Runs the statement to its end, ignores rows, and resets it. For statements that write.
    @inlinable @inline(__always)
    package func run() throws {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else { throw failure(code: code, operation: .run) }
        sqlite3_reset(handle)
    }

    /// Prepares the statement for new values and ends its read. Bindings are kept.
    @inlinable @inline(__always)
    package func reset() {
        // The result code repeats the error of the last step, which has already been thrown. A statement that writes must be
        // run to its end: its transaction ends there, and the error of a commit by this call would be lost.
        sqlite3_reset(handle)
    }

    /// Clears all bindings: every parameter is NULL again.
    @inlinable @inline(__always)
    package func clearBindings() {
        sqlite3_clear_bindings(handle)
    }

    /// The SQL text, with placeholders.
    package var sql: String {
        String(cString: sqlite3_sql(handle))
    }

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The number of virtual machine steps that SQLite has run for this statement since it was compiled. This measures the
    /// cost of a query independently of the machine.
    package var machineSteps: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    /// Returns the failure of a call that returned `code`. Resets the statement, so that no snapshot stays open after an
    /// error.
    @usableFromInline @inline(never)
    func failure(code: Int32, operation: SQLiteFailure.Operation) -> SQLiteFailure {
        var failure = SQLiteFailure(code: code, database: sqlite3_db_handle(handle), operation: operation, sql: sql)
        failure.underlyingError = callbackErrors.take()
        sqlite3_reset(handle)
        return failure
    }
}

@available(*, unavailable, message: "A statement has a single owner at a time, as its connection does")
extension SQLiteStatement: Sendable {}
