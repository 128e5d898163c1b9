package import DataMonkCore
import Foundation

/// **Value.** How a store of another version is migrated when it is opened.
package struct StoreMigrationOptions: Sendable {
    /// Versions of the model that the application still has, asked for where the store does not hold its own, and
    /// where something would be discarded: an application that has the store's version has described both.
    package var earlierModels: @Sendable () throws -> [ManagedObjectModel]
    /// Told of each step before it is done, on the thread that opens the store. What it throws cancels the migration.
    package var observer: (@Sendable (MigrationProgress) throws -> Void)?
    /// What may be lost.
    package var discarding: DiscardableData
    /// Told of errors that come after the migration is committed.
    package var report: @Sendable (any Error) -> Void

    package init(
        earlierModels: @escaping @Sendable () throws -> [ManagedObjectModel] = { [] },
        discarding: DiscardableData = [], observer: (@Sendable (MigrationProgress) throws -> Void)? = nil,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.earlierModels = earlierModels
        self.discarding = discarding
        self.observer = observer
        self.report = report
    }
}

extension StoreMigrationOptions {
    /// The application's model of the version that a store was written with.
    ///
    /// - Parameter versionHashes: the hashes in the store.
    func earlierModel(of versionHashes: [String: Data]) throws -> ManagedObjectModel? {
        try earlierModels().first { model in
            versionHashes.allSatisfy { model.entityVersionHashesByName[$0.key] == $0.value }
        }
    }
}
