import DataMonkCore
import DataMonkSQLite
import Foundation

/// **Value.** A model that a command was given: a version of a model folder, a compiled model, or the model inside a store.
struct LoadedModel {
    let model: ManagedObjectModel
    /// The name of the model, without an extension.
    let name: String
    /// The name of its file or folder, and of the version if there are several.
    let title: String
    /// The name of its file or folder.
    let source: String

    /// Loads a model.
    ///
    /// - Parameter version: The name of a version, or `nil` for the current one.
    /// - Throws: ``ModelError``, ``StoreError``.
    init(at path: String, version: String? = nil) throws {
        let url = URL(filePath: path)
        source = url.lastPathComponent
        if Self.isStore(url) {
            if let version {
                throw ModelError(
                    code: .unreadableFile,
                    message: "\(source) is a store, which has no version \(version). Leave out the version.")
            }
            let copy = try PrivateCopy(of: url)
            model = try StoreFacts.read(copy.url).model(copy.url)
            (name, title) = (url.deletingPathExtension().lastPathComponent, source)
            return
        }
        let bundle = try ModelBundle(contentsOf: url)
        model = try bundle.model(versionName: version)
        let folder = url.lastPathComponent == "contents" ? url.deletingLastPathComponent() : url
        name = folder.deletingPathExtension().lastPathComponent
        title = bundle.versionNames.count > 1 ? "\(source), \(version ?? bundle.currentVersionName)" : source
    }

    private static func isStore(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
        return isThere && !isDirectory.boolValue && url.lastPathComponent != "contents" && url.pathExtension != "mom"
    }
}
