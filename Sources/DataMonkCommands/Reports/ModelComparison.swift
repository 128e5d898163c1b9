import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Value.** How a store and a model go together.
package struct ModelComparison: Sendable, Hashable {
    /// The model's file.
    package var modelURL: URL
    /// The version of it that was compared, where it has several.
    package var versionName: String?
    /// The configuration that the store holds, where it does not hold the whole model.
    package var configurationName: String?
    /// Why the two cannot be compared at all.
    package var problem: String?
    /// Entities that the model has and the store has not.
    package var addedEntities: [String] = []
    /// Entities that the store has and the model has not.
    package var removedEntities: [String] = []
    /// Entities that both have in different versions.
    package var changedEntities: [String] = []

    /// Whether the store opens with the model.
    package var isCompatible: Bool {
        problem == nil && addedEntities.isEmpty && removedEntities.isEmpty && changedEntities.isEmpty
    }

    init(_ given: GivenModel, _ metadata: StoreMetadata) throws {
        modelURL = given.url
        versionName = given.versionName
        if let configuration = given.model.matchingConfiguration(of: metadata) {
            configurationName = configuration.name
            return
        }
        switch metadata.mismatch(with: try StoreSchema(model: given.model)) {
        case .entities(let added, let removed, let changed):
            (addedEntities, removedEntities, changedEntities) = (added, removed, changed)
        case .unknownHashes(let version):
            problem = "The store's hashes are of a later kind (\(version)) than this program knows."
        case nil: break
        }
    }
}
