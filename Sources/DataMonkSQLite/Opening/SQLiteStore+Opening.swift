package import DataMonkCore
import DataMonkSQL
package import Foundation

extension SQLiteStore {
    /// Opens a store file, and creates it if necessary.
    ///
    /// - Parameters:
    ///   - index: The index of the store among the coordinator's stores.
    ///   - access: The access mode: read and write, read-only, or immutable.
    ///   - durability: The event that a returned commit survives.
    ///   - busyTimeout: The maximum time to wait for another connection's lock.
    ///   - migration: Options for migrating a store of another version; `nil` to refuse one.
    ///   - tracksHistory: Whether the store keeps a history.
    ///   - placeURL: The place where the file will be, beside which its large values are written; `nil` if it is there.
    ///     Nothing that lies there is swept.
    ///   - trace: The handler that receives each statement.
    /// - Throws: ``StoreError`` if the file is not a database, not a Core Data store, of another version
    ///   (`incompatibleVersionHash`), not accessible or locked; ``MigrationError``; ``ModelError`` for an unknown
    ///   configuration.
    package static func open(
        _ fileURL: URL, configuration: String?, directory: ObjectDirectory, index: Int,
        access: SQLiteOptions.Access = .readWriteCreate, durability: SQLiteOptions.Durability = .full,
        busyTimeout: Duration = .seconds(5), migration: StoreMigrationOptions? = nil, tracksHistory: Bool = false,
        placeURL: URL? = nil, trace: StatementTrace? = nil
    ) throws -> SQLiteStore {
        let schema = try StoreSchema(model: directory.model, configuration: configuration)
        return try StoreError.translatingFailures(of: fileURL) {
            var options = SQLiteOptions(access: access)
            options.durability = durability
            options.busyTimeout = busyTimeout
            options.label = "writer"
            options.trace = trace
            let externalData = makeExternalData(
                of: schema, at: placeURL ?? fileURL, directory: directory, lockTimeout: busyTimeout)
            let (writer, identifier) =
                access.canWrite
                ? try openWriter(at: fileURL, schema: schema, options: options, migration: migration)
                : try openForReading(at: fileURL, schema: schema, options: &options)
            let fitting = try fitted(schema, to: writer.connection)
            if access.canWrite {
                // First, because writing to a table runs the triggers of its indexes.
                try keepTextIndexes(of: fitting, on: writer.connection, at: fileURL)
                try repairTriggers(of: fitting, on: writer.connection, at: fileURL, directory: directory)
            } else {
                try reportTriggers(of: fitting, on: writer.connection, at: fileURL, directory: directory)
            }
            let schema =
                access.canWrite ? fitting : try readableTextIndexes(of: fitting, on: writer.connection)
            if let externalData {
                // Held until the store is closed, and taken before any row is read that may refer to a file.
                _ = try externalData.open(creating: access.canWrite)
                if access.canWrite, placeURL == nil { sweep(externalData, schema: schema, by: writer) }
                try externalData.share()
            } else if access.canWrite, placeURL == nil {
                sweepRemains(of: schema, at: fileURL, directory: directory, by: writer)
            }
            // Before anyone reads, and before the look for a history: later commits by others count as news.
            if let version = try writer.foreignVersion() { writer.note(version) }
            if access.canWrite {
                writer.history = try openHistory(
                    schema, on: writer.connection, at: fileURL, directory: directory, isAsked: tracksHistory)
            }
            let files = try StoreFiles(of: writer.connection)
            return SQLiteStore(
                identifier: identifier, configuration: configuration, fileURL: fileURL, isReadOnly: !access.canWrite,
                directory: directory, index: index,
                plans: SQLiteStatements(schema: schema, storeIndex: index, directory: directory),
                externalData: externalData, files: files,
                readers: ReaderPool(storeURL: fileURL) { [options] in
                    try openReader(of: files, options: options, at: fileURL)
                },
                writer: writer,
                reopenWriter: { [options] in
                    let writer = try makeWriter(reopen(files, options: options, at: fileURL))
                    if !schema.textIndexes.isEmpty { try writer.connection.permitIndexingTriggers() }
                    return writer
                },
                checkpointer: Checkpointer { [options] in try openCheckpointer(of: files, options: options, at: fileURL)
                })
        }
    }

    /// Makes the folder of a store's large values, or returns `nil` if no attribute uses external storage. The folder is not
    /// opened.
    static func makeExternalData(
        of schema: StoreSchema, at fileURL: URL, directory: ObjectDirectory, lockTimeout: Duration = .seconds(5)
    ) -> ExternalDataFolder? {
        if schema.externalDataAttributes.isEmpty { return nil }
        return ExternalSources.add {
            ExternalDataFolder(storeURL: fileURL, directory: directory, number: $0, lockTimeout: lockTimeout)
        }
    }

    private static func openReader(
        of files: StoreFiles, options: SQLiteOptions, at fileURL: URL
    ) throws -> sending SQLiteConnection {
        var options = options
        if options.access.canWrite { options.access = .readOnly }
        options.label = "reader"
        let reader = try reopen(files, options: options, at: fileURL)
        try reader.registerQueryFunctions()
        return reader
    }

    private static func openCheckpointer(
        of files: StoreFiles, options: SQLiteOptions, at fileURL: URL
    ) throws -> sending SQLiteConnection {
        var options = options
        // No user statement runs on it.
        options.trace = nil
        return try reopen(files, options: options, at: fileURL)
    }

    /// Opens another connection to the files of an open store, and refuses other files that have taken their place.
    private static func reopen(
        _ files: StoreFiles, options: SQLiteOptions, at fileURL: URL
    ) throws -> sending SQLiteConnection {
        try files.checkAll()
        var options = options
        if options.access.canWrite { options.access = .readWrite }
        let connection = try SQLiteConnection(fileURL: fileURL, options: options)
        // A file that came in between is still there: nobody swaps files within microseconds.
        try files.checkAll()
        return connection
    }

    private static func makeWriter(_ connection: SQLiteConnection) throws -> SQLiteWriter {
        try connection.registerQueryFunctions()
        let derivations = DerivationLog()
        try connection.registerDerivationFunctions(derivations)
        return try SQLiteWriter(connection: connection, derivations: derivations)
    }

    /// Opens the history if the store has one or is asked to keep one. An existing history is continued in any case: its
    /// readers would miss what is written here.
    private static func openHistory(
        _ schema: StoreSchema, on connection: SQLiteConnection, at fileURL: URL, directory: ObjectDirectory,
        isAsked: Bool
    ) throws -> KeptHistory {
        if isAsked { return try openHistory(HistorySchema(schema), on: connection, at: fileURL) }
        do {
            guard try HistoryTables(on: connection, at: fileURL) != nil else { return .absent }
            return try openHistory(HistorySchema(schema), on: connection, at: fileURL)
        } catch let error as StoreError where error.code == .corrupt {
            // Nobody asked for the history, and the data is sound.
            directory.report(error)
            return .ignored
        }
    }

    private static func openHistory(
        _ schema: HistorySchema, on connection: SQLiteConnection, at fileURL: URL
    ) throws -> KeptHistory {
        // The write lock is only needed to create the tables: a store that has them opens while another program writes.
        let known = try connection.transaction(.deferred) {
            try HistoryTables.known(for: schema, on: connection, at: fileURL)
        }
        if let known { return .kept(schema: schema, tables: known) }
        let tables = try connection.transaction(.immediate) {
            try HistoryTables.ensure(for: schema, on: connection, at: fileURL)
        }
        return .kept(schema: schema, tables: tables)
    }

    private static func openWriter(
        at fileURL: URL, schema: StoreSchema, options: SQLiteOptions, migration: StoreMigrationOptions?
    ) throws -> (SQLiteWriter, UUID) {
        let connection = try SQLiteConnection(fileURL: fileURL, options: options)
        let writer = try makeWriter(connection)
        do {
            let identifier =
                try usableStore(of: schema, on: connection, at: fileURL)
                ?? makeUsable(schema, on: connection, at: fileURL)
            return (writer, identifier)
        } catch  where mayMigrate(after: error, with: migration) {
            guard let migration else { throw error }
            if error is MigrationError, !migration.discarding.includesLaterVersions {
                // Before anybody is asked to close the store, which may well be in use by the newer program.
                let metadata = try readMetadata(from: connection, at: fileURL).1
                if migration.isLater(metadata, than: schema) { throw error }
            }
            try connection.close()
            guard migration.infersMapping || migration.stages != nil else {
                throw MigrationError.missingMapping(fileURL, because: error)
            }
            return try openMigrated(at: fileURL, schema: schema, options: options, migration: migration)
        }
    }

    /// Returns the identifier of an existing store, or `nil` for an empty file.
    ///
    /// Read-only: a store can be opened while another program writes, and on a read-only volume.
    static func usableStore(of schema: StoreSchema, on connection: SQLiteConnection, at url: URL) throws -> UUID? {
        try connection.transaction(.deferred) {
            try connection.isEmptyDatabase() ? nil : check(schema, on: connection, at: url)
        }
    }

    /// Creates the store under the write lock, unless another program has done so in the meantime.
    private static func makeUsable(_ schema: StoreSchema, on connection: SQLiteConnection, at url: URL) throws -> UUID {
        try connection.transaction(.immediate) {
            try connection.isEmptyDatabase() ? create(schema, on: connection) : check(schema, on: connection, at: url)
        }
    }

    /// Returns `true` for a store that is sound, but of another version, and may be migrated.
    static func mayMigrate(after error: any Error, with migration: StoreMigrationOptions?) -> Bool {
        switch error {
        case let error as StoreError: migration != nil && error.isMismatchOfVersions
        case let error as MigrationError where error.code == .newerStore:
            // The order of stages may say that it is an earlier version.
            migration.map { $0.discarding.includesLaterVersions || $0.stages != nil } ?? false
        default: false
        }
    }

    /// Opens a store and migrates it if necessary. If several programs of a new version start at once, one of them migrates
    /// the file and has it open from then on; the others find it migrated.
    private static func openMigrated(
        at fileURL: URL, schema: StoreSchema, options: SQLiteOptions, migration: StoreMigrationOptions
    ) throws -> (SQLiteWriter, UUID) {
        let deadline = ContinuousClock.now + options.busyTimeout
        while true {
            do {
                try StoreMigrator.migrate(fileURL, to: schema, options: migration, trace: options.trace)
                return try openWriter(at: fileURL, schema: schema, options: options, migration: nil)
            } catch let failure as SQLiteFailure where failure.isBusy {
                do {
                    return try openWriter(at: fileURL, schema: schema, options: options, migration: nil)
                } catch  where mayMigrate(after: error, with: migration) {
                    // The file is open in a program of the previous version, or in one that is about to migrate it.
                    guard ContinuousClock.now < deadline else { throw failure }
                    // Jitter, so that programs that wait for exclusive access do not keep each other out forever.
                    usleep(.random(in: 0...100_000))
                }
            }
        }
    }

    // MARK: A new store

    static func create(_ schema: StoreSchema, on connection: SQLiteConnection) throws -> UUID {
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

    // MARK: An existing store

    static func check(
        _ schema: StoreSchema, on connection: SQLiteConnection, at url: URL
    ) throws -> UUID {
        let objects = try connection.schemaObjects()
        try requireStore(in: objects, at: url)
        let (identifier, metadata) = try readMetadata(from: connection, at: url)
        if let error = metadata.versionError(for: schema, in: url) { throw error }
        try checkObjects(objects, of: schema, on: connection, at: url)
        try checkNumbers(of: schema, on: connection, at: url)
        return identifier
    }

    static func requireStore(in objects: [SchemaObject], at url: URL) throws {
        let tables = Set(objects.filter { $0.kind == .table }.map(\.name))
        guard tables.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"]) else { throw StoreError.noCoreDataStore(url) }
    }

    static func readMetadata(
        from connection: SQLiteConnection, at url: URL
    ) throws -> (UUID, StoreMetadata) {
        try connection.withStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1") { statement in
            guard try statement.step(), let text = statement.text(at: 0), let identifier = UUID(uuidString: text),
                let list = statement.data(at: 1)
            else { throw StoreError.noCoreDataStore(url) }
            do {
                return (identifier, try StoreMetadata(propertyList: list))
            } catch {
                throw StoreError.unreadableMetadata(error, in: url)
            }
        }
    }

    /// Checks that the file has nothing that runs code of whoever made it, and every column of the model. Additional columns
    /// are allowed.
    ///
    /// - Parameter objects: The objects in the file's schema, as read in the open transaction.
    static func checkObjects(
        _ objects: [SchemaObject], of schema: StoreSchema, on connection: SQLiteConnection, at url: URL
    ) throws {
        // A table that is exactly as a new store has it has no other clause, and every column.
        var unchanged: Set<String> = []
        let others = objects.filter { object in
            guard schema.makes(object) else { return true }
            unchanged.insert(object.name)
            return false
        }
        try refuseCode(in: others, at: url, schema: schema)
        for table in schema.tables where !unchanged.contains(table.name) {
            let missing = try table.columns.map(\.name).filter { try !connection.hasColumn($0, inTable: table.name) }
            if !missing.isEmpty { throw StoreError.missingColumns(missing, of: table.name, in: url) }
        }
    }

    /// Returns the schema with the names of the join tables' columns as in the file. Runs no statement for names that follow
    /// the rule.
    static func fitted(_ schema: StoreSchema, to connection: SQLiteConnection) throws -> StoreSchema {
        var known: [String: [String]] = [:]
        for table in schema.joinTables {
            if try table.columns.allSatisfy({ try connection.hasColumn($0, inTable: table.name) }) { continue }
            known[table.name] = try connection.columns(ofTable: table.name)
        }
        return known.isEmpty ? schema : schema.fitting(joinColumns: known)
    }

    /// Checks that the store numbers its entities as the model does. A name may be that of an earlier version, which a
    /// migration by Core Data leaves, but no entity of the model may have the number of another one.
    static func checkNumbers(of schema: StoreSchema, on connection: SQLiteConnection, at url: URL) throws {
        var stored: [Int: String] = [:]
        try connection.withStatement("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") { statement in
            while try statement.step() { stored[Int(statement.int64(at: 0))] = statement.text(at: 1) ?? "" }
        }
        for row in schema.primaryKeyRows {
            guard let name = stored[row.number] else {
                throw StoreError.missingEntityNumber(row.number, name: row.name, in: url)
            }
            // The name of an earlier version may be another entity's by now.
            guard name != row.name, stored.contains(where: { $0.value == row.name && $0.key != row.number }) else {
                continue
            }
            throw StoreError.otherEntityNumber(row.number, name: row.name, storedName: name, in: url)
        }
    }
}

extension SQLiteConnection {
    /// Returns `true` if the file is an empty database.
    func isEmptyDatabase() throws -> Bool {
        try int64("SELECT count(*) FROM sqlite_schema") == 0
    }
}
