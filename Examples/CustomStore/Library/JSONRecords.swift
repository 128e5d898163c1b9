public import DataMonk
public import Foundation
import Synchronization

/// **Shared.** A store in a folder with a file for the objects of each save, of which only those are read that somebody asks for.
///
/// ```
/// Records/current          the name of the index that counts
/// Records/<UUID>.index     identifier, hashes, metadata, last id; the entity, the file and the place of each object
/// Records/<UUID>.records   the objects of one save, one after the other, as JSON
/// ```
/// No file but `current` is ever changed, so a snapshot is an index. A store that was saved removes what its index does not name
/// any more when it is closed. Other files in the folder stay as they are.
public final class JSONRecords: IncrementalStore {
    private let folder: URL
    private let wasSaved = Mutex(false)

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
        let offset: UInt64
        let count: Int
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
                return try object(at: entry)
            }
        }

        private func object(at entry: Entry) throws -> AtomicObject {
            let file = try FileHandle(forReadingFrom: folder.appending(path: entry.file))
            // Reason for try?: what was only read loses nothing.
            defer { try? file.close() }
            try file.seek(toOffset: entry.offset)
            let bytes = try file.read(upToCount: entry.count) ?? Data()
            return try JSONDecoder().decode(JSONFolder.Object.self, from: bytes).object(of: entry.entityName)
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
        wasSaved.withLock { $0 = true }
        let former = try currentIndex().map { Snapshot(index: $0.index, model: model, folder: folder) }
        var index = Index(info: JSONFolder.Info(changes.header), entries: former?.index.entries ?? [:])
        for id in changes.deletedIDs { index.entries["\(id)"] = nil }
        let updated = try changes.updated.map { change in
            var object = try former?.objects(withIDs: [change.id]).first ?? change
            object.update(from: change)
            return object
        }
        let file = "\(UUID().uuidString).records"
        var bytes = Data()
        for object in changes.inserted + updated {
            let form = try JSONFolder.data(of: JSONFolder.Object(object))
            index.entries["\(object.id)"] = Entry(
                entityName: object.entityName, file: file, offset: UInt64(bytes.count), count: form.count)
            bytes += form
        }
        if !bytes.isEmpty { try JSONFolder.write(bytes, to: folder.appending(path: file)) }
        let name = "\(UUID().uuidString).index"
        try JSONFolder.write(index, to: folder.appending(path: name))
        try JSONFolder.setCurrentName(name, in: folder)
    }

    /// Removes what a save that failed, or that came later, has left.
    public func close() {
        guard wasSaved.withLock({ $0 }) else { return }
        // Reason for try?: what stays does not count, and goes the next time.
        guard let current = try? currentIndex(),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return }
        let kept = Set([current.name] + current.index.entries.values.map(\.file))
        for name in names where Self.isOwn(name) && !kept.contains(name) {
            // Reason for try?: as above.
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    /// Indicates whether a file has a name that a save gives.
    private static func isOwn(_ name: String) -> Bool {
        [".records", ".index"].contains { suffix in
            name.hasSuffix(suffix) && UUID(uuidString: String(name.dropLast(suffix.count))) != nil
        }
    }

    private func currentIndex() throws -> (name: String, index: Index)? {
        guard let name = try JSONFolder.currentName(in: folder) else { return nil }
        return (name, try JSONFolder.read(Index.self, from: folder.appending(path: name)))
    }
}
