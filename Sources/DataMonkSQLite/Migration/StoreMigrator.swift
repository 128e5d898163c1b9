import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Migrates a store file in a single transaction, with exclusive access to the file.
///
/// ```
/// open exclusively     throws "locked" if anyone else has the file open: another version of the program would go on
///                      using entity numbers that have changed their meaning
/// checkpoint           empties the log, which then takes the whole migration, and nothing from before it
/// BEGIN
///   read the old model                                 nothing is written yet
///   for each stage; there is one if none are given:
///     the application's code                           over the objects of the version before
///     infer the mapping, plan                          a refusal leaves the file unchanged
///     count what would be lost                         refused unless permitted
///     count, run the plan, verify, count again
///     derive what comes from other objects
///     the application's code                           over the objects of the new version
///   Z_METADATA, Z_MODELCACHE
/// COMMIT               the atomic step by which the store becomes the new one
/// checkpoint           on closing; a failure is reported, because the migration stands
/// ```
/// A process that dies before COMMIT has returned leaves the old store or, if the log was complete, the new one.
struct StoreMigrator {
    let fileURL: URL
    let new: StoreSchema
    let options: StoreMigrationOptions
    let connection: SQLiteConnection
    /// The rows that triggers write while code runs.
    let derivations = DerivationLog()
    /// The files that code writes.
    let files = StageFiles()

    /// Migrates a file to a schema. Does nothing if another process has migrated it in the meantime.
    ///
    /// - Throws: ``MigrationError``, ``StoreError``; a busy `SQLiteFailure` while anyone else has the file open. The file is
    ///   then unchanged.
    static func migrate(
        _ fileURL: URL, to schema: StoreSchema, options: StoreMigrationOptions, trace: StatementTrace?
    ) throws {
        var connectionOptions = SQLiteOptions(access: .readWrite)
        connectionOptions.isExclusive = true
        // Short, because the file may be open in a process that has already migrated it, which the caller finds out. Random,
        // because everyone waiting for exclusive access holds a lock that the others wait for: two that gave up and retried
        // at the same moments would go on like that.
        connectionOptions.busyTimeout = .milliseconds(Int.random(in: 50...250))
        connectionOptions.label = "migration"
        connectionOptions.trace = trace
        let connection = try SQLiteConnection(fileURL: fileURL, options: connectionOptions)
        let migrator = StoreMigrator(fileURL: fileURL, new: schema, options: options, connection: connection)
        do {
            try migrator.run()
        } catch {
            let error = migrator.describe(error)
            // Code of a stage may have kept its context, and with it the connection, whose locks end when it is closed.
            do { try connection.close() } catch { connection.abandon() }
            throw error
        }
        do {
            try connection.close()
        } catch {
            // The migration stands: the store has the new version, although part of it is still in the log.
            options.report(StoreError.failedCheckpoint(error, pages: connection.logPages, in: fileURL))
            connection.abandon()
        }
    }

    private func run() throws {
        try connection.checkpoint(.truncate)
        try registerFunctions()
        var isCommitting = false
        let losses: [MigrationError.Problem]
        do {
            losses = try connection.transaction(.immediate) {
                let losses = try migrate()
                isCommitting = true
                return losses
            }
        } catch {
            // A failed COMMIT may still be on disk. Then the next sweep finds out which files have rows.
            if !isCommitting { files.remove() }
            throw error
        }
        if !losses.isEmpty { options.report(MigrationError.discarded(losses, in: fileURL)) }
    }

    /// Converts errors of the migration's own statements into migration errors. Disk errors stay as they are.
    private func describe(_ error: any Error) -> any Error {
        switch error {
        case var error as MigrationError:
            error.storeURL = fileURL
            return error
        case let failure as SQLiteFailure where failure.isInterrupted:
            return MigrationError.cancelled(CancellationError(), in: fileURL)
        case let failure as SQLiteFailure:
            let translated = StoreError(failure, storeURL: fileURL)
            guard failure.isRefusedStatement else { return translated }
            return MigrationError(
                .failed,
                """
                \(fileURL.lastPathComponent) could not be migrated, and was not changed. See the underlying error. If \
                you report it, attach a copy of the store.
                """, storeURL: fileURL, underlyingError: translated)
        default:
            return error
        }
    }

    // MARK: The transaction

    /// Migrates the store inside the open transaction.
    ///
    /// - Returns: The data that was discarded without the caller's permission, as both versions describe it.
    private func migrate() throws -> [MigrationError.Problem] {
        guard case (var schema, var metadata)? = try begin() else { return [] }
        var losses: [MigrationError.Problem] = []
        // Whoever described the store's own version has described the loss: not only a version in between.
        let versionHashes = metadata.versionHashes
        let steps = try options.steps(of: metadata, to: new, in: fileURL)
        var hasRunCode = false
        var names = StoredNames()
        let isForward = options.stages != nil && !options.isLater(metadata, than: new)
        for (place, step) in steps.enumerated() {
            if let code = step.stage?.willMigrate {
                hasRunCode = true
                try run(code, over: source(of: step, stored: schema), &metadata, place: place, of: steps.count)
            }
            let migration = try stoppable {
                let part = try prepare(from: schema, to: step)
                let lost = try DiscardCheck(
                    options: options, mapping: step.mapping, names: names, connection: connection, fileURL: fileURL
                ).check(part.script.discards, versionHashes: versionHashes)
                // Code may have made values and links, or carried them on.
                losses += hasRunCode ? lost.filter { $0.kind == .discardedOrder } : lost
                if place < steps.count - 1 { names.pass(part.mapping) }
                return try carryOut(part, place: place, of: steps.count)
            }
            metadata.migrate(to: step.schema, isForward: isForward)
            schema = step.schema
            if let code = step.stage?.didMigrate {
                hasRunCode = true
                try run(code, over: schema, &metadata, place: place + 1, of: steps.count)
                try stoppable { try migration.checkRequirements() }
            }
        }
        try write(metadata)
        try forgetHistory()
        return losses
    }

    /// Checks the store, and reads the schema that it was written with. Writes nothing.
    ///
    /// - Returns: `nil` if it has the version already.
    func begin() throws -> (schema: StoreSchema, metadata: StoreMetadata)? {
        let facts = try StoreFacts(on: connection, at: fileURL)
        let metadata = facts.metadata
        guard let mismatch = metadata.mismatch(with: new) else { return nil }
        if case .unknownHashes = mismatch { throw StoreError.mismatch(mismatch, in: fileURL) }
        if options.isLater(metadata, than: new), !options.discarding.includesLaterVersions {
            throw MigrationError.newerStore(fileURL)
        }
        try new.model.requireCompleteness()
        let old = try SQLiteStore.fitted(sourceSchema(of: facts, mismatch: mismatch), to: connection)
        // Triggers of derived attributes are dropped before a row is touched: none of them runs.
        try SQLiteStore.checkObjects(connection.schemaObjects(), of: old, on: connection, at: fileURL)
        try SQLiteStore.checkNumbers(of: old, on: connection, at: fileURL)
        return (old, metadata)
    }

    /// **Value.** One stage, ready to be carried out.
    struct Part {
        let step: StoreMigrationOptions.Step
        let mapping: InferredMapping
        let script: MigrationScript
        /// The triggers to write again afterwards.
        let triggers: [TriggerSchema]
    }

    /// Prepares one stage. Writes nothing.
    func prepare(from old: StoreSchema, to step: StoreMigrationOptions.Step) throws -> Part {
        let new = step.schema
        let mapping = try InferredMapping(
            from: old.model, holding: old.numbering.entities, to: new.model, holding: new.numbering.entities,
            mappings: step.mapping)
        let triggers = try lastingTriggers(of: old, to: new, mapping: mapping)
        let script = MigrationScript(from: old, to: new, mapping: mapping, physical: try physicalSchema())
        return Part(step: step, mapping: mapping, script: script, triggers: triggers)
    }

    /// Carries one stage out. Whether it may discard what it does has been checked.
    ///
    /// - Parameters:
    ///   - place: The place of the stage.
    ///   - count: The number of stages.
    @discardableResult
    func carryOut(_ part: Part, place: Int, of count: Int) throws -> MigrationRun {
        var observer: (@Sendable (MigrationProgress) throws -> Void)?
        if let whole = options.observer { observer = { try whole($0.ofStage(place, of: count)) } }
        let run = MigrationRun(script: part.script, connection: connection, fileURL: fileURL, observer: observer)
        try run.execute(checksRequirements: part.step.stage?.didMigrate == nil)
        for trigger in part.triggers { try connection.execute(trigger.createStatement) }
        try SQLiteStore.replaceTriggers(of: part.step.schema, on: connection, at: fileURL)
        return run
    }

    /// Registers what triggers and code call.
    func registerFunctions() throws {
        try connection.registerQueryFunctions()
        derivations.isNoting = false
        try connection.registerDerivationFunctions(derivations)
    }

    /// Runs statements that end soon after the task is cancelled.
    private func stoppable<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.stoppable(when: { Task.isCancelled }, body)
    }

    /// Returns the schema that the store was written with, from the model in the store or from one that the application has.
    private func sourceSchema(of facts: StoreFacts, mismatch: StoreMetadata.Mismatch) throws -> StoreSchema {
        let hashes = facts.metadata.versionHashes
        func schema(of model: ManagedObjectModel) -> StoreSchema {
            StoreSchema(model: model, members: model.entities.filter { hashes[$0.name] != nil })
        }
        // A store without entities, as created by earlier releases; there is no model of it.
        if hashes.isEmpty { return StoreSchema(model: new.model, members: []) }
        do {
            return schema(of: try facts.model(fileURL))
        } catch {
            guard let fitting = try options.earlierModel(of: hashes) else {
                throw MigrationError.missingSource(mismatch, cause: error, in: fileURL)
            }
            return schema(of: fitting)
        }
    }

    /// The triggers that nobody but Core Data can write, of attributes that stay: their text has to mean the same afterwards.
    ///
    /// - Throws: ``MigrationError`` for an attribute whose triggers would have to have another text.
    private func lastingTriggers(
        of old: StoreSchema, to new: StoreSchema, mapping: InferredMapping
    ) throws -> [TriggerSchema] {
        if old.foreignDerivations.isEmpty { return [] }
        let triggers = try connection.schemaObjects().compactMap(TriggerSchema.init)
        return try old.foreignDerivations.flatMap { derivation -> [TriggerSchema] in
            let own = triggers.filter(derivation.permits)
            guard !own.isEmpty, let name = successor(of: derivation, from: old, mapping: mapping) else { return [] }
            if new.foreignDerivations.contains(derivation), !mapping.computesValues { return own }
            throw MigrationError(
                .notInferable,
                problems: [
                    MigrationError.Problem(
                        kind: .changedDerivation, entityName: name.entity, propertyName: name.attribute,
                        message: """
                            Core Data maintains it with triggers that would have to be written again, which only Core \
                            Data can do. Migrate the store with Core Data, or leave the entity, the attribute and \
                            what it is derived from unchanged.
                            """)
                ], storeURL: fileURL)
        }
    }

    /// The attribute's name in the new version, or `nil` if it was removed.
    private func successor(
        of derivation: ForeignDerivation, from old: StoreSchema, mapping: InferredMapping
    ) -> (entity: String, attribute: String)? {
        guard let past = old.model.entitiesByName[derivation.entityName],
            let entity = mapping.destination(of: past)
        else { return nil }
        return entity.attributes.first { attribute in
            mapping.source(of: .attribute(attribute), in: entity)?.name == derivation.attributeName
        }.map { (entity.name, $0.name) }
    }

    private func physicalSchema() throws -> PhysicalSchema {
        let indexes = try connection.schemaObjects().filter { $0.kind == .index }.map(\.name)
        let sql = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'"
        return try connection.withStatement(sql) { statement in
            var columns: [String: Set<String>] = [:]
            while try statement.step() {
                columns[statement.text(at: 0) ?? "", default: []].insert(
                    (statement.text(at: 1) ?? "").uppercased())
            }
            return PhysicalSchema(columns: columns, indexes: Set(indexes))
        }
    }

    // MARK: Metadata

    func write(_ metadata: StoreMetadata) throws {
        try connection.run(
            "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1", [.blob(metadata.propertyList())])
        // Stores of the first frameworks have no such table.
        try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB); DELETE FROM Z_MODELCACHE")
        try connection.run("INSERT INTO Z_MODELCACHE(Z_CONTENT) VALUES(?)", [.blob(ModelCache.data(for: new.model))])
    }

    /// Deletes the history. It refers to entity numbers and columns that no longer exist, so its readers start over.
    private func forgetHistory() throws {
        for name in ["ACHANGE", "ATRANSACTION"] {
            let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'"
            if try connection.int64(sql) > 0 { try connection.execute("DELETE FROM \(name)") }
        }
    }
}
