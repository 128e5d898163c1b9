import DataMonkCore

/// **Value.** The full-text index of one column: a virtual table beside the entity's table, and three triggers that keep it.
///
/// ```
/// DATAMONK_WORDS$ZPOST$ZBODY           the virtual table, of FTS5; SQLite makes four tables beneath it: …_data, …
/// DATAMONK_WORDS$ZPOST$ZBODY$INSERT    and $DELETE and $UPDATE, the triggers
/// ```
/// The virtual table holds the words alone; the text stays in its column (`content`). The triggers use nothing but FTS5, so
/// other programs that write to the file keep the index as well.
///
/// The names say which column an index is of, so that those of other versions of a model are known: what has such a name and
/// another text than the one that is made here is refused.
package struct TextIndexSchema: Sendable, Hashable {
    /// The name of the entity's table.
    package let tableName: String
    /// The name of the attribute's column.
    package let columnName: String

    package init(tableName: String, columnName: String) {
        self.tableName = tableName
        self.columnName = columnName
    }

    /// Creates the index that an object of a file belongs to by its name; `nil` if it belongs to none.
    package init?(objectNamed name: String) {
        guard name.hasPrefix(Self.prefix) else { return nil }
        let parts = name.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 || parts.count == 4 else { return nil }
        self.init(tableName: parts[1], columnName: parts[2])
    }

    /// The beginning of all names. No table of Core Data's has a `$`, nor begins with a D.
    static let prefix = "DATAMONK_WORDS$"

    /// The name of the virtual table.
    package var name: String { "\(Self.prefix)\(tableName)$\(columnName)" }
    /// The name of the virtual table, quoted for statements.
    package var identifier: String { Self.quoted(name) }

    /// **Value.** The virtual table, or one of the triggers.
    package struct Part: Sendable, Hashable {
        package let name: String
        package let createStatement: String
    }

    /// The virtual table and its triggers, in the order in which they are made.
    package var parts: [Part] {
        let (table, column) = (Self.quoted(tableName), Self.quoted(columnName))
        let add = "INSERT INTO \(identifier)(rowid, \(column)) VALUES(new.Z_PK, new.\(column));"
        let remove =
            "INSERT INTO \(identifier)(\(identifier), rowid, \(column)) VALUES('delete', old.Z_PK, old.\(column));"
        let isChanged = "old.Z_PK IS NOT new.Z_PK OR old.\(column) IS NOT new.\(column)"
        return [
            Part(
                name: name,
                createStatement: """
                    CREATE VIRTUAL TABLE \(identifier) USING fts5(\(column), content=\(table), content_rowid="Z_PK", \
                    tokenize="unicode61 remove_diacritics 2")
                    """),
            trigger("INSERT", "AFTER INSERT ON \(table) BEGIN \(add) END"),
            trigger("DELETE", "AFTER DELETE ON \(table) BEGIN \(remove) END"),
            trigger(
                "UPDATE", "AFTER UPDATE OF Z_PK, \(column) ON \(table) WHEN \(isChanged) BEGIN \(remove) \(add) END"),
        ]
    }

    private func trigger(_ verb: String, _ body: String) -> Part {
        let name = "\(name)$\(verb)"
        return Part(name: name, createStatement: "CREATE TRIGGER \(Self.quoted(name)) \(body)")
    }

    /// The statements that make the index and fill it.
    package var createStatements: [String] { parts.map(\.createStatement) + [rebuildStatement] }

    /// The statement that makes the index of what is in the column now.
    package var rebuildStatement: String { "INSERT INTO \(identifier)(\(identifier)) VALUES('rebuild')" }

    /// The statement that fails if the index does not agree with the column. It writes nothing, but runs on a connection
    /// that may write.
    package var checkStatement: String {
        "INSERT INTO \(identifier)(\(identifier), rank) VALUES('integrity-check', 1)"
    }

    /// The statements that remove the index, or what is left of it. The connection has to permit tables beneath virtual tables.
    ///
    /// SQLite opens an index to drop it, and cannot if one of its tables is missing. So each is there first, and gone
    /// afterwards, even without the index.
    package var dropStatements: [String] {
        parts.dropFirst().map { "DROP TRIGGER IF EXISTS \(Self.quoted($0.name))" }
            + tables.map { "CREATE TABLE IF NOT EXISTS \(Self.quoted($0.name))\($0.columns)" }
            + [
                "INSERT OR IGNORE INTO \(Self.quoted("\(name)_config")) VALUES('version', 4)",
                // The list of an empty index's parts.
                "INSERT OR IGNORE INTO \(Self.quoted("\(name)_data")) VALUES(10, X'00000000000000')",
            ]
            + ["DROP TABLE IF EXISTS \(identifier)"]
            + tables.map { "DROP TABLE IF EXISTS \(Self.quoted($0.name))" }
    }

    /// The names of the tables that SQLite makes beneath the virtual table.
    package var tableNames: [String] { tables.map(\.name) }

    private var tables: [(name: String, columns: String)] {
        [
            ("\(name)_data", "(id INTEGER PRIMARY KEY, block BLOB)"),
            ("\(name)_idx", "(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID"),
            ("\(name)_docsize", "(id INTEGER PRIMARY KEY, sz BLOB)"),
            ("\(name)_config", "(k PRIMARY KEY, v) WITHOUT ROWID"),
        ]
    }

    private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}

extension StoreSchema {
    /// Returns `true` if an object of a file, which may run code, is part of a full-text index and as it is made here.
    package static func isOfTextIndex(_ name: String, createStatement: String) -> Bool {
        guard let index = TextIndexSchema(objectNamed: name) else { return false }
        return index.parts.contains { $0.name == name && $0.createStatement == createStatement }
    }

    /// Returns the schema with those full-text indexes alone that a file has.
    package func keeping(_ isKept: (TextIndexSchema) throws -> Bool) rethrows -> StoreSchema {
        var schema = self
        schema.textIndexes = try textIndexes.filter(isKept)
        return schema
    }

    /// The full-text indexes that the model asks for, in the order of the entities' numbers.
    var modelTextIndexes: [TextIndexSchema] {
        numbering.entities.flatMap { entity -> [TextIndexSchema] in
            guard let schema = schema(of: entity) else { return [] }
            let attributes = entity.declaredAttributes { $0.description.hasTextIndex }
            return attributes.compactMap { attribute in
                guard case .value(let column) = schema.storage[attribute.slot] else { return nil }
                return TextIndexSchema(tableName: schema.table.name, columnName: column.name)
            }
        }
    }
}
