import DataMonkCore
import DataMonkSQL
import Foundation

/// Tables, indexes, triggers, and everything that is more than a question to rows.
extension StoreExaminer {
    // MARK: Tables and indexes

    mutating func checkObjects(_ schema: StoreSchema) throws {
        for object in objects where schema.isStrange(object) {
            let name = SQLIdentifier.quotedIfNeeded(object.name)
            let canDrop = object.kind == .trigger || object.kind == .view
            diagnoses.append(
                Diagnosis(
                    .unexpectedCode, table: object.table,
                    problem: object.kind == .table
                        ? """
                        The table \(object.name) has a computed column, a check, a default or a conflict clause, which \
                        could run code of whoever made it.
                        """
                        : """
                        The \(object.kind.rawValue) \(object.name) does not belong to the store and could run code of \
                        whoever made it.
                        """,
                    repair: canDrop
                        ? .init(["DROP \(object.kind.rawValue.uppercased()) \(name)"], "drops it") : nil))
        }
        checkListTable(schema)
        for table in schema.tables {
            guard hasTable(table.name) else {
                missingTable(table.name, entityName: table.root.name)
                continue
            }
            try checkColumns(table.columns.map(\.name), of: table.name, entityName: table.root.name)
            for index in table.indexes where index.isUnique { try checkUnique(index, table) }
        }
        for table in schema.joinTables {
            guard hasTable(table.name) else {
                missingTable(table.name, entityName: table.relationship.entity.name)
                continue
            }
            try checkColumns(table.columns, of: table.name, entityName: table.relationship.entity.name)
        }
    }

    private mutating func missingTable(_ name: String, entityName: String) {
        isComplete = false
        diagnoses.append(
            Diagnosis(
                .missingTable, entityName: entityName, table: name, problem: "The table \(name) is missing."))
    }

    /// The list of entities can be written again from the model and the tables.
    private mutating func checkListTable(_ schema: StoreSchema) {
        if hasTable("Z_PRIMARYKEY") { return }
        let create = StoreSchema.listTableStatement
        let rows = schema.listChecks.filter { $0.kind == .missingEntity }.flatMap { $0.repair?.statements ?? [] }
        diagnoses.append(
            Diagnosis(
                .missingTable, table: "Z_PRIMARYKEY", problem: "The list of entities, Z_PRIMARYKEY, is missing.",
                repair: .init([create] + rows, "makes it from the model and the highest keys in use")))
    }

    private mutating func checkColumns(_ columns: [String], of table: String, entityName: String) throws {
        let missing = try columns.filter { try !connection.hasColumn($0, inTable: table) }
        if missing.isEmpty { return }
        isComplete = false
        diagnoses.append(
            Diagnosis(
                .missingColumn, entityName: entityName, table: table, count: missing.count,
                problem: "The table \(table) has no \(missing.joined(separator: ", "))."))
    }

    /// Any unique index over the columns will do: early frameworks wrote constraints in other forms.
    private mutating func checkUnique(_ index: IndexSchema, _ table: TableSchema) throws {
        let columns = index.columns.map { String($0.prefix { $0 != " " }) }
        let names = try connection.texts("SELECT name FROM pragma_index_list(?) WHERE \"unique\" = 1", table.name)
        let isThere = try names.contains { name in
            let own = try connection.texts("SELECT name FROM pragma_index_info(?) ORDER BY seqno", name)
            return Set(own.map { SQLIdentifier.quotedIfNeeded($0) }) == Set(columns)
        }
        if isThere { return }
        diagnoses.append(
            Diagnosis(
                .missingIndex, entityName: table.root.name, table: table.name,
                problem: "The index \(index.name), which keeps values unique, is missing.",
                repair: .init([index.createStatement], "creates it")))
    }

    // MARK: Derived attributes

    mutating func checkTriggers(_ schema: StoreSchema) throws {
        for derivation in schema.derivations {
            let stored = SQLiteStore.triggers(of: derivation, in: objects)
            if derivation.isKept(by: stored) || derivation.wasKept(by: stored) { continue }
            let drop = stored.map { "DROP TRIGGER \(SQLIdentifier.quotedIfNeeded($0.name))" }
            diagnoses.append(
                Diagnosis(
                    .wrongTriggers, entityName: derivation.entityName, propertyName: derivation.attributeName,
                    table: derivation.tableName,
                    problem: """
                        The triggers of \(derivation.entityName).\(derivation.attributeName) are missing or changed, so \
                        the values may be out of date.
                        """,
                    repair: .init(
                        drop + derivation.createStatements + [derivation.computeStatement],
                        "replaces them and computes the values again")))
        }
    }

    mutating func checkDerivedValues(_ schema: StoreSchema) throws {
        for derivation in schema.derivations {
            try run(
                RowCheck(
                    .wrongDerivedValue, entityName: derivation.entityName, propertyName: derivation.attributeName,
                    table: derivation.tableName, select: derivation.differenceStatement,
                    problem: "\(derivation.attributeName) is not the value that it is derived from",
                    repair: .init([derivation.computeStatement], "computes it again")))
        }
    }

    // MARK: History

    /// - Returns: Whether there is a history.
    mutating func checkHistory() throws -> Bool {
        let tables: HistoryTables?
        do {
            tables = try HistoryTables(on: connection, at: storeURL)
        } catch let error as StoreError where error.code == .corrupt {
            diagnoses.append(
                Diagnosis(
                    .damagedHistory, problem: "The history is incomplete: tables or columns are missing.",
                    advice: "Restore a backup, or salvage the store, which loses the history."))
            return true
        }
        guard let tables else { return false }
        for check in StoreSchema.historyChecks(hasStrings: tables.hasStrings) {
            // Its numbers are in the list of entities, which may be missing.
            if check.table == "Z_PRIMARYKEY", !hasTable(check.table) { continue }
            try run(check)
        }
        return true
    }

    // MARK: External data

    mutating func checkExternalData(_ schema: StoreSchema) throws {
        let attributes = schema.externalDataAttributes
        if attributes.isEmpty { return }
        // Files that were written before the snapshot ended; younger ones may be about to be referred to.
        let old = try readingFolder { try folder.filesPastGracePeriod() } ?? []
        var referenced: Set<UUID> = []
        for attribute in attributes {
            try reading(attribute.entity.table.name) { examiner in
                try examiner.checkFiles(of: attribute, &referenced)
            }
        }
        // Another store beside this one may refer to the files.
        guard isComplete, try readingFolder({ try folder.open(creating: false) }) != nil,
            try readingFolder({ try folder.hasSibling }) == false
        else { return }
        let orphans = ExternalDataFolder.orphans(among: old, referenced: referenced).sorted()
        if orphans.isEmpty { return }
        diagnoses.append(
            Diagnosis(
                .orphanFile, files: orphans, count: orphans.count,
                problem: """
                    No row refers to \(orphans.count) \(orphans.count == 1 ? "file" : "files") in \
                    \(ExternalDataFolder.url(of: storeURL).lastPathComponent). They are removed when the store is next \
                    opened for writing and nobody else has it open.
                    """, repair: .init([], "leaves them out")))
    }

    /// Reads the folder for external data; `nil` if it cannot be read. Its files are missing then.
    private func readingFolder<Result>(_ body: () throws -> Result?) throws -> Result? {
        do {
            return try body()
        } catch let error as StoreError where error.isOfUnreadableFile {
            return nil
        }
    }

    private mutating func checkFiles(
        of attribute: StoreSchema.ExternalDataAttribute, _ referenced: inout Set<UUID>
    ) throws {
        let (table, column) = (attribute.entity.table, attribute.column.identifier)
        let numbers = attribute.entity.familyNumbers
        var rows: [StoreFinding.Row] = []
        var files: [String] = []
        var count = 0
        let sql = """
            SELECT Z_PK, substr(\(column), 2, 36), Z_ENT BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound) \
            FROM \(table.identifier) \
            WHERE length(\(column)) BETWEEN 37 AND 38 AND substr(\(column), 1, 1) = x'02' ORDER BY Z_PK
            """
        try connection.withStatement(sql) { statement in
            while try statement.step() {
                let name = String(decoding: statement.unsafeBlob(at: 1), as: UTF8.self)
                let identifier = UUID(uuidString: name)
                if let identifier { referenced.insert(identifier) }
                guard statement.int64(at: 2) != 0 else { continue }
                if let identifier, try folder.canRead(identifier) { continue }
                count += 1
                guard rows.count < StoreFinding.maximumListed else { continue }
                rows.append(StoreFinding.Row(primaryKey: statement.int64(at: 0)))
                files.append(name)
            }
        }
        if count == 0 { return }
        let name = attribute.attribute.name
        diagnoses.append(
            Diagnosis(
                missingFiles: files, rows: rows, count: count, entityName: attribute.entity.entity.name,
                propertyName: name, table: table.name, folder: ExternalDataFolder.url(of: storeURL).lastPathComponent))
    }

    // MARK: Counts

    mutating func countObjects(_ schema: StoreSchema) throws -> [String: Int] {
        var counts = Dictionary(uniqueKeysWithValues: schema.numbering.entities.map { ($0.name, 0) })
        for table in schema.tables where hasTable(table.name) {
            try reading(table.name) { examiner in
                let sql = "SELECT Z_ENT, count(*) FROM \(table.identifier) GROUP BY Z_ENT"
                try examiner.connection.withStatement(sql) { statement in
                    while try statement.step() {
                        let number = Int(truncatingIfNeeded: statement.int64(at: 0))
                        guard let entity = schema.numbering.entity(numbered: number), entity.root === table.root
                        else { continue }
                        counts[entity.name, default: 0] += Int(statement.int64(at: 1))
                    }
                }
            }
        }
        return counts
    }
}

extension Diagnosis {
    fileprivate init(
        missingFiles files: [String], rows: [StoreFinding.Row], count: Int, entityName: String, propertyName: String,
        table: String, folder: String
    ) {
        finding = StoreFinding(
            .missingFile, entityName: entityName, propertyName: propertyName, table: table, rows: rows, files: files,
            count: count, remedy: .manual,
            message: """
                In \(count) \(count == 1 ? "row" : "rows") of \(table), \(propertyName) is in a file that is missing in \
                \(folder), or cannot be read there. Put the folder back beside the store, or salvage the store, which leaves the values out.
                """)
        repair = nil
        sacrifice = nil
    }
}

extension SQLiteConnection {
    /// Returns the first column of all rows, as text.
    func texts(_ sql: String, _ parameter: String? = nil) throws -> [String] {
        try withStatement(sql) { statement in
            if let parameter { try statement.bind(parameter, at: 1) }
            var texts: [String] = []
            while try statement.step() { texts.append(statement.text(at: 0) ?? "") }
            return texts
        }
    }
}
