import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Writes the history of one store transaction, which may contain several history transactions: one for each
/// save.
///
///     INSERT INTO ATRANSACTION …                          when the first change of a save is recorded
///     INSERT INTO ACHANGE …                               once for each change
///     UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?   once for each table
final class HistoryWriter {
    private let schema: HistorySchema
    private let tables: HistoryTables
    private let writer: SQLiteWriter
    private let store: SQLiteStore
    private var signature = HistorySignature()
    /// The primary key of the open history transaction.
    private var transaction: Int64?

    init(schema: HistorySchema, tables: HistoryTables, writer: SQLiteWriter, store: SQLiteStore) {
        self.schema = schema
        self.tables = tables
        self.writer = writer
        self.store = store
    }

    private var connection: SQLiteConnection { writer.connection }

    func begin(_ signature: HistorySignature?) {
        self.signature = signature ?? HistorySignature()
        transaction = nil
    }

    /// Records changes of objects.
    ///
    /// - Parameter tombstones: The values read from the deleted objects beforehand.
    func note(_ entries: [HistoryEntry], tombstones: [ObjectKey: [SQLBinding]] = [:]) throws {
        if entries.isEmpty { return }
        let transaction = try openTransaction()
        var number = try reserve(entries.count, in: .change)
        let places = (0..<tables.tombstoneCount).map(HistorySchema.tombstoneColumn)
        let names = ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"] + places
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let sql = "INSERT INTO ACHANGE(\(names.joined(separator: ", "))) VALUES(\(marks))"
        try connection.withStatement(store.plans.prepared(sql)) { statement in
            for entry in entries {
                statement.clearBindings()
                statement.bind(number, at: 1)
                statement.bind(Int64(HistorySchema.Table.change.rawValue), at: 2)
                statement.bind(entry.type.rawValue, at: 3)
                statement.bind(Int64(store.plans.entityNumbers[entry.key.entityIndex]), at: 4)
                statement.bind(entry.key.primaryKey, at: 5)
                statement.bind(transaction, at: 6)
                if entry.type == .update {
                    try statement.bind(schema.columns(of: entry.slots, entityAt: entry.key.entityIndex), at: 7)
                }
                for (place, value) in (tombstones[entry.key] ?? []).enumerated() where place < places.count {
                    try statement.bind(value, at: 8 + place)
                }
                try statement.run()
                number += 1
            }
        }
    }

    /// Returns the tombstones of objects that are about to be deleted.
    func tombstones(of keys: [ObjectKey]) throws -> [ObjectKey: [SQLBinding]] {
        var found: [ObjectKey: [SQLBinding]] = [:]
        for (entity, keys) in Dictionary(grouping: keys, by: \.entityIndex) {
            let attributes = schema.tombstones(
                ofEntityAt: entity, isInModelOrder: tables.hasTombstonesInModelOrder)
            guard !attributes.isEmpty, let storage = store.plans.schema.schema(ofEntityAt: entity) else { continue }
            let columns = attributes.map { attribute -> String in
                guard case .value(let column) = storage.storage[attribute.slot] else { return "NULL" }
                return column.identifier
            }
            let sql = """
                SELECT Z_PK, \(columns.joined(separator: ", ")) FROM \(storage.table.identifier) \
                WHERE Z_PK IN (SELECT value FROM json_each(?))
                """
            try connection.withStatement(store.plans.prepared(sql)) { statement in
                try statement.bind(keys.primaryKeyList, at: 1)
                while try statement.step() {
                    let key = ObjectKey(store: store.index, entity: entity, primaryKey: statement.int64(at: 0))
                    found[key] = columns.indices.map { SQLBinding(statement.managedValue(at: $0 + 1)) }
                }
            }
        }
        return found
    }

    // MARK: Steps

    private func openTransaction() throws -> Int64 {
        if let transaction { return transaction }
        let number = try reserve(1, in: .transaction)
        let texts = [
            signature.author, Bundle.main.bundleIdentifier, signature.contextName,
            ProcessInfo.processInfo.processName,
        ]
        let columns = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map { tables.hasStrings ? "\($0)TS" : $0 }
        let sql = """
            INSERT INTO ATRANSACTION(Z_PK, Z_ENT, ZTIMESTAMP, \(columns.joined(separator: ", "))) \
            VALUES(?, ?, ?, ?, ?, ?, ?)
            """
        let numbers = tables.hasStrings ? try texts.map { try $0.map(number(of:)) } : []
        try connection.withStatement(store.plans.prepared(sql)) { statement in
            statement.bind(number, at: 1)
            statement.bind(Int64(HistorySchema.Table.transaction.rawValue), at: 2)
            statement.bind(Date().timeIntervalSinceReferenceDate, at: 3)
            for (place, text) in texts.enumerated() {
                if tables.hasStrings, let number = numbers[place] {
                    statement.bind(number, at: 4 + place)
                } else if !tables.hasStrings, let text {
                    try statement.bind(text, at: 4 + place)
                }
            }
            try statement.run()
        }
        transaction = number
        return number
    }

    /// Returns the primary key of a string.
    private func number(of text: String) throws -> Int64 {
        if let known = writer.historyStrings[text] { return known }
        let select = store.plans.prepared("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?")
        let stored: Int64? = try connection.withStatement(select) { statement in
            try statement.bind(text, at: 1)
            return try statement.step() ? statement.int64(at: 0) : nil
        }
        let number = try stored ?? reserve(1, in: .string)
        if stored == nil {
            try connection.run(
                "INSERT INTO ATRANSACTIONSTRING(Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES(?, ?, 1, ?)",
                [.integer(number), .integer(Int64(HistorySchema.Table.string.rawValue)), .text(text)])
        }
        writer.historyStrings[text] = number
        return number
    }

    private func reserve(_ count: Int, in table: HistorySchema.Table) throws -> Int64 {
        try writer.reservePrimaryKeys(count, ofEntityNumber: table.rawValue, in: store)
    }
}

@available(*, unavailable)
extension HistoryWriter: Sendable {}
