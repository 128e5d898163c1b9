import DataMonkCore
import DataMonkSQL
import Foundation

/// **Value.** The history tables of a file. Frameworks before 2018 kept strings in the transaction rows themselves.
struct HistoryTables: Sendable {
    /// A Boolean value indicating whether strings have a separate table.
    let hasStrings: Bool
    /// A Boolean value indicating whether Core Data's transactions can be recognized by their query generation.
    let hasQueryGeneration: Bool
    /// A Boolean value indicating whether tombstones are in the order of the model, as in stores of framework 851. From
    /// framework 1044 on they are ordered by name. The behavior of the frameworks in between is unknown; the strings table
    /// distinguishes the two.
    var hasTombstonesInModelOrder: Bool { !hasStrings }
    /// The number of tombstone columns.
    let tombstoneCount: Int

    /// Nil where the file has no history.
    ///
    /// - Throws: ``StoreError`` with the code `corrupt` for a part of one: to write on without it would tear a gap.
    init?(on connection: SQLiteConnection, at url: URL) throws {
        let changes = try Self.columns(of: .change, connection)
        let transactions = try Self.columns(of: .transaction, connection)
        if changes.isEmpty, transactions.isEmpty { return nil }
        let strings = try Self.columns(of: .string, connection)
        hasStrings = transactions.contains("ZAUTHORTS")
        if hasStrings, !strings.contains("ZNAME") {
            throw StoreError.missingColumns(["ZNAME"], of: HistorySchema.Table.string.name, in: url)
        }
        hasQueryGeneration = transactions.contains("ZQUERYGEN")
        tombstoneCount = (0...).prefix { changes.contains(HistorySchema.tombstoneColumn($0)) }.count
        let needed = ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"]
        let missing = needed.filter { !changes.contains($0) }
        if !missing.isEmpty { throw StoreError.missingColumns(missing, of: HistorySchema.Table.change.name, in: url) }
        let texts = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map { hasStrings ? "\($0)TS" : $0 }
        let absent = (["ZTIMESTAMP"] + texts).filter { !transactions.contains($0) }
        if !absent.isEmpty {
            throw StoreError.missingColumns(absent, of: HistorySchema.Table.transaction.name, in: url)
        }
    }

    private static func columns(
        of table: HistorySchema.Table, _ connection: SQLiteConnection
    ) throws -> Set<String> {
        Set(try connection.columns(ofTable: table.name).map { $0.uppercased() })
    }

    /// Returns the tables if nothing is missing in them, otherwise `nil`. Read-only.
    static func known(
        for schema: HistorySchema, on connection: SQLiteConnection, at url: URL
    ) throws -> HistoryTables? {
        guard let tables = try HistoryTables(on: connection, at: url), tables.tombstoneCount >= schema.tombstoneCount
        else {
            return nil
        }
        let numbers = HistorySchema.Table.allCases.map { "\($0.rawValue)" }
        let sql = "SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT IN (\(numbers.joined(separator: ", ")))"
        return try connection.int64(sql) == Int64(numbers.count) ? tables : nil
    }

    /// Creates missing tables, and the columns that the model needs.
    ///
    /// - Returns: The tables.
    static func ensure(
        for schema: HistorySchema, on connection: SQLiteConnection, at url: URL
    ) throws -> HistoryTables {
        if let known = try HistoryTables(on: connection, at: url) {
            for place in known.tombstoneCount..<max(known.tombstoneCount, schema.tombstoneCount) {
                try connection.execute("ALTER TABLE ACHANGE ADD COLUMN \(HistorySchema.tombstoneColumn(place))")
            }
        } else {
            for statement in schema.createStatements { try connection.execute(statement) }
        }
        for table in HistorySchema.Table.allCases {
            try connection.run(
                "INSERT OR IGNORE INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, 0, 0)",
                [.integer(Int64(table.rawValue)), .text(table.entityName)])
        }
        guard let made = try HistoryTables(on: connection, at: url) else { throw StoreError.noCoreDataStore(url) }
        return made
    }
}
