import DataMonkSQL
package import Foundation

/// **Value.** An entity as listed in a store, for tools that have no model of the store.
package struct EntityFacts: Sendable, Hashable {
    /// The entity number in rows.
    package var number: Int
    /// The name in Z_PRIMARYKEY. After a migration it may be that of an earlier version.
    package var name: String
    /// The number of the superentity; 0 for none.
    package var superNumber: Int
    /// The number of rows of this very entity, without its sub-entities; `nil` if its table has another name.
    package var rowCount: Int?

    /// Numbers from here on belong to the framework itself: its history.
    private static let firstPrivateNumber = 16_000

    /// Reads the entities of a store, ordered by number. The file is not changed; see ``StoreFacts/read(_:)``.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: Reads an index, or all, of each table.
    package static func read(_ url: URL) throws -> [EntityFacts] {
        try SQLiteConnection.reading(url) { connection in
            var entities = try listed(connection)
            let roots = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
            let tables = Set(try connection.schemaObjects().filter { $0.kind == .table }.map(\.name))
            var counts: [String: [Int: Int]] = [:]
            for place in entities.indices {
                let table = "Z" + root(of: entities[place], roots).name.uppercased()
                guard tables.contains(table) else { continue }
                let known = try counts[table] ?? rowCounts(of: table, on: connection)
                counts[table] = known
                entities[place].rowCount = known[entities[place].number, default: 0]
            }
            return entities
        }
    }

    private static func listed(_ connection: SQLiteConnection) throws -> [EntityFacts] {
        let sql = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 1 AND ? ORDER BY Z_ENT"
        return try connection.withStatement(sql) { statement in
            statement.bind(Int64(firstPrivateNumber), at: 1)
            return try statement.rows { row in
                EntityFacts(
                    number: Int(row.int64(at: 0)), name: row.text(at: 1) ?? "",
                    superNumber: Int(truncatingIfNeeded: row.int64(at: 2)))
            }
        }
    }

    /// Returns the topmost superentity. A damaged list may contain cycles.
    private static func root(of entity: EntityFacts, _ entities: [Int: EntityFacts]) -> EntityFacts {
        var (root, seen) = (entity, Set<Int>())
        while seen.insert(root.number).inserted, let above = entities[root.superNumber] { root = above }
        return root
    }

    private static func rowCounts(of table: String, on connection: SQLiteConnection) throws -> [Int: Int] {
        let sql = "SELECT Z_ENT, count(*) FROM \(SQLIdentifier.quotedIfNeeded(table)) GROUP BY Z_ENT"
        return try connection.withStatement(sql) { statement in
            var counts: [Int: Int] = [:]
            while try statement.step() {
                counts[Int(truncatingIfNeeded: statement.int64(at: 0))] = Int(statement.int64(at: 1))
            }
            return counts
        }
    }
}
