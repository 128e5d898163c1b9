import DataMonkCore
import DataMonkSQL

/// Reading past damaged pages.
///
/// A table is read from its first row to its last. If there is damage on the way, its keys are halved again and again: halves
/// without damage are read as a whole, and what is left in the end are single keys, on damaged pages or of no row. Of a row whose
/// long values alone are damaged, the other values are read. A row may be read more than once, and is kept once.
extension StoreSalvager {
    /// The maximum number of ranges of keys that are looked for in one table. Each takes some microseconds.
    private static let maximumAttempts = 1_000_000

    /// Runs reads that may meet damage, and gives up at it.
    func ignoringDamage(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as SQLiteFailure where isDamage(failure) {
            // Unreadable values are counted elsewhere.
        }
    }

    /// Returns `true` if a failure is the file's: a damaged page, or a table or column that is not there.
    private func isDamage(_ failure: SQLiteFailure) -> Bool {
        StoreError(failure, storeURL: source.fileURL).code == .corrupt || failure.operation == .prepare
    }

    /// **Value.** A table that is being read, and what could not be.
    private struct Reading {
        let table: String
        /// The name of the key's column.
        let key: String
        /// The columns that the file has.
        let columns: [String]
        var attempts = 0
        var unreadable: Int64 = 0

        func select(_ columns: [String], isRange: Bool = true) -> String {
            "SELECT \(([key] + columns).joined(separator: ", ")) FROM \(table)"
                + (isRange ? " WHERE \(key) >= ? AND \(key) <= ? ORDER BY \(key)" : "")
        }
    }

    // MARK: Objects

    func salvageRows(of table: TableSchema) throws {
        let columns = try table.columns.filter {
            try $0.kind != .primaryKey && source.hasColumn($0.name, inTable: table.name)
        }.map(\.identifier)
        guard columns.contains("Z_ENT") else { return }
        let insert = """
            INSERT OR IGNORE INTO \(table.identifier)(Z_PK, \(columns.joined(separator: ", "))) \
            VALUES(\(Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")))
            """
        let entities = columns.firstIndex(of: "Z_ENT") ?? 0
        let numbers = Set(
            schema.numbering.entities.filter { $0.root === table.root && !$0.isAbstract }
                .map { Int64(schema.numbering.number(of: $0)) })
        var reading = Reading(table: table.identifier, key: "Z_PK", columns: columns)
        var lost: Set<Int64> = []
        try new.withStatement(insert) { insert in
            let highest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(schema.numbering.number(of: table.root))"
            try read(&reading, indexes(of: table.name), highest: highest) { row, lostValues in
                let (key, number) = (row.int64(at: 0), row.int64(at: entities + 1))
                let isNumber = row.type(at: entities + 1) == .integer
                guard isNumber, numbers.contains(number), 1...ObjectKey.maximumPrimaryKey ~= key else {
                    lost.insert(key)
                    return
                }
                try copy(row, columns.count + 1, to: insert)
                if let entity = schema.numbering.entity(numbered: Int(number)), new.changes > 0 {
                    counts[entity.name]?.lostValues += lostValues
                }
            }
        }
        counts[table.root.name]?.lostObjects += lost.count
        if reading.unreadable > 0 { try countLostObjects(of: table, reading.unreadable) }
    }

    /// Counts the objects that indexes list and that are not in the new store.
    private func countLostObjects(of table: TableSchema, _ unreadable: Int64) throws {
        var seen: Set<Int64> = []
        let concrete = schema.numbering.entities.filter { $0.root === table.root && !$0.isAbstract }
        let only = concrete.count == 1 ? concrete[0].name : table.root.name
        for index in try indexes(of: table.name) {
            let isOfEntities = try source.texts("SELECT name FROM pragma_index_info(?)", unquoted(index)) == ["Z_ENT"]
            let entity = isOfEntities ? "Z_ENT" : "NULL"
            // Columns that the index has: no row of the table is looked at.
            let sql = "SELECT Z_PK, \(entity) FROM \(table.identifier) INDEXED BY \(index)"
            try ignoringDamage {
                try source.withStatement(sql) { statement in
                    while try statement.step() {
                        let key = statement.int64(at: 0)
                        guard !seen.contains(key), try !isSaved(key, table) else { continue }
                        seen.insert(key)
                        let number = Int(truncatingIfNeeded: statement.int64(at: 1))
                        let name = isOfEntities ? schema.numbering.entity(numbered: number)?.name : nil
                        counts[name ?? only]?.lostObjects += 1
                    }
                }
            }
        }
        counts[only]?.unreadableKeys += max(0, Int(unreadable) - seen.count)
    }

    private func isSaved(_ key: Int64, _ table: TableSchema) throws -> Bool {
        try new.withStatement("SELECT 1 FROM \(table.identifier) WHERE Z_PK = ?") { statement in
            statement.bind(key, at: 1)
            return try statement.step()
        }
    }

    private func indexes(of table: String) throws -> [String] {
        try source.texts("SELECT name FROM pragma_index_list(?) WHERE partial = 0", table)
            .map { SQLIdentifier.quotedIfNeeded($0) }
    }

    private func unquoted(_ identifier: String) -> String {
        guard identifier.hasPrefix("\"") else { return identifier }
        return String(identifier.dropFirst().dropLast()).replacing("\"\"", with: "\"")
    }

    // MARK: Links

    func salvageLinks(of table: JoinTableSchema) throws {
        let name = SQLIdentifier.quotedIfNeeded(table.name)
        let columns = try table.columns.filter { try source.hasColumn($0, inTable: table.name) }
            .map { SQLIdentifier.quotedIfNeeded($0) }
        guard columns.count >= 2 else { return }
        func insert(_ columns: [String]) -> String {
            """
            INSERT OR IGNORE INTO \(name)(\(columns.joined(separator: ", "))) \
            SELECT \(columns.indices.map { "?\($0 + 2)" }.joined(separator: ", ")) WHERE ?1 IS NOT NULL
            """
        }
        let indexes = try indexes(of: table.name)
        var reading = Reading(table: name, key: "rowid", columns: columns)
        try new.withStatement(insert(columns)) { insert in
            try read(&reading, indexes) { row, _ in try copy(row, columns.count + 1, to: insert) }
        }
        var unreadable = Int(reading.unreadable)
        // The indexes have each link, too, but not its position.
        let keys = columns.prefix(2)
        for index in indexes {
            let sql = "SELECT 1, \(keys.joined(separator: ", ")) FROM \(name) INDEXED BY \(index)"
            try ignoringDamage {
                try source.withStatement(sql) { row in
                    try new.withStatement(insert(Array(keys))) { insert in
                        while try row.step() {
                            try copy(row, 3, to: insert)
                            unreadable -= Int(new.changes)
                        }
                    }
                }
            }
        }
        counts[table.relationship.entity.name]?.lostLinks += max(0, unreadable)
    }

    // MARK: Reading

    /// Reads the rows of a table.
    ///
    /// - Parameters:
    ///   - indexes: The table's indexes, which tell how far to look for rows beyond damage.
    ///   - highest: A statement that selects a key to look as far as; `nil` if there is none.
    ///   - body: Called with each row, whose first column is its key, and the number of values that it has lost.
    private func read(
        _ reading: inout Reading, _ indexes: [String], highest: String? = nil,
        _ body: (SQLiteStatement, Int) throws -> Void
    ) throws {
        do {
            try source.withStatement(reading.select(reading.columns, isRange: false)) { row in
                while try row.step() { try body(row, 0) }
            }
            return
        } catch let failure as SQLiteFailure where isDamage(failure) {
            // It is read in parts.
        }
        let (key, table) = (reading.key, reading.table)
        let usable = "WHERE \(key) <= \(ObjectKey.maximumPrimaryKey)"
        let bounds =
            ["SELECT max(\(key)) FROM \(table) \(usable)"]
            + indexes.map { "SELECT max(+\(key)) FROM \(table) INDEXED BY \($0) \(usable)" }
            + [highest].compactMap(\.self)
        var last: Int64 = 1
        for bound in bounds { try ignoringDamage { last = max(last, try source.int64(bound)) } }
        try read(1...min(last, ObjectKey.maximumPrimaryKey), &reading, body)
    }

    /// Reads the rows in a range of keys. Where they end, by damage or at a row whose key is out of order, the rest is halved.
    private func read(
        _ range: ClosedRange<Int64>, _ reading: inout Reading, _ body: (SQLiteStatement, Int) throws -> Void
    ) throws {
        guard reading.attempts < Self.maximumAttempts else {
            reading.unreadable += Int64(range.count)
            return
        }
        reading.attempts += 1
        var next = range.lowerBound
        do {
            try source.withStatement(reading.select(reading.columns)) { statement in
                statement.bind(range.lowerBound, at: 1)
                statement.bind(range.upperBound, at: 2)
                while try statement.step() {
                    try body(statement, 0)
                    next = max(next, statement.int64(at: 0) + 1)
                }
            }
        } catch let failure as SQLiteFailure where isDamage(failure) {
            if range.count == 1 { return try readParts(of: next, &reading, body) }
        }
        guard next <= range.upperBound, range.count > 1 else { return }
        let middle = next + (range.upperBound - next) / 2
        try read(next...middle, &reading, body)
        if middle < range.upperBound { try read((middle + 1)...range.upperBound, &reading, body) }
    }

    /// Reads those values of a row that can be read.
    private func readParts(
        of key: Int64, _ reading: inout Reading, _ body: (SQLiteStatement, Int) throws -> Void
    ) throws {
        let columns = try reading.columns.map { column -> String in
            var isReadable = false
            try ignoringDamage {
                isReadable = try source.withStatement(reading.select([column])) { statement in
                    statement.bind(key, at: 1)
                    statement.bind(key, at: 2)
                    return try statement.step()
                }
            }
            return isReadable ? column : "NULL"
        }
        let lost = columns.count { $0 == "NULL" }
        guard lost < columns.count else {
            reading.unreadable += 1
            return
        }
        try source.withStatement(reading.select(columns)) { statement in
            statement.bind(key, at: 1)
            statement.bind(key, at: 2)
            if try statement.step() { try body(statement, lost) }
        }
    }

    private func copy(_ row: SQLiteStatement, _ count: Int, to insert: SQLiteStatement) throws {
        for column in 0..<count {
            switch row.type(at: column) {
            case .null: insert.bindNull(at: column + 1)
            case .integer: insert.bind(row.int64(at: column), at: column + 1)
            case .double: insert.bind(row.double(at: column), at: column + 1)
            case .text: try insert.bind(text: row.unsafeText(at: column), at: column + 1)
            case .blob: try insert.bind(blob: row.unsafeBlob(at: column), at: column + 1)
            }
        }
        try insert.run()
    }
}
