package import DataMonkCore
import Foundation

/// **Value.** Options for migrating a store of another version when it is opened.
package struct StoreMigrationOptions: Sendable {
    /// Returns earlier versions of the model that the application still has. They are needed if the store does not contain
    /// its own model, and if data would be discarded: an application that has the store's version has described both
    /// versions. Each unreadable version is a failure.
    package var earlierModels: @Sendable () -> [Result<ManagedObjectModel, any Error>]
    /// Indicates whether a mapping may be inferred. A store of another version is refused otherwise.
    package var infersMapping: Bool
    /// Called before each step, on the thread that opens the store. An error that it throws cancels the migration.
    package var observer: (@Sendable (MigrationProgress) throws -> Void)?
    /// The data that may be discarded.
    package var discarding: DiscardableData
    /// Receives errors that occur after the migration is committed.
    package var report: @Sendable (any Error) -> Void

    package init(
        earlierModels: @escaping @Sendable () -> [Result<ManagedObjectModel, any Error>] = { [] },
        infersMapping: Bool = true, discarding: DiscardableData = [],
        observer: (@Sendable (MigrationProgress) throws -> Void)? = nil,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.earlierModels = earlierModels
        self.infersMapping = infersMapping
        self.discarding = discarding
        self.observer = observer
        self.report = report
    }
}

extension StoreMigrationOptions {
    /// Returns the application's model of the version that a store was written with.
    ///
    /// - Parameter versionHashes: The version hashes in the store.
    /// - Throws: The error of an unreadable version, if none of the readable ones matches: it may be the store's version.
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
