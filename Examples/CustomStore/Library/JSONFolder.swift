public import DataMonk
public import Foundation

/// **Value.** A store in a folder of JSON files, one for each entity.
///
/// ```
/// Notes/current              the name of the folder that counts
/// Notes/<UUID>/store.json    identifier, hashes, metadata, last id
/// Notes/<UUID>/Note.json     the objects of an entity
/// ```
/// A save writes a new folder, and then its name: a program that ends in between leaves the former contents.
public struct JSONFolder: AtomicStore {
    private let folder: URL

    /// Creates a store in a folder, which need not exist.
    public init(_ folder: URL) { self.folder = folder }

    /// The folder.
    public var url: URL? { folder }
    /// The name of the kind.
    public var typeName: String { "JSONFolder" }

    private var current: URL { folder.appending(path: "current") }

    /// Reads every file of the folder that counts.
    public func load(model: ManagedObjectModel) throws -> AtomicContents? {
        guard FileManager.default.fileExists(atPath: current.path) else { return nil }
        let files = folder.appending(path: String(decoding: try Data(contentsOf: current), as: UTF8.self))
        let info = try Self.read(Info.self, from: files.appending(path: "store.json"))
        var contents = AtomicContents(
            identifier: info.identifier, versionHashes: info.versionHashes,
            metadata: info.metadata.mapValues(\.value), lastID: info.lastID)
        for entity in model.entities where !entity.isAbstract {
            let file = files.appending(path: "\(entity.name).json")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            contents.objects += try Self.read([Object].self, from: file).map { $0.object(of: entity.name) }
        }
        return contents
    }

    /// Writes a new folder and makes it the one that counts.
    public func save(_ contents: AtomicContents, model: ManagedObjectModel) throws {
        let name = UUID().uuidString
        let files = folder.appending(path: name)
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        do {
            let info = Info(
                StoreHeader(
                    identifier: contents.identifier, versionHashes: contents.versionHashes,
                    metadata: contents.metadata, lastID: contents.lastID))
            try Self.write(info, to: files.appending(path: "store.json"))
            for (entity, objects) in Dictionary(grouping: contents.objects, by: \.entityName) {
                try Self.write(objects.map(Object.init), to: files.appending(path: "\(entity).json"))
            }
            try Data(name.utf8).write(to: current, options: .atomic)
        } catch {
            // The folder does not count; the error that says why it is there is more important than its removal.
            try? FileManager.default.removeItem(at: files)
            throw error
        }
        for other in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where other != name && other != "current" {
            try FileManager.default.removeItem(at: folder.appending(path: other))
        }
    }
}
