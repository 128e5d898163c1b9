import BenchKit
import SystemSQLite

/// **Confined.** A connection by the C API, its statements prepared once and kept.
final class RawConnection {
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(path: String, durability: Durability) throws {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            let handle
        else { throw BenchError(handle) }
        self.handle = handle
        sqlite3_busy_timeout(handle, 5_000)
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability.rawValue)")
    }

    func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw BenchError(handle) }
    }

    /// One transaction for all that `body` does: a read snapshot is taken once, not for every statement.
    func inTransaction<Result>(_ begin: String = "BEGIN", _ body: () throws -> Result) throws -> Result {
        try run(statement(begin))
        let result = try body()
        try run(statement("COMMIT"))
        return result
    }

    func statement(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw BenchError(handle) }
        statements[sql] = statement
        return statement
    }

    @inline(__always)
    func step(_ statement: OpaquePointer) throws -> Bool {
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw BenchError(handle)
    }

    @inline(__always)
    func run(_ statement: OpaquePointer) throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw BenchError(handle) }
    }

    /// The row that the statement must have changed is there, with the version it was expected to have.
    @inline(__always)
    func runChangingOne(_ statement: OpaquePointer) throws {
        try run(statement)
        guard sqlite3_changes(handle) == 1 else { throw BenchError("conflict") }
    }
}
