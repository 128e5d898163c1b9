package import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
package import Foundation

/// **Value.** The result of `migrate`: the plan, and what was done of it.
package struct MigrationReport {
    package let plan: MigrationPlan
    /// The copy that was made before the migration.
    package private(set) var backup: StoreBackup?
    /// A Boolean value indicating whether the store was migrated.
    package private(set) var isDone = false
    /// Messages about a migration that has succeeded, such as orders that were lost.
    package private(set) var notes: [String] = []

    private let store: Store
    private let model: ManagedObjectModel
    private let configuration: String?
    private let options: StoreMigrationOptions

    /// **Value.** The store to migrate.
    private enum Store {
        case file(URL)
        case server(ServerStoreMigration)
    }

    /// Plans a migration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the model that the store holds; `nil` for all entities.
    ///   - findsObstacles: A Boolean value indicating whether to look for objects that do not fit, which may take a copy of the
    ///     store. The migration itself refuses them in any case.
    /// - Throws: ``StoreError``, ``MigrationError``; ``ModelError`` for the given model.
    package init(
        storeAt url: URL, modelAt modelURL: URL, configuration: String?, discarding: DiscardableData,
        findsObstacles: Bool
    ) throws {
        let target = try TargetModel(at: modelURL)
        // Only the options of the command permit that data is discarded, even if the folder has both versions.
        var options = StoreMigrationOptions(
            earlierModels: target.versions, discarding: discarding, permitsDescribedLosses: false)
        options.configuration = configuration
        options.findsObstacles = findsObstacles
        plan = try SQLiteStore.migrationPlan(
            of: url, to: target.model, configuration: configuration, options: options)
        store = .file(url)
        model = target.model
        self.configuration = configuration
        self.options = options
    }

    /// Plans the migration of a store on a server.
    ///
    /// - Throws: ``StoreError``, ``MigrationError``; ``ModelError`` for the given model.
    package init(
        serverStoreAt url: String, schemaName: String, modelAt modelURL: URL, configuration: String?,
        discarding: DiscardableData
    ) throws {
        let target = try TargetModel(at: modelURL)
        let server = ServerStoreMigration(
            url: url, schemaName: schemaName, model: target.model, configuration: configuration, discarding: discarding)
        plan = try server.run(isPlan: true)
        store = .server(server)
        model = target.model
        self.configuration = configuration
        options = StoreMigrationOptions(discarding: discarding)
    }

    /// Migrates the store as planned, after a backup if one is asked for.
    ///
    /// - Throws: ``StoreError``, ``MigrationError``. The store is unchanged then, unless `isDone` says that only a step after the
    ///   migration has failed; a backup may have been made.
    package mutating func carryOut(
        backupAt backupURL: URL?, observer: @escaping @Sendable (MigrationProgress) throws -> Void
    ) throws {
        if plan.isEmpty { return }
        let url: URL
        switch store {
        case .file(let file): url = file
        case .server(let server):
            _ = try server.run(isPlan: false)
            isDone = true
            return
        }
        if let backupURL {
            backup = try StoreCopier.backUp(
                url, to: backupURL, schema: { StoreCopier.storedSchema(of: url, on: $0) })
        }
        let found = Locked<[String]>([])
        var options = options
        options.observer = observer
        options.report = { error in found.withLock { $0.append(StoreInspection.message(of: error)) } }
        defer { notes = found.withLock { $0 } }
        do {
            let coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.add(
                SQLiteStore.open(
                    url, configuration: configuration, directory: coordinator.directory, index: 0, access: .readWrite,
                    migration: options))
            try coordinator.close()
            isDone = true
        } catch {
            isDone = hasVersion(url)
            throw error
        }
    }

    /// Returns whether the file has the version of the model by now.
    private func hasVersion(_ url: URL) -> Bool {
        do {
            return try SQLiteStore.migrationPlan(
                of: url, to: model, configuration: configuration, options: options
            ).isEmpty
        } catch {
            // The error of the migration is the one to show.
            return false
        }
    }
}
