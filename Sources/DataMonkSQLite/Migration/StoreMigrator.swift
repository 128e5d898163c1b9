import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Migrates a store file: all of it in one transaction, with nobody else at the file.
///
/// ```
/// open exclusively     throws "locked" when anybody else has the file open: another version of the program would go on
///                      with entity numbers that mean something else now
/// checkpoint           the log is empty: it takes the whole migration, and nothing that came before
/// BEGIN
///   read the old model, infer the mapping, plan        nothing is written yet: what is refused leaves the file as it is
///   count what would be lost                           refused unless it may be
///   count, run the plan, look at what must hold, count again
///   Z_METADATA, Z_MODELCACHE
/// COMMIT               the one moment at which the store becomes the new one
/// checkpoint           on closing; a failure is reported, since the migration stands
/// ```
/// A process that dies before COMMIT has returned leaves the old store, or, if the log was complete, the new one.
struct StoreMigrator {
    private let fileURL: URL
    private let new: StoreSchema
    private let options: StoreMigrationOptions
    private let connection: SQLiteConnection

    /// Migrates a file to a schema; nothing if somebody else has done so meanwhile.
    ///
    /// - Throws: ``MigrationError``, ``StoreError``; `SQLiteFailure` with busy while somebody else has the file open. The
    ///   file is as it was.
    static func migrate(
        _ fileURL: URL, to schema: StoreSchema, _ options: StoreMigrationOptions, trace: StatementTrace?
    ) throws {
        var connectionOptions = SQLiteOptions(access: .readWrite)
        connectionOptions.isExclusive = true
        // Not long: whoever has the file open may be somebody who has migrated it, which the caller finds out. And not the
        // same for all: each who waits to be alone holds a lock that the others wait for, and two who gave up at one moment
        // and came back at the next would go on like that.
        connectionOptions.busyTimeout = .milliseconds(Int.random(in: 50...250))
        connectionOptions.label = "migration"
        connectionOptions.trace = trace
        let connection = try SQLiteConnection(fileURL: fileURL, options: connectionOptions)
        let migrator = StoreMigrator(fileURL: fileURL, new: schema, options: options, connection: connection)
        do {
            try migrator.run()
        } catch {
            throw migrator.describe(error)
        }
        do {
            try connection.close()
        } catch {
            // The migration stands: the store is of the new version, part of it in the log.
            options.report((error as? SQLiteFailure).map { StoreError($0, storeURL: fileURL) } ?? error)
        }
    }

    private func run() throws {
        try connection.checkpoint(.truncate)
        let orders = try connection.stoppable(when: { Task.isCancelled }) {
            try connection.transaction(.immediate) { try migrate() }
        }
        if !orders.isEmpty { options.report(MigrationError.lostOrder(orders, fileURL)) }
    }

    /// Errors of the migration's own statements are failures of the migration; those of the disk stay what they are.
    private func describe(_ error: any Error) -> any Error {
        switch error {
        case var error as MigrationError:
            error.storeURL = fileURL
            return error
        case let failure as SQLiteFailure where failure.isInterrupted:
            return MigrationError.cancelled(CancellationError(), fileURL)
        case let failure as SQLiteFailure:
            let translated = StoreError(failure, storeURL: fileURL)
            guard translated.code == .sqlite || translated.code == .constraintViolation else { return translated }
            return MigrationError(
                .failed,
                """
                \(fileURL.lastPathComponent) could not be migrated, and is as it was. See the underlying error; a copy of \
                the store helps to find the reason.
                """, storeURL: fileURL, underlyingError: translated)
        default:
            return error
        }
    }

    // MARK: The transaction

    /// - Returns: the orders that have gone.
    private func migrate() throws -> [MigrationError.Problem] {
        let facts = try StoreFacts(connection, fileURL)
        var metadata = facts.metadata
        guard let mismatch = metadata.mismatch(with: new) else { return [] }
        if case .unknownHashes = mismatch { throw StoreError.mismatch(mismatch, fileURL) }
        if metadata.isLater(than: new), !options.discarding.includesLaterVersions {
            throw MigrationError.newerStore(fileURL)
        }
        try new.model.requireCompleteness()
        let old = try SQLiteStore.fitted(sourceSchema(facts, mismatch), to: connection)
        // Triggers of derived attributes are dropped before a row is touched: none of them runs.
        try SQLiteStore.refuseCode(in: connection.schemaObjects(), fileURL, old)
        try SQLiteStore.checkTables(old, connection, fileURL)
        try SQLiteStore.checkNumbers(old, connection, fileURL)
        let mapping = try InferredMapping(
            from: old.model, holding: old.numbering.entities, to: new.model, holding: new.numbering.entities)
        let triggers = try lastingTriggers(old, mapping)
        let plan = MigrationPlan(from: old, to: new, mapping: mapping, physical: try physicalSchema())
        let orders = try DiscardCheck(options, connection, fileURL).check(
            plan.discards, versionHashes: metadata.versionHashes)
        try carryOut(plan)
        for trigger in triggers { try connection.execute(trigger.createStatement) }
        metadata.migrate(to: new)
        try write(metadata)
        try forgetHistory()
        return orders
    }

    /// The schema that the store was written with: by the model in it, else by one that the application has.
    private func sourceSchema(_ facts: StoreFacts, _ mismatch: StoreMetadata.Mismatch) throws -> StoreSchema {
        let hashes = facts.metadata.versionHashes
        func schema(of model: ManagedObjectModel) -> StoreSchema {
            StoreSchema(model: model, members: model.entities.filter { hashes[$0.name] != nil })
        }
        // A store of no entities, which earlier releases made: there is no model of it.
        if hashes.isEmpty { return StoreSchema(model: new.model, members: []) }
        do {
            return schema(of: try facts.model(fileURL))
        } catch {
            guard let fitting = try options.earlierModel(of: hashes) else {
                throw MigrationError.missingSource(mismatch, error, fileURL)
            }
            return schema(of: fitting)
        }
    }

    /// The triggers that nobody but Core Data can write, of attributes that stay: their text has to mean the same afterwards.
    ///
    /// - Throws: ``MigrationError`` for an attribute whose triggers would have to have another text.
    private func lastingTriggers(_ old: StoreSchema, _ mapping: InferredMapping) throws -> [TriggerSchema] {
        if old.foreignDerivations.isEmpty { return [] }
        let triggers = try connection.schemaObjects().compactMap(TriggerSchema.init)
        return try old.foreignDerivations.flatMap { derivation -> [TriggerSchema] in
            let own = triggers.filter(derivation.permits)
            guard !own.isEmpty, let name = successor(of: derivation, old, mapping) else { return [] }
            if new.foreignDerivations.contains(derivation) { return own }
            throw MigrationError(
                .notInferable,
                problems: [
                    MigrationError.Problem(
                        kind: .changedDerivation, entityName: name.entity, propertyName: name.attribute,
                        message: """
                            Core Data keeps it by triggers that would have to be written anew, and only Core Data can do that. \
                            Migrate the store with Core Data, or leave the entity, the attribute and what it is derived from \
                            as they are.
                            """)
                ], storeURL: fileURL)
        }
    }

    /// What the attribute is called in the new version. `nil` if it has gone.
    private func successor(
        of derivation: ForeignDerivation, _ old: StoreSchema, _ mapping: InferredMapping
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

    private func carryOut(_ plan: MigrationPlan) throws {
        let run = MigrationRun(plan, connection, fileURL: fileURL, observer: options.observer)
        try run.carryOut()
    }

    // MARK: What the store says of itself

    private func write(_ metadata: StoreMetadata) throws {
        try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1") {
            try $0.bind(metadata.propertyList(), at: 1)
            try $0.run()
        }
        // Stores of the first frameworks have no such table.
        try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB); DELETE FROM Z_MODELCACHE")
        try connection.withStatement("INSERT INTO Z_MODELCACHE(Z_CONTENT) VALUES(?)") {
            try $0.bind(ModelCache.data(for: new.model), at: 1)
            try $0.run()
        }
    }

    /// The history speaks of entity numbers and columns that are no more: who follows it begins anew.
    private func forgetHistory() throws {
        for name in ["ACHANGE", "ATRANSACTION"] {
            let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'"
            if try connection.int64(sql) > 0 { try connection.execute("DELETE FROM \(name)") }
        }
    }
}
