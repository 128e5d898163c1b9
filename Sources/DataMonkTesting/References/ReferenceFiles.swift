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

    /// Every file below a folder whose path ends in the given way, as paths below the folder, sorted.
    package static func files(in name: String, endingIn suffix: String) -> [String] {
        guard let folder = folder(named: name),
            let paths = FileManager.default.enumerator(atPath: folder.path)
        else { return [] }
        return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
    }
}
