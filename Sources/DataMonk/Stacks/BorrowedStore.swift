import DataMonkCore
import Foundation

/// **Shared.** An atomic store that belongs to somebody else, and stays open.
struct BorrowedStore: AtomicStore {
    let store: any AtomicStore

    var url: URL? { store.url }
    var typeName: String { store.typeName }

    func load(model: ManagedObjectModel) throws -> AtomicContents? { try store.load(model: model) }
    func save(_ contents: AtomicContents, model: ManagedObjectModel) throws {
        try store.save(contents, model: model)
    }
}

/// **Shared.** An incremental store that belongs to somebody else, and stays open.
struct BorrowedIncrementalStore: IncrementalStore {
    let store: any IncrementalStore

    var url: URL? { store.url }
    var typeName: String { store.typeName }

    func snapshot(model: ManagedObjectModel) throws -> (any IncrementalSnapshot)? { try store.snapshot(model: model) }
    func save(_ changes: IncrementalChanges, model: ManagedObjectModel) throws {
        try store.save(changes, model: model)
    }
}
