import DataMonkSQL

extension SQLiteConnection {
    /// Renames tables, with their indexes, in a transaction that also creates or drops a table.
    ///
    /// SQLite's own RENAME reads the whole schema for each table, so that 2,000 of them take minutes. This writes the names
    /// into the schema, which is read once afterwards; entries that made no sense would be an error then. Only a table whose
    /// statements are not written in the usual form is left to RENAME.
    ///
    /// - Parameter names: The new names of tables, by their old ones.
    package func renameTables(_ names: [String: String]) throws {
        if names.isEmpty { return }
        let entries = try tableEntries(names)
        let usual = entries.filter { $0.value.allSatisfy(\.isRenamed) }
        for (name, newName) in names where usual[name] == nil {
            try execute("ALTER TABLE \(SQLIdentifier.quotedIfNeeded(name)) RENAME TO \(newName)")
        }
        try permitInternalTables()
        try execute("PRAGMA writable_schema = ON")
        do {
            try write(usual.values.flatMap(\.self))
            // Reads the schema anew.
            try execute("PRAGMA writable_schema = RESET")
            try refuseInternalTables()
        } catch {
            // The transaction is rolled back. Without internal tables, the schema is not writable either.
            try refuseInternalTables()
            throw error
        }
    }

    private func write(_ entries: [TableEntry]) throws {
        let update = try prepare("UPDATE sqlite_schema SET name = ?, tbl_name = ?, sql = ? WHERE rowid = ?")
        for entry in entries {
            let statement = entry.statement.map { SQLBinding.text($0) } ?? .null
            try update.bind([.text(entry.name), .text(entry.table), statement, .integer(entry.row)])
            try update.run()
        }
    }

    /// Returns the entries of tables and of their indexes, with the new names, by the old names of the tables.
    private func tableEntries(_ names: [String: String]) throws -> [String: [TableEntry]] {
        let query = "SELECT rowid, name, tbl_name, sql FROM sqlite_schema WHERE type IN ('table', 'index')"
        return try withStatement(query) { statement in
            var entries: [String: [TableEntry]] = [:]
            while try statement.step() {
                guard let table = statement.text(at: 2), let newTable = names[table] else { continue }
                entries[table, default: []].append(
                    TableEntry(
                        row: statement.int64(at: 0), name: statement.text(at: 1) ?? "", table: table,
                        statement: statement.text(at: 3), renamed: newTable))
            }
            return entries
        }
    }
}

/// **Value.** An entry of the schema, a table or one of its indexes, after the table was renamed.
private struct TableEntry {
    let row: Int64
    let name: String
    let table: String
    /// The statement that makes it; `nil` for an index behind a constraint.
    let statement: String?
    /// A Boolean value indicating whether the statement has the new name.
    let isRenamed: Bool

    init(row: Int64, name: String, table: String, statement: String?, renamed newTable: String) {
        self.row = row
        self.table = newTable
        guard let statement else {
            // SQLite finds such an index by its name.
            self.name = "sqlite_autoindex_\(newTable)\(name.dropFirst("sqlite_autoindex_\(table)".count))"
            (self.statement, isRenamed) = (nil, true)
            return
        }
        self.name = name == table ? newTable : name
        self.statement = SQLTokens.renaming(table, to: newTable, in: statement)
        isRenamed = self.statement != nil
    }
}
