package import DataMonkCore
import DataMonkSQL
package import Foundation

extension SQLiteStore {
    /// Opens a store file, or makes it.
    ///
    /// - Parameters:
    ///   - index: the store's place among the coordinator's stores.
    ///   - access: for writing too, for reading alone, or as a file that nobody changes.
    ///   - durability: what a commit waits for.
    ///   - busyTimeout: how long another connection's lock is waited for.
    ///   - migration: how a store of another version is migrated; nil to refuse one.
    ///   - tracksHistory: whether the store keeps a history.
    ///   - trace: who is told of each statement.
    /// - Throws: ``StoreError``: no database, no Core Data store, a store of another version (`incompatibleVersionHash`),
    ///   no permission, locked; ``MigrationError``; ``ModelError`` for an unknown configuration.
    package static func open(
        _ fileURL: URL, configuration: String?, directory: ObjectDirectory, index: Int,
        access: SQLiteOptions.Access = .readWriteCreate, durability: SQLiteOptions.Durability = .full,
        busyTimeout: Duration = .seconds(5), migration: StoreMigrationOptions? = nil, tracksHistory: Bool = false,
        trace: StatementTrace? = nil
    ) throws -> SQLiteStore {
        let schema = try StoreSchema(model: directory.model, configuration: configuration)
        return try StoreError.translatingFailures(of: fileURL) {
            var options = SQLiteOptions(access: access)
            options.durability = durability
            options.busyTimeout = busyTimeout
            options.label = "writer"
            options.trace = trace
            let externalData =
                schema.externalDataColumns.isEmpty
                ? nil
                : ExternalSources.add {
                    ExternalDataFolder(storeURL: fileURL, directory: directory, number: $0, lockTimeout: busyTimeout)
                }
            let (writer, identifier) =
                access.canWrite
                ? try openWriter(fileURL, schema, options, migration)
                : try openForReading(fileURL, schema, &options)
            let schema = try fitted(schema, to: writer.connection)
            if access.canWrite {
                try repairTriggers(schema, writer.connection, fileURL, directory)
            } else {
                try reportTriggers(schema, writer.connection, fileURL, directory)
            }
            if let externalData {
                // Held until the store is closed, and before a row is read that may name a file.
                _ = try externalData.open(creating: access.canWrite)
                if access.canWrite { sweep(externalData, schema, writer.connection) }
                try externalData.share()
            }
            let history =
                access.canWrite
                ? try openHistory(schema, writer.connection, fileURL, directory, isAsked: tracksHistory) : nil
            let files = try StoreFiles(of: writer.connection)
            // Before anybody reads: what others commit from here on is news.
            if let version = try writer.foreignVersion() { writer.note(version) }
            return SQLiteStore(
                identifier: identifier, configuration: configuration, fileURL: fileURL, isReadOnly: !access.canWrite,
                directory: directory, index: index,
                plans: SQLiteStatements(schema: schema, storeIndex: index, directory: directory),
                externalData: externalData, history: history, files: files,
                readers: ReaderPool(storeURL: fileURL) { [options] in try openReader(files, options, fileURL) },
                writer: writer, reopenWriter: { [options] in try makeWriter(reopen(files, options, fileURL)) },
                checkpointer: Checkpointer { [options] in try openCheckpointer(files, options, fileURL) })
        }
    }

    private static func openReader(
        _ files: StoreFiles, _ options: SQLiteOptions, _ fileURL: URL
    ) throws -> sending SQLiteConnection {
        var options = options
        if options.access.canWrite { options.access = .readOnly }
        options.label = "reader"
        let reader = try reopen(files, options, fileURL)
        try reader.registerQueryFunctions()
        return reader
    }

    private static func openCheckpointer(
        _ files: StoreFiles, _ options: SQLiteOptions, _ fileURL: URL
    ) throws -> sending SQLiteConnection {
        var options = options
        // Nobody's statements run on it.
        options.trace = nil
        return try reopen(files, options, fileURL)
    }

    /// Another connection to the files of an open store, or none: not to others that lie there by now.
    private static func reopen(
        _ files: StoreFiles, _ options: SQLiteOptions, _ fileURL: URL
    ) throws -> sending SQLiteConnection {
        try files.checkAll()
        var options = options
        if options.access.canWrite { options.access = .readWrite }
        let connection = try SQLiteConnection(fileURL: fileURL, options: options)
        // A file that came in between is still there: nobody moves files to and fro within microseconds.
        try files.checkAll()
        return connection
    }

    private static func makeWriter(_ connection: SQLiteConnection) throws -> SQLiteWriter {
        try connection.registerQueryFunctions()
        let derivations = DerivationLog()
        try connection.registerDerivationFunctions(derivations)
        return SQLiteWriter(connection: connection, derivations: derivations)
    }

    /// A store that has a history keeps it, asked for or not: whoever follows it would miss what is written here.
    private static func openHistory(
        _ schema: StoreSchema, _ connection: SQLiteConnection, _ fileURL: URL, _ directory: ObjectDirectory,
        isAsked: Bool
    ) throws -> (schema: HistorySchema, tables: HistoryTables)? {
        if isAsked { return try openHistory(HistorySchema(schema), connection, fileURL) }
        do {
            guard try HistoryTables(connection, fileURL) != nil else { return nil }
            return try openHistory(HistorySchema(schema), connection, fileURL)
        } catch let error as StoreError where error.code == .corrupt {
            // Nobody has asked for the history, and the data is sound.
            directory.report(error)
            return nil
        }
    }

    private static func openHistory(
        _ schema: HistorySchema, _ connection: SQLiteConnection, _ fileURL: URL
    ) throws -> (schema: HistorySchema, tables: HistoryTables) {
        // The lock is only for making them: a store that has them opens while somebody else writes.
        let known = try connection.transaction(.deferred) { try HistoryTables.known(schema, connection, fileURL) }
        if let known { return (schema, known) }
        let tables = try connection.transaction(.immediate) { try HistoryTables.ensure(schema, connection, fileURL) }
        return (schema, tables)
    }

    private static func openWriter(
        _ fileURL: URL, _ schema: StoreSchema, _ options: SQLiteOptions, _ migration: StoreMigrationOptions?
    ) throws -> (SQLiteWriter, UUID) {
        let connection = try SQLiteConnection(fileURL: fileURL, options: options)
        let writer = try makeWriter(connection)
        do {
            let identifier =
                try usableStore(schema, connection, fileURL) ?? makeUsable(schema, connection, fileURL)
            return (writer, identifier)
        } catch  where mayMigrate(error, migration) {
            guard let migration else { throw error }
            try connection.close()
            return try openMigrated(fileURL, schema, options, migration)
        }
    }

    /// The identifier of a store that is there; `nil` for an empty file.
    ///
    /// Only reads: a store can be opened while another program writes, and where nothing can be written.
    static func usableStore(_ schema: StoreSchema, _ connection: SQLiteConnection, _ url: URL) throws -> UUID? {
        try connection.transaction(.deferred) {
            try connection.isEmptyDatabase() ? nil : check(schema, connection, url)
        }
    }

    /// Makes the store, under the lock: another program may have done it meanwhile.
    private static func makeUsable(_ schema: StoreSchema, _ connection: SQLiteConnection, _ url: URL) throws -> UUID {
        try connection.transaction(.immediate) {
            try connection.isEmptyDatabase() ? create(schema, connection) : check(schema, connection, url)
        }
    }

    private static func mayMigrate(_ error: any Error, _ migration: StoreMigrationOptions?) -> Bool {
        switch error {
        case let error as StoreError: migration != nil && error.isMismatchOfVersions
        case let error as MigrationError where error.code == .newerStore:
            migration?.discarding.includesLaterVersions == true
        default: false
        }
    }

    /// Several programs of a new version may start at once: one of them migrates and has the file open from then on, the
    /// others find it done.
    private static func openMigrated(
        _ fileURL: URL, _ schema: StoreSchema, _ options: SQLiteOptions, _ migration: StoreMigrationOptions
    ) throws -> (SQLiteWriter, UUID) {
        let deadline = ContinuousClock.now + options.busyTimeout
        while true {
            do {
                try StoreMigrator.migrate(fileURL, to: schema, migration, trace: options.trace)
                return try openWriter(fileURL, schema, options, nil)
            } catch let failure as SQLiteFailure where failure.isBusy {
                do {
                    return try openWriter(fileURL, schema, options, nil)
                } catch  where mayMigrate(error, migration) {
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
        try schema.model.requireCompleteness()
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

    static func check(
        _ schema: StoreSchema, _ connection: SQLiteConnection, _ url: URL
    ) throws -> UUID {
        let objects = try connection.schemaObjects()
        try requireStore(objects, url)
        let (identifier, metadata) = try readMetadata(connection, url)
        if let mismatch = metadata.mismatch(with: schema) {
            if metadata.isLater(than: schema) { throw MigrationError.newerStore(url) }
            throw StoreError.mismatch(mismatch, url)
        }
        try refuseCode(in: objects, url, schema)
        try checkTables(schema, connection, url)
        try checkNumbers(schema, connection, url)
        return identifier
    }

    static func requireStore(_ objects: [SchemaObject], _ url: URL) throws {
        let tables = Set(objects.filter { $0.kind == .table }.map(\.name))
        guard tables.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"]) else { throw StoreError.noCoreDataStore(url) }
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

    /// The schema with the join tables' columns as the file names them. No statement where they are named by the rule.
    static func fitted(_ schema: StoreSchema, to connection: SQLiteConnection) throws -> StoreSchema {
        var known: [String: [String]] = [:]
        for table in schema.joinTables {
            if try table.columns.allSatisfy({ try connection.hasColumn($0, inTable: table.name) }) { continue }
            known[table.name] = try connection.columns(ofTable: table.name)
        }
        return known.isEmpty ? schema : schema.fitting(joinColumns: known)
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
    /// The names of a table's columns; none if there is no such table.
    fileprivate func columns(ofTable table: String) throws -> [String] {
        try withStatement("SELECT name FROM pragma_table_info(?)") { statement in
            defer { statement.reset() }
            try statement.bind(table, at: 1)
            var names: [String] = []
            while try statement.step() { names.append(statement.text(at: 0) ?? "") }
            return names
        }
    }

    /// Whether nothing was ever put into the file.
    fileprivate func isEmptyDatabase() throws -> Bool {
        try int64("SELECT count(*) FROM sqlite_schema") == 0
    }
}
