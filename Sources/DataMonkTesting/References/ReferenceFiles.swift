package import Foundation

/// **Value.** Files that Apple's framework wrote, in a folder `shared` beside the project or above it. Tests that compare
/// with them are skipped where the folder is missing.
package enum ReferenceFiles {
    /// The reason to give with a skipped test.
    package static let absence = "The folder `shared` with Apple's stores and models is not beside the project."

    /// Whether the files are there.
    package static var arePresent: Bool { folder(named: "stores") != nil }

    /// A folder of the reference files, nil when it is missing.
    package static func folder(named name: String) -> URL? {
        var place = URL(filePath: #filePath)
        while place.pathComponents.count > 1 {
            place.deleteLastPathComponent()
            let folder = place.appending(path: "shared/\(name)")
            if FileManager.default.fileExists(atPath: folder.path) { return folder }
        }
        return nil
    }

    /// The folders with stores that Apple's framework wrote.
    private static let storeFolders = ["stores", "more-stores"]

    /// The stores that Apple's framework wrote, as paths below the folder that they lie in, sorted.
    package static let stores = storeFolders.flatMap { files(in: $0, endingIn: ".sqlite") }.sorted()

    /// A file of one of the folders with stores by its path below it, nil when none has it.
    package static func store(_ path: String) -> URL? {
        storeFolders.compactMap { folder(named: $0)?.appending(path: path) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// The model file beside a store, nil for a store that has its model in itself alone.
    package static func modelFile(besideStore path: String) -> URL? {
        store(path.dropSuffix(".sqlite") + ".xcdatamodel")
    }

    /// Every file below a folder whose path ends in the given way, as paths below the folder, sorted.
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
