import Foundation

/// **Value.** The files of the project.
struct SourceTree: Sendable {
    /// Read once for all rules.
    static let house = Result { try SourceTree() }

    let files: [SourceFile]

    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    /// What tools make, or keep beside the project.
    private static let skippedFolders: Set<String> = [
        ".build", ".git", ".swiftpm", "DerivedData", "results", ".venv", ".work",
    ]
    private static let textSuffixes = ["swift", "md", "h", "modulemap", "yml", "json", "sh", "sql", "tutorial"]

    private init() throws {
        files = try Self.paths(in: "").compactMap { path in
            let file = Self.root.appending(path: path)
            // Files without a suffix are texts: LICENSE, .gitignore, .ci/run.
            guard Self.textSuffixes.contains(file.pathExtension) || file.pathExtension == "" else { return nil }
            return SourceFile(path, try String(contentsOf: file, encoding: .utf8))
        }
    }

    private static func paths(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).flatMap { name in
            let path = folder.isEmpty ? name : folder + "/" + name
            if skippedFolders.contains(name) || name == "Package.resolved" { return [String]() }
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder)
            return isFolder.boolValue ? try paths(in: path) : [path]
        }
    }

    /// The Swift files in some folders; in all of them if none is named.
    func swift(in folders: String...) -> [SourceFile] {
        files.filter { file in
            file.path.hasSuffix(".swift") && (folders.isEmpty || folders.contains(where: file.isIn))
        }
    }
}
