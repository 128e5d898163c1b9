package import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Confined.** Makes a new store of everything that can be read in a damaged one, and counts what is lost.
///
/// ```
/// create       an empty store of the same model, identifier and application metadata, without its unique indexes and triggers
/// rows         each table in the order of its keys, past damaged pages; see `DamagedTable`
/// links        from the tables of links and from their indexes, which have them, too
/// files        of external data; values whose file is missing are left out
/// correct      references to nothing, values of the wrong type, values that are not unique, positions
/// finish       unique indexes, triggers, derived values
/// examine      what is published is sound
/// publish
/// ```
/// The history is not taken along: it would tell of objects that are not there.
package final class StoreSalvager {
    let source: SQLiteConnection
    let new: SQLiteConnection
    /// The place of the new store, which errors name.
    let target: URL
    let schema: StoreSchema
    let diagnosis: StoreDiagnosis
    var counts: [String: StoreSalvage.Count]
    /// The names of files of external data that could not be read.
    private var lostFiles: [String] = []

    /// Salvages a store.
    ///
    /// - Parameters:
    ///   - url: The damaged store, which is only read.
    ///   - storeURL: The location of the store that the file is a copy of, beside which its external data lies; `nil` if it is
    ///     the store.
    ///   - target: The place of the new store, where nothing is yet.
    ///   - model: The store's model; `nil` for the one inside the store.
    /// - Throws: ``StoreError`` if the store cannot be opened at all, or if its model is not known.
    package static func salvage(
        _ url: URL, of storeURL: URL? = nil, to target: URL, model: ManagedObjectModel? = nil
    ) throws -> StoreSalvage {
        let storeURL = storeURL ?? url
        return try StoreCopier.withCopier(of: url, filesURL: storeURL, to: target, needsFolder: false) { copier in
            let salvage = try SQLiteConnection.reading(url) { source in
                try copier.file.reset()
                try source.registerQueryFunctions()
                try source.beginSnapshot()
                let diagnosis = try StoreExaminer.examine(source, copier.source, model: model)
                guard let schema = diagnosis.schema else {
                    throw StoreError.withoutModel(diagnosis.examination, storeURL)
                }
                // SQLite checks the sizes of a page's rows only when it reads the page from the disk: rows on a damaged one
                // could be read or not, depending on what was read before. Each row is checked when it is read.
                try source.execute("PRAGMA cell_size_check = 0")
                let salvager = try StoreSalvager(source, copier.file, schema, diagnosis)
                let salvage = try salvager.run(copier, keepsModel: model == nil)
                try source.rollback()
                return salvage
            }
            try copier.file.requireSound(model: model) { StoreError.unsalvageable($0, storeURL) }
            try copier.file.publish()
            return salvage
        }
    }

    private init(
        _ source: SQLiteConnection, _ file: NewStoreFile, _ schema: StoreSchema, _ diagnosis: StoreDiagnosis
    ) throws {
        self.source = source
        self.schema = schema
        self.diagnosis = diagnosis
        target = file.url
        new = try StoreRepairer.writingConnection(to: file.partialURL)
        counts = Dictionary(
            uniqueKeysWithValues: schema.numbering.entities.map { ($0.name, StoreSalvage.Count()) })
    }

    private func run(_ copier: StoreCopier, keepsModel: Bool) throws -> StoreSalvage {
        try new.transaction(.immediate) {
            try create(keepsModel: keepsModel)
            for table in schema.tables { try salvageRows(of: table) }
            for table in schema.joinTables { try salvageLinks(of: table) }
            try raiseHighestKeys()
            try copyFiles(copier)
            try correct()
            try finish()
        }
        try countObjects()
        try new.close()
        return StoreSalvage(
            url: copier.file.url, counts: counts, lostFiles: lostFiles, losesHistory: diagnosis.hasHistory)
    }

    // MARK: The new store

    private func create(keepsModel: Bool) throws {
        _ = try SQLiteStore.create(schema, on: new)
        for index in schema.tables.flatMap(\.indexes) where index.isUnique {
            try new.execute("DROP INDEX \(SQLIdentifier.quotedIfNeeded(index.name))")
        }
        for trigger in schema.derivations.flatMap(\.triggers) {
            try new.execute("DROP TRIGGER \(SQLIdentifier.quotedIfNeeded(trigger.name))")
        }
        if let identifier = diagnosis.identifier {
            try new.withStatement("UPDATE Z_METADATA SET Z_UUID = ?") {
                try $0.bind(identifier, at: 1)
                try $0.run()
            }
        }
        if let metadata = diagnosis.metadata {
            let list = try metadata.forNewStore(schema).propertyList()
            try new.execute("UPDATE Z_METADATA SET Z_PLIST = \(StoreExaminer.literal(list))")
        }
        guard keepsModel else { return }
        // Parts of the model that this library does not understand stay in it.
        var model: Data?
        try source.ignoringDamageWithinSteps {
            model = try source.withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { statement in
                try statement.step() ? statement.data(at: 0) : nil
            }
        }
        if let model { try new.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = \(StoreExaminer.literal(model))") }
    }

    /// The highest keys of the damaged store stay: a key that was given out is not given out again.
    private func raiseHighestKeys() throws {
        for check in schema.listChecks where check.kind == .wrongHighestKey {
            for statement in check.repair?.statements ?? [] { try new.execute(statement) }
        }
        try source.ignoringDamageWithinSteps {
            let sql = "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE typeof(Z_MAX) = 'integer'"
            try source.withStatement(sql) { statement in
                while try statement.step() {
                    let (number, highest) = (statement.int64(at: 0), statement.int64(at: 1))
                    guard highest < ObjectKey.maximumPrimaryKey else { continue }
                    try new.execute(
                        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_ENT = \(number) AND Z_MAX < \(highest)")
                }
            }
        }
    }

    private func finish() throws {
        for index in schema.tables.flatMap(\.indexes) where index.isUnique { try new.execute(index.createStatement) }
        for derivation in schema.derivations {
            for statement in derivation.createStatements { try new.execute(statement) }
            try new.execute(derivation.computeStatement)
        }
    }

    // MARK: Values and links

    private func copyFiles(_ copier: StoreCopier) throws {
        lostFiles = try copier.copyFiles(new.externalDataNames(in: schema), skipsUnreadable: true)
        let missing = Set(lostFiles)
        for attribute in schema.externalDataAttributes {
            let column = attribute.column.identifier
            let select = """
                SELECT Z_PK, upper(CAST(substr(\(column), 2, 36) AS TEXT)) FROM \(attribute.entity.table.identifier) \
                WHERE length(\(column)) BETWEEN 37 AND 38 AND substr(\(column), 1, 1) = x'02'
                """
            let rows = try new.withStatement(select) { statement in
                var rows: [Int64] = []
                while try statement.step() {
                    let name = statement.text(at: 1) ?? ""
                    if UUID(uuidString: name) == nil || missing.contains(name) { rows.append(statement.int64(at: 0)) }
                }
                return rows
            }
            for row in rows {
                try new.execute(
                    "UPDATE \(attribute.entity.table.identifier) SET \(column) = NULL WHERE Z_PK = \(row)")
            }
            counts[attribute.entity.entity.name]?.lostValues += rows.count
        }
    }

    /// Runs the corrections of everything that is found, until nothing is: first those that lose nothing.
    private func correct() throws {
        for _ in 0..<4 {
            var hasFound = false
            for check in schema.rowChecks {
                for correction in [check.repair, check.sacrifice].compactMap(\.self) {
                    guard try new.withStatement(check.select, body: { try $0.step() }) else { break }
                    hasFound = true
                    try run(correction, of: check)
                }
            }
            if !hasFound { return }
        }
    }

    private func run(_ correction: RowCheck.Correction, of check: RowCheck) throws {
        for (place, statement) in correction.statements.enumerated() {
            let count = try new.changes(by: statement)
            guard place < correction.losingCount, let name = check.entityName else { continue }
            switch check.kind {
            case .wrongValue, .duplicateValues: counts[name]?.lostValues += count
            default: counts[name]?.lostLinks += count
            }
        }
    }

    private func countObjects() throws {
        for table in schema.tables {
            let sql = "SELECT Z_ENT, count(*) FROM \(table.identifier) GROUP BY Z_ENT"
            try new.withStatement(sql) { statement in
                while try statement.step() {
                    let entity = schema.numbering.entity(numbered: Int(truncatingIfNeeded: statement.int64(at: 0)))
                    if let entity { counts[entity.name]?.savedObjects = Int(statement.int64(at: 1)) }
                }
            }
        }
    }
}

@available(*, unavailable)
extension StoreSalvager: Sendable {}

extension StoreError {
    fileprivate static func withoutModel(_ examination: StoreExamination, _ url: URL) -> StoreError {
        let reasons = examination.findings.filter { [.unreadableModel, .differentModel].contains($0.kind) }
        return StoreError(
            .missingModel,
            """
            \(url.lastPathComponent) cannot be salvaged without the model that it was written with. \
            \(reasons.map(\.message).joined(separator: " "))
            """, storeURL: url)
    }

    fileprivate static func unsalvageable(_ findings: [StoreFinding], _ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            What was salvaged from \(url.lastPathComponent) is not sound, and was removed. \
            \(findings.prefix(3).map(\.description).joined(separator: " ")) If you report it, attach a copy of the store.
            """, storeURL: url)
    }
}
