import DataMonkCore
import Foundation

/// **Shared.** An atomic store that notes what another one has saved.
struct RecordedAtomicStore: AtomicStore {
    private let store: any AtomicStore
    private let saved = Locked<AtomicContents?>(nil)

    init(_ store: any AtomicStore) { self.store = store }

    var url: URL? { store.url }
    var typeName: String { store.typeName }

    func load(model: ManagedObjectModel) throws -> AtomicContents? { try store.load(model: model) }

    func save(_ contents: AtomicContents, model: ManagedObjectModel) throws {
        try store.save(contents, model: model)
        saved.withLock { $0 = contents }
    }

    func close() { store.close() }

    /// Throws unless the store loads what it has saved. It need not keep versions.
    func requireSameContents(as model: ManagedObjectModel) throws {
        guard let saved = saved.withLock({ $0 }) else { return }
        guard let loaded = try store.load(model: model) else {
            throw StoreContractViolation(description: "The store loads nothing after it has saved")
        }
        try expectEqual(loaded.identifier, saved.identifier, "The identifier loaded again")
        try expectEqual(loaded.metadata, saved.metadata, "The metadata loaded again")
        try expectEqual(loaded.versionHashes ?? saved.versionHashes, saved.versionHashes, "The hashes loaded again")
        try expectEqual(loaded.lastID, saved.lastID, "The last id loaded again")
        try expectEqual(Self.byID(loaded), Self.byID(saved), "The objects loaded again")
    }

    private static func byID(_ contents: AtomicContents) -> [AtomicObject] {
        contents.objects.sorted { $0.id < $1.id }.map { object in
            var object = object
            object.version = 1
            return object
        }
    }
}
