package import Foundation

/// **Value.** Files written by Apple's framework, in a folder `shared` beside the project or above it. Tests that compare
/// with them are skipped if the folder is missing.
package enum ReferenceFiles {
    /// The reason to give with a skipped test.
    package static let absence = "The folder `shared` with Apple's stores and models is not beside the project."

    /// A Boolean value indicating whether the files exist.
    package static var arePresent: Bool { folder(named: "stores") != nil }

    /// Returns a folder of the reference files, or `nil` if it is missing.
    package static func folder(named name: String) -> URL? {
        var place = URL(filePath: #filePath)
        while place.pathComponents.count > 1 {
            place.deleteLastPathComponent()
            let folder = place.appending(path: "shared/\(name)")
            if FileManager.default.fileExists(atPath: folder.path) { return folder }
        }
        return nil
    }

    /// The folders with stores written by Apple's framework.
    private static let storeFolders = ["stores", "more-stores"]

    /// The stores written by Apple's framework, as sorted paths relative to their folder.
    package static let stores = storeFolders.flatMap { files(in: $0, endingIn: ".sqlite") }.sorted()

    /// Returns a file by its path relative to one of the folders with stores, or `nil` if none contains it.
    package static func store(_ path: String) -> URL? {
        storeFolders.compactMap { folder(named: $0)?.appending(path: path) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Returns the model file beside a store, or `nil` if only the store itself contains its model.
    package static func modelFile(besideStore path: String) -> URL? {
        store(path.dropSuffix(".sqlite") + ".xcdatamodel")
    }

    /// Returns every file below a folder whose path has the given suffix, as sorted paths relative to the folder.
    package static func files(in name: String, endingIn suffix: String) -> [String] {
        guard let folder = folder(named: name),
            let paths = FileManager.default.enumerator(atPath: folder.path)
        else { return [] }
        return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
    }
}

extension String {
    fileprivate func dropSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
