import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import Foundation

/// **Value.** The model that a store is to be migrated to: the current version in a model folder, or the model in another
/// store.
struct TargetModel {
    let model: ManagedObjectModel
    /// All versions in the folder, for stores that do not contain their model.
    let versions: @Sendable () -> [Result<ManagedObjectModel, any Error>]

    /// Loads the model.
    ///
    /// - Throws: ``ModelError``, ``StoreError``.
    init(at url: URL) throws {
        if GivenModel.isStore(url) {
            model = try StoreFacts.read(url).model(url)
            versions = { [] }
            return
        }
        let bundle = try ModelBundle(contentsOf: url)
        model = try bundle.model()
        versions = { bundle.versionNames.map { name in Result { try bundle.model(versionName: name) } } }
    }
}
