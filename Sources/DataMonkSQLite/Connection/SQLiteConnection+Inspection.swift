import CSQLite

/// **Value.** A table, index, view or trigger in a database's schema.
package struct SchemaObject: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case table, index, view, trigger
        case virtualTable = "virtual table"
        /// A hand-edited schema entry: the type is not one of SQLite's, or the statement creates something else.
        case unknown = "object of an unknown type"
    }

    package var kind: Kind
    package var name: String
    /// The table that the object belongs to; for tables and views, its own name.
    package var table: String
    /// The statement that created the object; `nil` for indexes behind a constraint.
    package var sql: String?

    /// A Boolean value indicating whether the object may run code of the file's author.
    package var mayRunCode: Bool {
        switch kind {
        case .table, .index: false
        case .view, .trigger, .virtualTable, .unknown: true
        }
    }
}

extension SchemaObject.Kind {
    /// Classifies an object by its statement. SQLite goes by the statement alone, which it writes itself and always begins
    /// in the same way: a trigger listed as a table still runs.
    fileprivate init(type: String, sql: String?, hasPages: Bool) {
        func begins(_ prefix: String) -> Bool { sql?.hasPrefix(prefix) == true }
        switch type {
        // A virtual table has no pages of its own.
        case "table": self = hasPages ? (begins("CREATE TABLE ") ? .table : .unknown) : .virtualTable
        // An index behind a constraint has no statement.
        case "index": self = sql == nil || begins("CREATE INDEX ") || begins("CREATE UNIQUE INDEX ") ? .index : .unknown
        case "view": self = begins("CREATE VIEW ") ? .view : .unknown
        case "trigger": self = begins("CREATE TRIGGER ") ? .trigger : .unknown
        default: self = .unknown
        }
    }
}

extension SQLiteConnection {
    /// Returns the objects in the schema, in its order, with one `SELECT`.
    package func schemaObjects() throws -> [SchemaObject] {
        try withStatement("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema ORDER BY rowid") { statement in
            try statement.rows { row in
                let sql = row.text(at: 3)
                return SchemaObject(
                    kind: SchemaObject.Kind(type: row.text(at: 0) ?? "", sql: sql, hasPages: row.int64(at: 4) != 0),
                    name: row.text(at: 1) ?? "", table: row.text(at: 2) ?? "", sql: sql)
            }
        }
    }

    /// Returns the names of a table's columns, without computed ones; empty if there is no such table.
    func columns(ofTable table: String) throws -> [String] {
        try withStatement("SELECT name FROM pragma_table_info(?)") { statement in
            try statement.bind(table, at: 1)
            return try statement.rows { $0.text(at: 0) ?? "" }
        }
    }

    /// Returns `true` if a table has a column. Uses the schema that SQLite has in memory, without a statement.
    package func hasColumn(_ column: String, inTable table: String) throws -> Bool {
        let code = sqlite3_table_column_metadata(
            try openDatabase(), "main", table, column, nil, nil, nil, nil, nil)
        if code == SQLITE_ERROR { return false }
        try check(code, operation: .prepare)
        return true
    }

    /// A number that changes when any connection commits, including this one, as of the last time this connection looked at
    /// the file. Several commits may raise it by one. Runs no statement. `nil` if SQLite does not report it.
    package var changeCount: UInt32? {
        guard let database else { return nil }
        var count: UInt32 = 0
        return sqlite3_file_control(database, nil, SQLITE_FCNTL_DATA_VERSION, &count) == SQLITE_OK ? count : nil
    }

    /// Throws `SQLITE_READONLY_DBMOVED` if the path of this file now names another file or none. Costs one `stat`.
    func requireInPlace() throws {
        var isMoved: Int32 = 0
        let code = sqlite3_file_control(try openDatabase(), nil, SQLITE_FCNTL_HAS_MOVED, &isMoved)
        // A custom file system may not support this check.
        guard code == SQLITE_OK, isMoved != 0 else { return }
        throw SQLiteFailure(extendedCode: SQLiteFailure.moved, operation: .transaction)
    }

    /// The path of the file that SQLite opened, with links resolved.
    var resolvedPath: String? {
        guard let database, let name = sqlite3_db_filename(database, nil) else { return nil }
        return String(cString: name)
    }

    /// Returns a number that changes when another connection commits. This connection's own commits do not change it.
    package func dataVersion() throws -> Int64 {
        try withStatement(.dataVersion) { try $0.step() ? $0.int64(at: 0) : 0 }
    }
}
