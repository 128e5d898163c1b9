import CSQLite

extension SQLiteConnection {
    /// Compiles one statement, which the caller may keep as long as the connection.
    package func prepare(_ sql: String) throws -> SQLiteStatement {
        let database = try openDatabase()
        var handle: OpaquePointer?
        var sql = sql
        let (code, rest) = sql.withUTF8 { text -> (Int32, Int) in
            text.withMemoryRebound(to: CChar.self) { text in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    database, text.baseAddress, Int32(clamping: text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle,
                    &tail)
                let read = tail.flatMap { tail in text.baseAddress.map { tail - $0 } } ?? text.count
                return (code, text[min(read, text.count)...].count { !" ;\n\t\r".utf8.contains(UInt8(bitPattern: $0)) })
            }
        }
        try check(code, operation: .prepare, sql: sql)
        guard let handle else {
            throw SQLiteFailure(
                extendedCode: SQLITE_MISUSE, message: "the text contains no statement", operation: .prepare, sql: sql)
        }
        let statement = SQLiteStatement(handle: handle, callbackErrors: callbackErrors)
        guard rest == 0 else {
            throw SQLiteFailure(
                extendedCode: SQLITE_MISUSE, message: "the text contains more than one statement", operation: .prepare,
                sql: sql)
        }
        return statement
    }

    /// Lends the statement for `sql`, compiled at its first use. It is reset and has no bindings, both before and after.
    @inline(__always)
    package func withStatement<Result>(_ sql: String, body: (SQLiteStatement) throws -> Result) throws -> Result {
        let place = cache.place(of: sql)
        let statement = try place?.take() ?? prepare(sql)
        defer { checkIn(statement) { $0.checkIn(statement, at: place, for: sql) } }
        return try body(statement)
    }

    /// Lends the statement for `prepared` without a lookup by text.
    @inline(__always)
    package func withStatement<Result>(
        _ prepared: PreparedSQL, body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        let statement = try cache.take(prepared) ?? prepare(prepared.sql)
        defer { checkIn(statement) { $0.checkIn(statement, for: prepared) } }
        return try body(statement)
    }

    /// Lends an application's query, compiled under the guard at its first use. The guard has to be on.
    func withQuery<Result>(
        _ sql: String, under statementGuard: StatementGuard, body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        let place = statementGuard.queries.place(of: sql)
        let kept = place?.take()
        let statement = try kept ?? statementGuard.prepareQuery(sql, on: self)
        do {
            let result = try body(statement)
            keep()
            return result
        } catch let failure as SQLiteFailure {
            statementGuard.queries.remove(sql)
            // If the schema has changed so that the statement is wrong now, its compilation says so.
            if kept != nil, failure.isOfStatement { _ = try statementGuard.prepareQuery(sql, on: self) }
            throw failure
        } catch {
            // The application's own error says nothing about the statement.
            keep()
            throw error
        }

        func keep() {
            guard sql.utf8.count <= Self.longestKeptQuery else { return }
            checkIn(statement) { _ in statementGuard.queries.checkIn(statement, at: place, for: sql) }
        }
    }

    /// The length in bytes from which on an application's query is compiled anew for each call. One with a long list of numbers
    /// takes megabytes, and is never used again.
    private static let longestKeptQuery = 8_192

    /// Lends the statement for `prepared` beyond this call, until `checkIn`.
    package func lend(_ prepared: PreparedSQL) throws -> SQLiteStatement {
        try cache.take(prepared) ?? prepare(prepared.sql)
    }

    package func checkIn(_ statement: SQLiteStatement, of prepared: PreparedSQL) {
        checkIn(statement) { $0.checkIn(statement, for: prepared) }
    }

    @inline(__always)
    private func checkIn(_ statement: SQLiteStatement, keep: (inout StatementCache) -> Void) {
        statement.reset()
        statement.clearBindings()
        // The connection was closed in the meantime. A kept statement would keep the file open.
        if database != nil { keep(&cache) }
    }

    /// Runs one or more statements without bindings or rows, such as a schema's.
    package func execute(_ sql: String) throws {
        try check(sqlite3_exec(openDatabase(), sql, nil, nil, nil), operation: .run, sql: sql)
    }

    /// Returns the first column of the first row, or 0 if there is no row.
    package func int64(_ sql: String) throws -> Int64 {
        try withStatement(sql) { try $0.step() ? $0.int64(at: 0) : 0 }
    }

    /// Returns the first column of the first row, or `nil` if there is no row.
    package func text(_ sql: String) throws -> String? {
        try withStatement(sql) { try $0.step() ? $0.text(at: 0) : nil }
    }

    /// The number of rows changed by the last `INSERT`, `UPDATE` or `DELETE`, not counting changes by triggers.
    package var changes: Int64 { database.map(sqlite3_changes64) ?? 0 }
}
