import DataMonkCore
import DataMonkSQL

/// Indexes on values inside JSON are made and dropped when a store is opened, as full-text indexes are: they are no part of
/// an entity's version. One with the name of another text is made anew.
extension SQLiteStore {
    /// Makes and drops indexes on values inside JSON. Takes the write lock only if there is something to do.
    static func keepMemberIndexes(of schema: StoreSchema, on connection: SQLiteConnection) throws {
        let wanted = Dictionary(
            schema.memberIndexes.map { ($0.name, $0.createStatement) }, uniquingKeysWith: { first, _ in first })
        if try connection.memberIndexes() == wanted { return }
        try connection.transaction(.immediate) {
            let present = try connection.memberIndexes()
            for (name, statement) in present.sorted(by: { $0.key < $1.key }) where wanted[name] != statement {
                try connection.dropIndex(name)
            }
            for (name, statement) in wanted.sorted(by: { $0.key < $1.key }) where present[name] != statement {
                try connection.execute(statement)
            }
        }
    }

    /// Drops the indexes on values inside JSON, because a migration may drop or rename their columns. They are made anew
    /// when the store is opened afterwards.
    static func dropMemberIndexes(on connection: SQLiteConnection) throws {
        for name in try connection.memberIndexes().keys.sorted() { try connection.dropIndex(name) }
    }
}

extension SQLiteConnection {
    /// The indexes on values inside JSON, by name, each with the statement that made it.
    package func memberIndexes() throws -> [String: String] {
        let found = try schemaObjects().filter { $0.kind == .index && $0.name.hasPrefix(StoreSchema.memberIndexPrefix) }
        return Dictionary(found.map { ($0.name, $0.sql ?? "") }, uniquingKeysWith: { first, _ in first })
    }

    fileprivate func dropIndex(_ name: String) throws {
        try execute("DROP INDEX IF EXISTS \(SQLIdentifier.quotedIfNeeded(name))")
    }
}
