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
        func makes(_ noun: String) -> Bool { sql?.hasPrefix("CREATE \(noun) ") == true }
        switch type {
        // A virtual table has no pages of its own.
        case "table": self = hasPages ? (makes("TABLE") ? .table : .unknown) : .virtualTable
        // An index behind a constraint has no statement.
        case "index": self = sql == nil || makes("INDEX") || makes("UNIQUE INDEX") ? .index : .unknown
        case "view": self = makes("VIEW") ? .view : .unknown
        case "trigger": self = makes("TRIGGER") ? .trigger : .unknown
        default: self = .unknown
        }
    }
}

extension SQLiteConnection {
    /// Returns the objects in the schema, in its order, with one `SELECT`.
    package func schemaObjects() throws -> [SchemaObject] {
        try withStatement("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema ORDER BY rowid") { statement in
            var objects: [SchemaObject] = []
            while try statement.step() {
                let sql = statement.text(at: 3)
                objects.append(
                    SchemaObject(
                        kind: SchemaObject.Kind(
                            type: statement.text(at: 0) ?? "", sql: sql, hasPages: statement.int64(at: 4) != 0),
                        name: statement.text(at: 1) ?? "", table: statement.text(at: 2) ?? "", sql: sql))
            }
            return objects
        }
    }

    /// Returns `true` if a table has a column. Uses the schema that SQLite has in memory, without a statement.
    package func hasColumn(_ column: String, inTable table: String) throws -> Bool {
        let code = sqlite3_table_column_metadata(
            try openDatabase(), "main", table, column, nil, nil, nil, nil, nil)
        if code == SQLITE_ERROR { return false }
        try check(code, .prepare)
        return true
    }

    /// Returns the triggers, views, virtual tables and objects of unknown kind, except those accepted by `isExpected`. A
    /// store has no others. They run code of the file's author, so refuse a file that contains any.
    package func unexpectedSchemaObjects(isExpected: (SchemaObject) -> Bool) throws -> [SchemaObject] {
        try schemaObjects().filter { $0.mayRunCode && !isExpected($0) }
    }

    /// Returns the name of the unique index over exactly these columns, for an error message about a violated constraint.
    package func uniqueIndexName(for violation: ConstraintViolation) throws -> String? {
        if let index = violation.index { return index }
        guard let table = violation.table else { return nil }
        let sql = "SELECT name FROM pragma_index_list(?) WHERE \"unique\" = 1"
        let names = try withStatement(sql) { statement in
            try statement.bind(table, at: 1)
            return try statement.texts()
        }
        return try names.first { name in
            try withStatement("SELECT name FROM pragma_index_info(?) ORDER BY seqno") { statement in
                try statement.bind(name, at: 1)
                return try statement.texts() == violation.columns
            }
        }
    }

    /// Returns the problems that SQLite finds in the file; empty if it is sound. Reads the whole file.
    package func integrityCheck() throws -> [String] {
        let report = try withStatement("PRAGMA integrity_check") { try $0.texts() }
        return report == ["ok"] ? [] : report
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

extension SQLiteStatement {
    /// Returns the first column of all rows.
    fileprivate func texts() throws -> [String] {
        var texts: [String] = []
        while try step() { texts.append(text(at: 0) ?? "") }
        return texts
    }
}
