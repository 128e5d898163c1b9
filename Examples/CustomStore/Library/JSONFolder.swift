public import DataMonk
public import Foundation

/// **Value.** A store in a folder of JSON files, one for each entity.
///
/// ```
/// Notes/current                      the name of the folder that counts
/// Notes/<UUID>.contents/store.json   identifier, hashes, metadata, last id; the entities
/// Notes/<UUID>.contents/Note.json    the objects of an entity
/// ```
/// A save writes and syncs a new folder, and then its name: a program that ends in between, or a power cut, leaves the former
/// contents. Other files in the folder stay as they are.
public struct JSONFolder: AtomicStore {
    /// **Value.** The file `store.json`.
    private struct Summary: Codable {
        let info: Info
        /// The entities that have a file.
        let entityNames: [String]
    }

    private static let suffix = ".contents"
    private let folder: URL

    /// Creates a store in a folder, which need not exist.
    public init(_ folder: URL) { self.folder = folder }

    /// The folder.
    public var url: URL? { folder }
    /// The name of the kind.
    public var typeName: String { "JSONFolder" }

    /// Reads every file of the folder that counts. One that is missing is an error.
    public func load(model: ManagedObjectModel) throws -> AtomicContents? {
        guard let name = try Self.currentName(in: folder) else { return nil }
        let files = folder.appending(path: name)
        let summary = try Self.read(Summary.self, from: files.appending(path: "store.json"))
        let info = summary.info
        var contents = AtomicContents(
            identifier: info.identifier, versionHashes: info.versionHashes,
            metadata: info.metadata.mapValues(\.value), lastID: info.lastID)
        for entity in summary.entityNames {
            let file = files.appending(path: "\(entity).json")
            contents.objects += try Self.read([Object].self, from: file).map { $0.object(of: entity) }
        }
        return contents
    }

    /// Writes a new folder and makes it the one that counts.
    public func save(_ contents: AtomicContents, model: ManagedObjectModel) throws {
        let name = UUID().uuidString + Self.suffix
        let files = folder.appending(path: name)
        do {
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            let objects = Dictionary(grouping: contents.objects, by: \.entityName)
            let info = Info(
                StoreHeader(
                    identifier: contents.identifier, versionHashes: contents.versionHashes,
                    metadata: contents.metadata, lastID: contents.lastID))
            let summary = Summary(info: info, entityNames: objects.keys.sorted())
            try Self.write(summary, to: files.appending(path: "store.json"))
            for (entity, objects) in objects {
                try Self.write(objects.map(Object.init), to: files.appending(path: "\(entity).json"))
            }
            try Self.synchronize(files)
            try Self.setCurrentName(name, in: folder)
        } catch {
            // Unless the former name could not be put back, the folder does not count; the error that says why it is there is
            // more important than its removal.
            if (try? Self.currentName(in: folder)) != name { try? FileManager.default.removeItem(at: files) }
            throw error
        }
        removeFormerContents(except: name)
    }

    private func removeFormerContents(except current: String) {
        // Reason for try?: the save has succeeded, and what stays goes with the next one.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name != current && name.hasSuffix(Self.suffix) {
            guard UUID(uuidString: String(name.dropLast(Self.suffix.count))) != nil else { continue }
            // Reason for try?: as above.
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
