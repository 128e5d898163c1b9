package import DataMonkCore
import DataMonkSQL
package import Foundation

extension SQLiteStore {
    /// Opens a store file, or makes it.
    ///
    /// - Parameters:
    ///   - index: the store's place among the coordinator's stores.
    ///   - durability: what a commit waits for.
    ///   - migration: how a store of another version is migrated; nil to refuse one.
    ///   - tracksHistory: whether the store keeps a history.
    ///   - trace: who is told of each statement.
    /// - Throws: ``StoreError``: no database, no Core Data store, a store of another version (`incompatibleVersionHash`),
    ///   no permission, locked; ``MigrationError``; ``ModelError`` for an unknown configuration.
    package static func open(
        _ fileURL: URL, configuration: String?, directory: ObjectDirectory, index: Int,
        durability: SQLiteOptions.Durability = .full, migration: StoreMigrationOptions? = nil,
        tracksHistory: Bool = false, trace: StatementTrace? = nil
    ) throws -> SQLiteStore {
        let schema = try StoreSchema(model: directory.model, configuration: configuration)
        return try StoreError.translatingFailures(of: fileURL) {
            var options = SQLiteOptions(access: .readWriteCreate)
            options.durability = durability
            options.label = "writer"
            options.trace = trace
            let externalData =
                schema.externalDataColumns.isEmpty
                ? nil
                : ExternalSources.add { ExternalDataFolder(storeURL: fileURL, directory: directory, number: $0) }
            let (writer, identifier) = try openWriter(fileURL, schema, options, migration, externalData)
            let history = tracksHistory ? try openHistory(HistorySchema(schema), writer.connection, fileURL) : nil
            let readerOptions = options
            let readers = ReaderPool(storeURL: fileURL) {
                var options = readerOptions
                options.access = .readOnly
                options.label = "reader"
                let reader = try SQLiteConnection(fileURL: fileURL, options: options)
                try reader.registerQueryFunctions()
                return reader
            }
            return SQLiteStore(
                identifier: identifier, configuration: configuration, fileURL: fileURL, directory: directory,
                index: index, plans: SQLiteStatements(schema: schema, storeIndex: index, directory: directory),
                externalData: externalData, history: history, readers: readers, writer: writer)
        }
    }

    private static func openHistory(
        _ schema: HistorySchema, _ connection: SQLiteConnection, _ fileURL: URL
    ) throws -> (schema: HistorySchema, tables: HistoryTables) {
        let tables = try connection.transaction(.immediate) { try HistoryTables.ensure(schema, connection, fileURL) }
        return (schema, tables)
    }

    private static func openWriter(
        _ fileURL: URL, _ schema: StoreSchema, _ options: SQLiteOptions, _ migration: StoreMigrationOptions?,
        _ externalData: ExternalDataFolder?
    ) throws -> (SQLiteWriter, UUID) {
        let connection = try SQLiteConnection(fileURL: fileURL, options: options)
        try connection.registerQueryFunctions()
        let derivations = DerivationLog()
        try connection.registerDerivationFunctions(derivations)
        do {
            let identifier = try connection.transaction(.immediate) {
                let identifier =
                    try connection.isEmptyDatabase()
                    ? create(schema, connection) : check(schema, connection, fileURL)
                try externalData?.sweep { try connection.externalDataNames(in: schema) }
                return identifier
            }
            return (SQLiteWriter(connection: connection, derivations: derivations), identifier)
        } catch let error as StoreError where error.isMismatchOfVersions {
            guard let migration else { throw error }
            try connection.close()
            return try openMigrated(fileURL, schema, options, migration, externalData)
        }
    }

    /// Several programs of a new version may start at once: one of them migrates and has the file open from then on, the
    /// others find it done.
    private static func openMigrated(
        _ fileURL: URL, _ schema: StoreSchema, _ options: SQLiteOptions, _ migration: StoreMigrationOptions,
        _ externalData: ExternalDataFolder?
    ) throws -> (SQLiteWriter, UUID) {
        let deadline = ContinuousClock.now + options.busyTimeout
        while true {
            do {
                try StoreMigrator.migrate(fileURL, to: schema, migration, trace: options.trace)
                return try openWriter(fileURL, schema, options, nil, externalData)
            } catch let failure as SQLiteFailure where failure.isBusy {
                do {
                    return try openWriter(fileURL, schema, options, nil, externalData)
                } catch let error as StoreError where error.isMismatchOfVersions {
                    // Whoever has it open is of the version before, or is about to migrate it.
                    guard ContinuousClock.now < deadline else { throw failure }
                    // Not as long for all: who tries to be alone keeps the others out, and they it.
                    usleep(.random(in: 0...100_000))
                }
            }
        }
    }

    // MARK: A new store

    private static func create(_ schema: StoreSchema, _ connection: SQLiteConnection) throws -> UUID {
        for statement in schema.createStatements { try connection.execute(statement) }
        for row in schema.primaryKeyRows {
            try connection.withStatement("INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, ?, 0)") {
                $0.bind(Int64(row.number), at: 1)
                try $0.bind(row.name, at: 2)
                $0.bind(Int64(row.superNumber), at: 3)
                try $0.run()
            }
        }
        let identifier = UUID()
        try connection.withStatement("INSERT INTO Z_METADATA(Z_VERSION, Z_UUID, Z_PLIST) VALUES(1, ?, ?)") {
            try $0.bind(identifier.uuidString, at: 1)
            try $0.bind(StoreMetadata(schema: schema).propertyList(), at: 2)
            try $0.run()
        }
        try connection.withStatement("INSERT INTO Z_MODELCACHE(Z_CONTENT) VALUES(?)") {
            try $0.bind(ModelCache.data(for: schema.model), at: 1)
            try $0.run()
        }
        return identifier
    }

    // MARK: A store that is there

    private static func check(_ schema: StoreSchema, _ connection: SQLiteConnection, _ url: URL) throws -> UUID {
        let objects = try connection.schemaObjects()
        try requireStore(objects, url)
        let (identifier, metadata) = try readMetadata(connection, url)
        if let mismatch = metadata.mismatch(with: schema) { throw StoreError.mismatch(mismatch, url) }
        let prefixes = schema.derivations.map(\.prefix)
        try refuseTriggers(objects, url) { name in prefixes.contains { name.hasPrefix($0) } }
        try checkTables(schema, connection, url)
        try checkNumbers(schema, connection, url)
        try addMissingTriggers(schema, objects, connection)
        return identifier
    }

    /// Triggers that are there stay as they are, Core Data's own. A derived attribute that has none gets them, and its
    /// values: the store was migrated, or written by a version that knew none.
    private static func addMissingTriggers(
        _ schema: StoreSchema, _ objects: [SchemaObject], _ connection: SQLiteConnection
    ) throws {
        if schema.derivations.isEmpty { return }
        let triggers = objects.filter { $0.kind == .trigger }.map(\.name)
        for derivation in schema.derivations where !triggers.contains(where: { $0.hasPrefix(derivation.prefix) }) {
            for statement in derivation.createStatements { try connection.execute(statement) }
            try connection.execute(derivation.computeStatement)
        }
    }

    static func requireStore(_ objects: [SchemaObject], _ url: URL) throws {
        let tables = Set(objects.filter { $0.kind == .table }.map(\.name))
        guard tables.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"]) else { throw StoreError.noCoreDataStore(url) }
    }

    /// The file holds nothing that runs code of whoever made it.
    ///
    /// - Parameter isExpected: whether a trigger of a name is the store's own, given its version.
    static func refuseTriggers(
        _ objects: [SchemaObject], _ url: URL, isExpected: (_ triggerName: String) -> Bool
    ) throws {
        let strange = objects.first { $0.mayRunCode && !($0.kind == .trigger && isExpected($0.name)) }
        if let strange { throw StoreError.unexpectedSchema(strange.kind.rawValue, strange.name, url) }
    }

    static func readMetadata(
        _ connection: SQLiteConnection, _ url: URL
    ) throws -> (UUID, StoreMetadata) {
        try connection.withStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1") { statement in
            defer { statement.reset() }
            guard try statement.step(), let text = statement.text(at: 0), let identifier = UUID(uuidString: text),
                let list = statement.data(at: 1)
            else { throw StoreError.noCoreDataStore(url) }
            do {
                return (identifier, try StoreMetadata(propertyList: list))
            } catch {
                throw StoreError.unreadableMetadata(error, url)
            }
        }
    }

    /// Every column that the model needs is there; more may be.
    static func checkTables(_ schema: StoreSchema, _ connection: SQLiteConnection, _ url: URL) throws {
        for table in schema.tables {
            let missing = try table.columns.map(\.name).filter { try !connection.hasColumn($0, inTable: table.name) }
            if !missing.isEmpty { throw StoreError.missingColumns(missing, of: table.name, url) }
        }
    }

    /// The store numbers its entities as the model does.
    static func checkNumbers(_ schema: StoreSchema, _ connection: SQLiteConnection, _ url: URL) throws {
        let stored: Set<Int> = try connection.withStatement("SELECT Z_ENT FROM Z_PRIMARYKEY") { statement in
            var numbers: Set<Int> = []
            while try statement.step() { numbers.insert(Int(statement.int64(at: 0))) }
            return numbers
        }
        for row in schema.primaryKeyRows where !stored.contains(row.number) {
            throw StoreError.missingEntityNumber(row.number, row.name, url)
        }
    }
}

extension SQLiteConnection {
    /// Whether nothing was ever put into the file.
    fileprivate func isEmptyDatabase() throws -> Bool {
        try int64("SELECT count(*) FROM sqlite_schema") == 0
    }
}
