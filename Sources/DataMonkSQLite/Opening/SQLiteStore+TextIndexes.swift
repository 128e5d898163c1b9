import DataMonkCore
package import DataMonkSQL
import Foundation

/// Full-text indexes are made and dropped when a store is opened. An index is no part of an entity's version: what the model
/// asks for is compared with what the file has.
///
///     asked for, and whole                                stays
///     asked for, and missing or without its triggers      is made anew: the option is new, or a migration, which drops
///                                                         triggers, or another program was there
///     not asked for                                       is dropped
extension SQLiteStore {
    /// Makes and drops full-text indexes. Takes the write lock only if there is something to do.
    ///
    /// - Throws: ``StoreError`` with the code `openFailed` if an index is to be made and SQLite has no FTS5.
    static func keepTextIndexes(of schema: StoreSchema, on connection: SQLiteConnection, at url: URL) throws {
        func isInOrder(_ objects: [SchemaObject]) -> Bool {
            objects.textIndexes.isSubset(of: schema.textIndexes) && schema.textIndexes.allSatisfy(objects.keep)
        }
        if !schema.textIndexes.isEmpty { try connection.permitIndexingTriggers() }
        if isInOrder(try connection.schemaObjects()) { return }
        guard try connection.hasFullTextSearch else { throw StoreError.noFullTextSearch(schema.textIndexes, in: url) }
        try connection.permitInternalTables()
        try connection.transaction(.immediate) {
            let objects = try connection.schemaObjects()
            // Somebody may have added others since the store was looked at.
            try refuseCode(in: objects, at: url, schema: schema)
            for index in objects.textIndexes.sorted(by: { $0.name < $1.name })
            where !schema.textIndexes.contains(index) || !objects.keep(index) {
                for statement in index.dropStatements { try connection.execute(statement) }
            }
            for index in schema.textIndexes where !objects.keep(index) {
                for statement in index.createStatements { try connection.execute(statement) }
            }
        }
        try connection.refuseInternalTables()
    }
}

extension SQLiteStore {
    /// Returns the schema with the full-text indexes that a file has which is only read. Without one, all texts are read.
    static func readableTextIndexes(of schema: StoreSchema, on connection: SQLiteConnection) throws -> StoreSchema {
        if schema.textIndexes.isEmpty { return schema }
        let objects = try connection.schemaObjects()
        let hasSearch = try connection.hasFullTextSearch
        return schema.keeping { hasSearch && objects.keep($0) }
    }
}

extension Sequence<SchemaObject> {
    /// The full-text indexes that some of the objects belong to, whole or not.
    package var textIndexes: Set<TextIndexSchema> {
        // SQLite's own tables beneath an index come and go with it.
        Set(
            lazy.filter { $0.kind == .virtualTable || $0.kind == .trigger }.compactMap {
                TextIndexSchema(objectNamed: $0.name)
            })
    }

    /// Returns `true` if an index is there with all of its tables and triggers, so that it agrees with its column.
    package func keep(_ index: TextIndexSchema) -> Bool {
        index.parts.allSatisfy { part in
            contains { $0.name == part.name && $0.sql == part.createStatement }
        } && index.tableNames.allSatisfy { name in contains { $0.name == name } }
    }
}

extension SQLiteConnection {
    /// A Boolean value indicating whether this SQLite has FTS5.
    var hasFullTextSearch: Bool {
        get throws { try int64("SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'") > 0 }
    }
}

extension StoreError {
    fileprivate static func noFullTextSearch(_ indexes: [TextIndexSchema], in url: URL) -> StoreError {
        let names = indexes.map { "\($0.tableName).\($0.columnName)" }.joined(separator: ", ")
        return StoreError(
            .openFailed,
            """
            \(url.lastPathComponent) has or needs full-text indexes\(names.isEmpty ? "" : " of \(names)"), but this \
            program's SQLite has no FTS5. Use a SQLite with FTS5, or remove the option textSearch and drop the indexes.
            """, storeURL: url)
    }
}
