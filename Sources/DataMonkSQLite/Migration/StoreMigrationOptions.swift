package import DataMonkCore
import DataMonkSQL
import Foundation

/// **Value.** Options for migrating a store of another version when it is opened.
package struct StoreMigrationOptions: Sendable {
    /// Returns earlier versions of the model that the application still has. They are needed if the store does not contain
    /// its own model, and if data would be discarded: an application that has the store's version has described both
    /// versions. Each unreadable version is a failure.
    package var earlierModels: @Sendable () -> [Result<ManagedObjectModel, any Error>]
    /// Indicates whether a mapping may be inferred. A store of another version is refused otherwise.
    package var infersMapping: Bool
    /// The versions to go through, with the mappings by hand.
    package var stages: StagedMigration?
    /// The configuration whose entities the store contains; `nil` for all.
    package var configuration: String?
    /// Called before each step, on the thread that opens the store. An error that it throws cancels the migration.
    package var observer: (@Sendable (MigrationProgress) throws -> Void)?
    /// The data that may be discarded.
    package var discarding: DiscardableData
    /// Indicates whether data may go because the application has the model of the store's version too.
    package var permitsDescribedLosses: Bool
    /// Indicates whether a plan carries its last stage out in a private copy, if that shows objects that do not fit.
    package var findsObstacles = true
    /// Receives errors that occur after the migration is committed.
    package var report: @Sendable (any Error) -> Void

    package init(
        earlierModels: @escaping @Sendable () -> [Result<ManagedObjectModel, any Error>] = { [] },
        infersMapping: Bool = true, stages: StagedMigration? = nil, discarding: DiscardableData = [],
        permitsDescribedLosses: Bool = true,
        observer: (@Sendable (MigrationProgress) throws -> Void)? = nil,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.earlierModels = earlierModels
        self.infersMapping = infersMapping
        self.stages = stages
        self.discarding = discarding
        self.permitsDescribedLosses = permitsDescribedLosses
        self.observer = observer
        self.report = report
    }
}

extension StoreMigrationOptions {
    /// Returns `true` if the application has described the version that a store was written with, and so what is lost of it.
    ///
    /// - Throws: The errors of `earlierModel(of:)`.
    func permitsLosses(of versionHashes: [String: Data]) throws -> Bool {
        try permitsDescribedLosses && earlierModel(of: versionHashes) != nil
    }

    /// Returns `true` if a store was migrated from a schema's version to a later one. The order of the application's stages
    /// says more than the store, which an earlier program may have migrated back.
    func isLater(_ metadata: StoreMetadata, than schema: StoreSchema) -> Bool {
        metadata.isLater(than: schema)
            && stages?.versions.dropLast().contains { metadata.mismatch(with: self.schema(ofEarlier: $0)) == nil }
                != true
    }

    /// Returns the application's model of the version that a store was written with.
    ///
    /// - Parameter versionHashes: The version hashes in the store.
    /// - Throws: The error of an unreadable version, if none of the readable ones matches: it may be the store's version.
    func earlierModel(of versionHashes: [String: Data]) throws -> ManagedObjectModel? {
        var failure: (any Error)?
        for version in (stages?.versions ?? []).map({ .success($0) }) + earlierModels() {
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

extension StoreMigrationOptions {
    /// **Value.** One stage, for a store.
    struct Step {
        let schema: StoreSchema
        /// The version that it begins with, if the application has its model.
        var source: ManagedObjectModel?
        /// The stage with its mapping and its code; `nil` if the mapping is inferred.
        var stage: MigrationStage?

        var mapping: [EntityMapping] { stage?.mapping ?? [] }
    }

    /// Returns the stages that a store has to go through.
    ///
    /// - Throws: ``MigrationError`` for stages that do not lead to the schema, for a version that is not in their list, and if
    ///   there are none and a mapping may not be inferred.
    func steps(of metadata: StoreMetadata, to new: StoreSchema, in url: URL) throws -> [Step] {
        // A store that is to go back does not go through the stages.
        guard let stages, !isLater(metadata, than: new) else {
            if !infersMapping {
                throw MigrationError.missingMapping(url, because: metadata.versionError(for: new, in: url))
            }
            return [Step(schema: new)]
        }
        try stages.check(leadingTo: new.model)
        var all = try stages.stages.enumerated().map { place, stage in
            try stage.model.requireCompleteness()
            let isLast = place == stages.stages.count - 1
            return Step(
                schema: isLast ? new : schema(ofEarlier: stage.model),
                source: stages.source(ofStageAt: place), stage: stage)
        }
        // Versions that differ in other configurations alone are one to this store, and nobody knows which of them it has been
        // through. So it goes through what leads to them, and no code between them runs, nor any that has run before.
        for place in all.indices.dropFirst() where all[place].schema.isSameVersion(as: all[place - 1].schema) {
            all[place].stage = nil
        }
        if let place = all.lastIndex(where: { metadata.mismatch(with: $0.schema) == nil }) {
            return Array(all[(place + 1)...])
        }
        if let source = stages.source {
            if metadata.mismatch(with: schema(ofEarlier: source)) != nil { throw MigrationError.unlistedVersion(url) }
        }
        return all
    }

    /// Returns the schema of an earlier version. If that had no such configuration yet, all of its entities were in the store.
    private func schema(ofEarlier model: ManagedObjectModel) -> StoreSchema {
        StoreSchema(model: model, members: model.entities(inConfiguration: configuration) ?? model.entities)
    }
}
