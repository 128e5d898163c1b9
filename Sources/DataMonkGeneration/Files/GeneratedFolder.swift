package import DataMonkCore
package import Foundation

/// **Value.** A folder that generated files are written to. Everything is checked before anything is written.
package struct GeneratedFolder {
    /// **Value.** A change of a file.
    package struct Change: Sendable, Hashable {
        /// **Value.** The kind of a change.
        package enum Kind: String, Sendable {
            /// The file is new.
            case created
            /// The file was there, with another text.
            case updated
            /// The file has this text already.
            case unchanged
            /// The file is there, and is not written again.
            case kept
            /// The file was generated for a class that the model has no more. It stays.
            case obsolete
        }

        /// The name of the file.
        package let name: String
        /// The kind of the change.
        package let kind: Kind
    }

    private let url: URL

    /// Creates a description of a folder, which need not exist.
    package init(_ url: URL) { self.url = url }

    /// Writes the files, each in one step, and leaves those alone that have their text already.
    ///
    /// - Throws: ``ModelError`` with the code `unwritableFile` if a file of somebody else's is in the way, before anything is
    ///   written, or if a file cannot be written.
    package func write(_ files: [GeneratedFile]) throws(ModelError) -> [Change] {
        let changes = try files.map { file throws(ModelError) in
            Change(name: file.name, kind: try kind(of: file))
        }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            for (file, change) in zip(files, changes) where change.kind == .created || change.kind == .updated {
                try Data(file.text.utf8).write(to: url.appending(path: file.name), options: .atomic)
            }
        } catch {
            throw ModelError(
                code: .unwritableFile,
                message: "The files cannot be written to \(url.path). Check the path, and its permissions.",
                underlyingError: error)
        }
        return changes + obsoleteFiles(beside: files)
    }

    private func kind(of file: GeneratedFile) throws(ModelError) -> Change.Kind {
        let place = url.appending(path: file.name)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isDirectory) else { return .created }
        if isDirectory.boolValue { throw Self.inTheWay(place, reason: "is a folder") }
        if file.isWrittenOnce { return .kept }
        guard let contents = FileManager.default.contents(atPath: place.path) else {
            throw Self.inTheWay(place, reason: "cannot be read")
        }
        if contents == Data(file.text.utf8) { return .unchanged }
        guard GeneratedFile.isGenerated(contents) else {
            throw Self.inTheWay(place, reason: "was not generated, so it is not replaced")
        }
        guard contents.starts(with: Data("\(file.firstLine)\n".utf8)) else {
            throw Self.inTheWay(place, reason: "was generated from another model, so it is not replaced")
        }
        return .updated
    }

    private static func inTheWay(_ place: URL, reason: String) -> ModelError {
        ModelError(
            code: .unwritableFile,
            message: "\(place.path) \(reason). Move it, or generate the classes into another folder.")
    }

    /// Returns the files in the folder that were generated for the same model, but not now.
    private func obsoleteFiles(beside files: [GeneratedFile]) -> [Change] {
        let names = Set(files.map(\.name))
        guard let firstLine = files.first(where: { !$0.isWrittenOnce })?.firstLine else {
            return []
        }
        // Reason for try?: nothing depends on the hint.
        let others = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return others.sorted().filter { name in
            guard name.hasSuffix(".swift"), !names.contains(name) else { return false }
            let contents = FileManager.default.contents(atPath: url.appending(path: name).path) ?? Data()
            return contents.starts(with: Data("\(firstLine)\n".utf8))
        }.map { Change(name: $0, kind: .obsolete) }
    }
}
