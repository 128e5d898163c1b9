import CSQLite

/// **Value.** A table, index, view or trigger of a database's schema.
package struct SchemaObject: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case table, index, view, trigger
        case virtualTable = "virtual table"
        /// The schema was written by hand: the type is none of SQLite's, or the statement makes something else.
        case unknown = "object of unknown kind"
    }

    package var kind: Kind
    package var name: String
    /// The table it belongs to; its own name for tables and views.
    package var table: String
    /// The statement that made it; `nil` for indexes behind a constraint.
    package var sql: String?

    /// Whether it may run code of whoever made the file.
    package var mayRunCode: Bool {
        switch kind {
        case .table, .index: false
        case .view, .trigger, .virtualTable, .unknown: true
        }
    }
}

extension SchemaObject.Kind {
    /// SQLite goes by the statement alone, which it writes itself and always begins in the same way: a trigger that is
    /// listed as a table runs all the same.
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
    /// What is in the schema, in its order. One SELECT.
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

    /// Whether a table has a column: what SQLite knows of the schema already, without a statement.
    package func hasColumn(_ column: String, inTable table: String) throws -> Bool {
        let code = sqlite3_table_column_metadata(
            try openDatabase(), "main", table, column, nil, nil, nil, nil, nil)
        if code == SQLITE_ERROR { return false }
        try check(code, .prepare)
        return true
    }

    /// Triggers, views, virtual tables and unknown kinds, of which a store has none but those that `isExpected` knows.
    /// They run code of whoever made the file: refuse a file that has any.
    package func unexpectedSchemaObjects(isExpected: (SchemaObject) -> Bool) throws -> [SchemaObject] {
        try schemaObjects().filter { $0.mayRunCode && !isExpected($0) }
    }

    /// The name of the unique index over exactly these columns, for a message about a broken constraint.
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

    /// What is wrong with the file; empty when it is sound. Reads all of it.
    package func integrityCheck() throws -> [String] {
        let report = try withStatement("PRAGMA integrity_check") { try $0.texts() }
        return report == ["ok"] ? [] : report
    }

    /// A number that changes when any connection has committed, this one included, as of the last time that this one has
    /// looked at the file; by one for many commits. Costs no statement. `nil` if SQLite does not say.
    package var changeCount: UInt32? {
        guard let database else { return nil }
        var count: UInt32 = 0
        return sqlite3_file_control(database, nil, SQLITE_FCNTL_DATA_VERSION, &count) == SQLITE_OK ? count : nil
    }

    /// Throws `SQLITE_READONLY_DBMOVED` if another file, or none, lies under the name of this one. A `stat`.
    func requireInPlace() throws {
        var isMoved: Int32 = 0
        let code = sqlite3_file_control(try openDatabase(), nil, SQLITE_FCNTL_HAS_MOVED, &isMoved)
        // A file system of its own kind need not know.
        guard code == SQLITE_OK, isMoved != 0 else { return }
        throw SQLiteFailure(extendedCode: SQLiteFailure.moved, operation: .transaction)
    }

    /// The path of the file that SQLite has opened, links followed.
    var resolvedPath: String? {
        guard let database, let name = sqlite3_db_filename(database, nil) else { return nil }
        return String(cString: name)
    }

    /// A number that changes when another connection has committed. It says nothing of this connection's own commits.
    package func dataVersion() throws -> Int64 {
        try withStatement(.dataVersion) { try $0.step() ? $0.int64(at: 0) : 0 }
    }
}

extension SQLiteStatement {
    /// The first column of all rows.
    fileprivate func texts() throws -> [String] {
        var texts: [String] = []
        while try step() { texts.append(text(at: 0) ?? "") }
        return texts
    }
}
