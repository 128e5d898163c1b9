import CSQLite

/// **Value.** A table, index, view or trigger of a database's schema.
package struct SchemaObject: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case table, index, view, trigger
        case virtualTable = "virtual table"
        /// A type that SQLite does not know: the schema was written by hand.
        case unknown
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

extension SQLiteConnection {
    /// What is in the schema, in its order. One SELECT.
    package func schemaObjects() throws -> [SchemaObject] {
        try withStatement("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema ORDER BY rowid") { statement in
            var objects: [SchemaObject] = []
            while try statement.step() {
                var kind = SchemaObject.Kind(rawValue: statement.text(at: 0) ?? "") ?? .unknown
                // A virtual table has no pages of its own.
                if kind == .table, statement.int64(at: 4) == 0 { kind = .virtualTable }
                objects.append(
                    SchemaObject(
                        kind: kind, name: statement.text(at: 1) ?? "", table: statement.text(at: 2) ?? "",
                        sql: statement.text(at: 3)))
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
