import DataMonkCore
import DataMonkSQL

/// The rows and links of a damaged store.
extension StoreSalvager {
    // MARK: Objects

    func salvageRows(of table: TableSchema) throws {
        let stored = try storedColumns(of: table.name)
        let columns = table.columns.filter { $0.kind != .primaryKey && stored.contains($0.name.uppercased()) }
            .map(\.identifier)
        if columns.count < table.columns.count(where: { $0.kind != .primaryKey }) { noteUncountedLoss(of: table) }
        guard columns.contains("Z_ENT") else { return }
        let insert = """
            INSERT OR IGNORE INTO \(table.identifier)(Z_PK, \(columns.joined(separator: ", "))) \
            VALUES(\(Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")))
            """
        let entities = columns.firstIndex(of: "Z_ENT") ?? 0
        let numbers = Set(
            schema.numbering.entities.filter { $0.root === table.root && !$0.isAbstract }
                .map { Int64(schema.numbering.number(of: $0)) })
        var reading = DamagedTable(
            source, table.identifier, key: "Z_PK", columns: columns, indexes: try indexes(of: table.name))
        var lost: Set<Int64> = []
        try new.withStatement(insert) { insert in
            let highest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(schema.numbering.number(of: table.root))"
            try reading.readWithinSteps(highest: highest, isKnown: { try isSaved($0, table) }) { row, lostValues in
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
        // Remains of a row may be beside it.
        lost = try lost.filter { try !isSaved($0, table) }
        counts[table.root.name]?.lostObjects += lost.count
        if reading.isDamaged || diagnosis.hasDamagedPages {
            try countLostObjects(of: table, Int(reading.unreadable), unusable: lost)
        }
    }

    private func noteUncountedLoss(of table: TableSchema) {
        for entity in schema.numbering.entities where entity.root === table.root && !entity.isAbstract {
            counts[entity.name]?.mayHaveLostMore = true
        }
    }

    /// Counts the objects that indexes list and that are not in the new store.
    ///
    /// - Parameters:
    ///   - unreadable: The number of keys that could not be read.
    ///   - unusable: The keys of rows that were left out, which are counted already.
    private func countLostObjects(of table: TableSchema, _ unreadable: Int, unusable: Set<Int64>) throws {
        var seen: Set<Int64> = []
        let concrete = schema.numbering.entities.filter { $0.root === table.root && !$0.isAbstract }
        let only = concrete.count == 1 ? concrete[0].name : table.root.name
        let savedCount = try writing { try new.int64("SELECT count(*) FROM \(table.identifier)") }
        var isComplete = false
        for index in try indexes(of: table.name) {
            let isOfEntities = try source.texts("SELECT name FROM pragma_index_info(?)", unquoted(index)) == ["Z_ENT"]
            let entity = isOfEntities ? "Z_ENT" : "NULL"
            // Columns that the index has: no row of the table is looked at.
            let sql = "SELECT Z_PK, \(entity) FROM \(table.identifier) INDEXED BY \(index)"
            try source.ignoringDamageWithinSteps {
                var listedCount: Int64 = 0
                try source.withStatement(sql) { statement in
                    while try statement.step() {
                        let key = statement.int64(at: 0)
                        if try isSaved(key, table) {
                            listedCount += 1
                            continue
                        }
                        guard !unusable.contains(key), seen.insert(key).inserted else { continue }
                        let number = Int(truncatingIfNeeded: statement.int64(at: 1))
                        let name = isOfEntities ? schema.numbering.entity(numbered: number)?.name : nil
                        counts[name ?? only]?.lostObjects += 1
                    }
                }
                // An index that lists every row that was read lists the others, too.
                if listedCount == savedCount { isComplete = true }
            }
        }
        if isComplete { return }
        counts[only]?.unreadableKeys += max(0, unreadable - seen.count)
        noteUncountedLoss(of: table)
    }

    private func isSaved(_ key: Int64, _ table: TableSchema) throws -> Bool {
        try writing {
            try new.withStatement("SELECT 1 FROM \(table.identifier) WHERE Z_PK = ?") { statement in
                statement.bind(key, at: 1)
                return try statement.step()
            }
        }
    }

    /// Uses the new store. Its failures are not taken for damage of the old one.
    private func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try StoreError.translatingFailures(of: target, body)
    }

    /// Returns the names of the columns that a table has in the file, folded. A computed one would run an expression of whoever
    /// made the file for each row.
    private func storedColumns(of table: String) throws -> Set<String> {
        Set(try source.columns(ofTable: table).map { $0.uppercased() })
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
        let stored = try storedColumns(of: table.name)
        let columns = table.columns.filter { stored.contains($0.uppercased()) }.map { SQLIdentifier.quotedIfNeeded($0) }
        let owner = table.relationship.entity.name
        guard columns.count >= 2 else {
            counts[owner]?.mayHaveLostMore = true
            return
        }
        func insert(_ columns: [String]) -> String {
            """
            INSERT OR IGNORE INTO \(name)(\(columns.joined(separator: ", "))) \
            SELECT \(columns.indices.map { "?\($0 + 2)" }.joined(separator: ", ")) WHERE ?1 IS NOT NULL
            """
        }
        let indexes = try indexes(of: table.name)
        var reading = DamagedTable(source, name, key: "rowid", columns: columns, indexes: indexes)
        try new.withStatement(insert(columns)) { insert in
            try reading.readWithinSteps { row, _ in try copy(row, columns.count + 1, to: insert) }
        }
        var unreadable = Int(reading.unreadable)
        // The indexes have each link, too, but not its position.
        let keys = columns.prefix(2)
        for index in indexes {
            let sql = "SELECT 1, \(keys.joined(separator: ", ")) FROM \(name) INDEXED BY \(index)"
            try source.ignoringDamageWithinSteps {
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
        counts[owner]?.lostLinks += max(0, unreadable)
    }

    private func copy(_ row: SQLiteStatement, _ count: Int, to insert: SQLiteStatement) throws {
        try writing {
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
}
