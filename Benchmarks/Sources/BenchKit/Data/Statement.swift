package import Foundation
package import SystemSQLite

/// **Confined.** A prepared statement of `SQLiteFile`.
package struct Statement {
    private let handle: OpaquePointer

    init(_ sql: String, on database: OpaquePointer) throws {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &handle, nil) == SQLITE_OK, let handle else {
            throw BenchError(database)
        }
        self.handle = handle
    }

    package func bind(_ index: Int32, _ value: Int64?) {
        if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
    }

    package func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

    package func bind(_ index: Int32, _ value: String?) {
        if let value {
            sqlite3_bind_text(handle, index, value, -1, transientDestructor)
        } else {
            sqlite3_bind_null(handle, index)
        }
    }

    package func bind(_ index: Int32, _ value: Data) {
        value.withUnsafeBytes { bytes in
            _ = sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), transientDestructor)
        }
    }

    /// Whether there is a row.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        default: throw BenchError(sqlite3_db_handle(handle))
        }
    }

    func text(_ column: Int32) -> String? { sqlite3_column_text(handle, column).map { String(cString: $0) } }
    func reset() { sqlite3_reset(handle) }
    func finalize() { sqlite3_finalize(handle) }
}

/// Tells SQLite to copy what it is given.
// SQLite's header defines it as a cast, which Swift does not import; a constant that nothing changes.
nonisolated(unsafe) package let transientDestructor = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
