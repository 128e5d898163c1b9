public import DataMonk
public import Foundation

/// **Value.** A store in a folder with a JSON file for each object, of which only those are read that somebody asks for.
///
/// ```
/// Records/current         the name of the index that counts
/// Records/<UUID>.index    identifier, hashes, metadata, last id; the entity and the file of each object
/// Records/<UUID>.json     one object
/// ```
/// No file but `current` is ever changed, so a snapshot is an index. What no index names any more is removed when the store is
/// closed.
public struct JSONRecords: IncrementalStore {
    private let folder: URL

    /// Creates a store in a folder, which need not exist.
    public init(_ folder: URL) { self.folder = folder }

    /// The folder.
    public var url: URL? { folder }
    /// The name of the kind.
    public var typeName: String { "JSONRecords" }

    private struct Index: Codable, Sendable {
        var info: JSONFolder.Info
        var entries: [String: Entry] = [:]
    }

    private struct Entry: Codable, Sendable {
        let entityName: String
        let file: String
    }

    /// **Value.** The objects that one index names.
    private struct Snapshot: IncrementalSnapshot {
        let index: Index
        let model: ManagedObjectModel
        let folder: URL

        var header: StoreHeader {
            StoreHeader(
                identifier: index.info.identifier, versionHashes: index.info.versionHashes,
                metadata: index.info.metadata.mapValues(\.value), lastID: index.info.lastID)
        }

        func ids(of entityName: String, where condition: Condition?) throws -> [Int64] {
            let names = Set(model.entitiesByName[entityName]?.family.map(\.name) ?? [])
            return index.entries.compactMap { id, entry in names.contains(entry.entityName) ? Int64(id) : nil }
        }

        func objects(withIDs ids: [Int64]) throws -> [AtomicObject] {
            try ids.compactMap { id in
                guard let entry = index.entries["\(id)"] else { return nil }
                let object = try JSONFolder.read(JSONFolder.Object.self, from: folder.appending(path: entry.file))
                return object.object(of: entry.entityName)
            }
        }

        func destinations(of relationshipName: String, from id: Int64) throws -> [Int64] {
            try objects(withIDs: [id]).first?.destinations[relationshipName] ?? []
        }
    }

    /// Reads the index that counts.
    public func snapshot(model: ManagedObjectModel) throws -> (any IncrementalSnapshot)? {
        try currentIndex().map { Snapshot(index: $0.index, model: model, folder: folder) }
    }

    /// Writes the objects that have changed and a new index, and makes that the one that counts.
    public func save(_ changes: IncrementalChanges, model: ManagedObjectModel) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let former = try currentIndex().map { Snapshot(index: $0.index, model: model, folder: folder) }
        var index = Index(info: JSONFolder.Info(changes.header), entries: former?.index.entries ?? [:])
        for id in changes.deletedIDs { index.entries["\(id)"] = nil }
        let updated = try changes.updated.map { change in
            var object = try former?.objects(withIDs: [change.id]).first ?? change
            object.update(from: change)
            return object
        }
        for object in changes.inserted + updated {
            let entry = Entry(entityName: object.entityName, file: "\(UUID().uuidString).json")
            try JSONFolder.write(JSONFolder.Object(object), to: folder.appending(path: entry.file))
            index.entries["\(object.id)"] = entry
        }
        let name = "\(UUID().uuidString).index"
        try JSONFolder.write(index, to: folder.appending(path: name))
        try Data(name.utf8).write(to: folder.appending(path: "current"), options: .atomic)
    }

    /// Removes what a save that failed, or that came later, has left.
    public func close() {
        // Reason for try?: what stays does not count, and goes the next time.
        guard let current = try? currentIndex(),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return }
        let kept = Set(["current", current.name] + current.index.entries.values.map(\.file))
        for name in names where !kept.contains(name) {
            // Reason for try?: as above.
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    private func currentIndex() throws -> (name: String, index: Index)? {
        let current = folder.appending(path: "current")
        guard FileManager.default.fileExists(atPath: current.path) else { return nil }
        let name = String(decoding: try Data(contentsOf: current), as: UTF8.self)
        return (name, try JSONFolder.read(Index.self, from: folder.appending(path: name)))
    }
}
