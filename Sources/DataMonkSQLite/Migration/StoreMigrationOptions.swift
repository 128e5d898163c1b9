package import DataMonkCore
import Foundation

/// **Value.** How a store of another version is migrated when it is opened.
package struct StoreMigrationOptions: Sendable {
    /// Versions of the model that the application still has, asked for where the store does not hold its own, and
    /// where something would be discarded: an application that has the store's version has described both. A version that
    /// cannot be read is a failure of its own.
    package var earlierModels: @Sendable () -> [Result<ManagedObjectModel, any Error>]
    /// Told of each step before it is done, on the thread that opens the store. What it throws cancels the migration.
    package var observer: (@Sendable (MigrationProgress) throws -> Void)?
    /// What may be lost.
    package var discarding: DiscardableData
    /// Told of errors that come after the migration is committed.
    package var report: @Sendable (any Error) -> Void

    package init(
        earlierModels: @escaping @Sendable () -> [Result<ManagedObjectModel, any Error>] = { [] },
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
    /// - Throws: why a version cannot be read, if none that can be is the store's: it may be the one.
    func earlierModel(of versionHashes: [String: Data]) throws -> ManagedObjectModel? {
        var failure: (any Error)?
        for version in earlierModels() {
            switch version {
            case .success(let model):
                let hashes = model.entityVersionHashesByName
                if versionHashes.allSatisfy({ hashes[$0.key] == $0.value }) { return model }
            case .failure(let error): failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }
}
