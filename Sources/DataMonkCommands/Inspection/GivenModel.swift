import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import Foundation

/// **Value.** A model to compare a store with: a model folder, or another store, which contains its own.
struct GivenModel {
    let url: URL
    /// The version in the folder: the one that the store was written with, or else the current one.
    let versionName: String?
    let model: ManagedObjectModel

    /// Returns `true` if a path leads to a file that is no model file.
    static func isStore(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
        return isThere && !isDirectory.boolValue && url.lastPathComponent != "contents" && url.pathExtension != "mom"
    }

    /// Loads the version of a model that matches a store, if there is one.
    ///
    /// - Throws: ``ModelError``, ``StoreError``.
    init(at url: URL, for metadata: StoreMetadata) throws {
        self.url = url
        if Self.isStore(url) {
            let copy = try PrivateCopy(of: url)
            versionName = nil
            model = try StoreFacts.read(copy.url).model(copy.url)
            return
        }
        let bundle = try ModelBundle(contentsOf: url)
        for name in bundle.versionNames where bundle.versionNames.count > 1 {
            // Reason for try?: an invalid version does not prevent another one from being the store's.
            guard let version = try? bundle.model(versionName: name),
                version.matchingConfiguration(of: metadata) != nil
            else { continue }
            versionName = name
            model = version
            return
        }
        versionName = bundle.versionNames.count > 1 ? bundle.currentVersionName : nil
        model = try bundle.model()
    }
}

/// **Value.** A configuration of a model by name, or the whole model.
struct MatchedConfiguration {
    let name: String?
}

extension ManagedObjectModel {
    /// Returns the configuration that a store with this metadata was written with, or the whole model; `nil` if neither
    /// matches.
    func matchingConfiguration(of metadata: StoreMetadata) -> MatchedConfiguration? {
        ([nil] + configurations.keys.sorted()).first { name in
            // Reason for try?: the names come from the model, so each has a schema.
            guard let schema = try? StoreSchema(model: self, configuration: name) else { return false }
            return metadata.mismatch(with: schema) == nil
        }.map(MatchedConfiguration.init)
    }
}
