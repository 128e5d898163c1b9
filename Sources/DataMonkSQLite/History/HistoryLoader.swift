import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Reads the history of a store in one connection's snapshot.
struct HistoryLoader {
    private let tables: HistoryTables
    private let schema: HistorySchema
    private let connection: SQLiteConnection
    private let store: SQLiteStore

    /// Creates a loader, or returns `nil` if the file has no history.
    init?(connection: SQLiteConnection, store: SQLiteStore) throws {
        guard let tables = try HistoryTables(on: connection, at: store.fileURL) else { return nil }
        self.tables = tables
        self.connection = connection
        self.store = store
        schema = HistorySchema(store.plans.schema)
    }

    func records(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord] {
        if case .transaction(let position) = bound, try !connection.holdsTransaction(at: position) {
            throw StoreError.historyTokenExpired(store.fileURL)
        }
        var (records, foreign) = try transactions(after: bound)
        guard includingChanges, let first = records.first?.number, let last = records.last?.number else {
            return records
        }
        let places = Dictionary(uniqueKeysWithValues: records.enumerated().map { ($1.number, $0) })
        try forEachChange(between: first, and: last) { statement in
            guard let place = places[statement.int64(at: 0)] else { return }
            let change = try change(statement, isForeign: foreign.contains(statement.int64(at: 0)))
            if let change { records[place].changes.append(change) }
        }
        return records
    }

    func lastPosition() throws -> HistoryPosition? {
        let last = "SELECT Z_PK, ZTIMESTAMP FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1"
        return try connection.withStatement(last) { statement in
            guard try statement.step() else { return nil }
            return HistoryPosition(number: statement.int64(at: 0), writtenAt: statement.double(at: 1))
        }
    }

    // MARK: Transactions

    /// Returns the transactions, and the numbers of those written by Core Data.
    private func transactions(after bound: HistoryBound) throws -> ([HistoryRecord], Set<Int64>) {
        try connection.withStatement(transactionSelect(after: bound)) { statement in
            switch bound {
            case .start: break
            case .transaction(let position): statement.bind(position.number, at: 1)
            case .date(let date): statement.bind(date.timeIntervalSinceReferenceDate, at: 1)
            }
            var records: [HistoryRecord] = []
            var foreign: Set<Int64> = []
            while try statement.step() {
                let number = statement.int64(at: 0)
                if let last = records.last?.number, last >= number {
                    throw StoreError.repeatedTransaction(number, in: store.fileURL)
                }
                if statement.int64(at: 2) != 0 { foreign.insert(number) }
                records.append(
                    HistoryRecord(
                        number: number,
                        identifier: HistoryPosition(number: number, writtenAt: statement.double(at: 1)).identifier,
                        timestamp: Date(timeIntervalSinceReferenceDate: statement.double(at: 1)),
                        signature: HistorySignature(
                            author: statement.text(at: 3), contextName: statement.text(at: 5)),
                        bundleID: statement.text(at: 4), processID: statement.text(at: 6)))
            }
            return (records, foreign)
        }
    }

    private func transactionSelect(after bound: HistoryBound) -> String {
        let texts = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].enumerated().map { place, name in
            tables.hasStrings ? "COALESCE(s\(place).ZNAME, t.\(name))" : "t.\(name)"
        }
        let joins = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"].enumerated().map { place, name in
            " LEFT JOIN ATRANSACTIONSTRING s\(place) ON s\(place).Z_PK = t.\(name)"
        }
        let generation = tables.hasQueryGeneration ? "t.ZQUERYGEN IS NOT NULL" : "1"
        let condition: String
        switch bound {
        case .start: condition = ""
        case .transaction: condition = " WHERE t.Z_PK > ?"
        case .date: condition = " WHERE t.ZTIMESTAMP > ?"
        }
        return """
            SELECT t.Z_PK, t.ZTIMESTAMP, \(generation), \(texts.joined(separator: ", ")) FROM ATRANSACTION t\
            \(tables.hasStrings ? joins.joined() : "")\(condition) ORDER BY t.Z_PK
            """
    }

    // MARK: Changes

    private func forEachChange(
        between first: Int64, and last: Int64, _ body: (SQLiteStatement) throws -> Void
    ) throws {
        let tombstones = (0..<tables.tombstoneCount).map { ", \(HistorySchema.tombstoneColumn($0))" }.joined()
        let sql = """
            SELECT ZTRANSACTIONID, Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(tombstones) FROM ACHANGE \
            WHERE ZTRANSACTIONID BETWEEN ? AND ? ORDER BY ZTRANSACTIONID, Z_PK
            """
        try connection.withStatement(sql) { statement in
            statement.bind(first, at: 1)
            statement.bind(last, at: 2)
            while try statement.step() { try body(statement) }
        }
    }

    /// Returns the change in the current row, or `nil` if the store does not contain its entity in this configuration.
    private func change(_ statement: SQLiteStatement, isForeign: Bool) throws -> HistoryRecord.Change? {
        guard let entity = store.plans.entityIndicesByNumber[Int(truncatingIfNeeded: statement.int64(at: 3))],
            let type = HistoryChange.ChangeType(rawValue: statement.int64(at: 2))
        else { return nil }
        let primaryKey = try store.usable(statement.int64(at: 4))
        var names: Set<String>?
        if type == .update, !isForeign, let columns = statement.data(at: 5) {
            names = schema.names(in: columns, entityAt: entity)
        }
        var tombstone: [String: ManagedValue] = [:]
        if type == .delete {
            let attributes = schema.tombstones(
                ofEntityAt: entity, isInModelOrder: tables.hasTombstonesInModelOrder)
            for (place, attribute) in attributes.enumerated() where place < tables.tombstoneCount {
                let column = ValueColumn(attribute, at: 6 + place)
                let value = column.value(statement.managedValue(at: column.position))
                if !value.isNull { tombstone[attribute.name] = value }
            }
        }
        return HistoryRecord.Change(
            number: statement.int64(at: 1), type: type,
            key: ObjectKey(store: store.index, entity: entity, primaryKey: primaryKey), updatedProperties: names,
            tombstone: tombstone)
    }
}

extension SQLiteConnection {
    /// Returns `true` if the history has the transaction at a position, and not another one with its number.
    func holdsTransaction(at position: HistoryPosition) throws -> Bool {
        try withStatement("SELECT ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK = ?") { statement in
            statement.bind(position.number, at: 1)
            guard try statement.step() else { return false }
            // Tokens of earlier versions have no identifier.
            guard let identifier = position.identifier else { return true }
            return identifier == HistoryPosition(number: position.number, writtenAt: statement.double(at: 0)).identifier
        }
    }
}

extension HistoryPosition {
    /// Creates the position of a transaction. The identifier is its number and its time, because a store that is restored from
    /// a backup gives its last numbers again, and Core Data's tables have no other mark.
    fileprivate init(number: Int64, writtenAt time: Double) {
        let mark = (number.bigEndian, time.bitPattern.bigEndian)
        self.init(
            number: number, identifier: withUnsafeBytes(of: mark) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }
}

extension StoreError {
    fileprivate static func repeatedTransaction(_ number: Int64, in url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            The history of \(url.lastPathComponent) contains transaction \(number) twice. Restore the file from a backup, or \
            delete the history.
            """, storeURL: url)
    }
}

@available(*, unavailable)
extension HistoryLoader: Sendable {}
