import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Value.** A comparison of a store and a model.
package struct ModelComparison: Sendable, Hashable {
    /// The model's file.
    package var modelURL: URL
    /// The version that was compared, if the model has several.
    package var versionName: String?
    /// The configuration of the store, if it does not contain the whole model.
    package var configurationName: String?
    /// The reason why the two cannot be compared at all.
    package var problem: String?
    /// The entities that only the model contains.
    package var addedEntities: [String] = []
    /// The entities that only the store contains.
    package var removedEntities: [String] = []
    /// The entities that both contain in different versions.
    package var changedEntities: [String] = []

    /// A Boolean value indicating whether the store can be opened with the model.
    package var isCompatible: Bool {
        problem == nil && addedEntities.isEmpty && removedEntities.isEmpty && changedEntities.isEmpty
    }

    init(of given: GivenModel, with metadata: StoreMetadata) throws {
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
            problem = "The store's version hashes have version \(version), which this program does not support."
        case nil: break
        }
    }
}
