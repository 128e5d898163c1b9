import SystemSQLite

/// **Value.** Why a sample or the whole run could not be done.
package struct BenchError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// What a connection says of its last call.
    package init(_ database: OpaquePointer?) { description = String(cString: sqlite3_errmsg(database)) }
}
