import DataMonk
import Foundation
import Synchronization

/// **Shared.** An incremental store in memory that notes what it is asked for, and answers wrongly on request.
final class RecordStore: IncrementalStore {
    struct State: Sendable {
        var header: StoreHeader?
        var objects: [Int64: AtomicObject] = [:]
        /// The ids that were asked for.
        var readIDs: [Int64] = []
        var saves: [IncrementalChanges] = []
        var openSnapshots = 0
        var failure: (any Error)?
    }

    struct Snapshot: IncrementalSnapshot {
        let store: RecordStore
        let header: StoreHeader
        let objects: [Int64: AtomicObject]
        let model: ManagedObjectModel

        func ids(of entityName: String, where condition: Condition?) throws -> [Int64] {
            let names = Set(model.entitiesByName[entityName]?.family.map(\.name) ?? [])
            let ids = objects.values.filter { object in
                names.contains(object.entityName) && store.mayMatch(object, condition)
            }
            return store.alteringIDs(ids.map(\.id))
        }

        func objects(withIDs ids: [Int64]) throws -> [AtomicObject] {
            try store.state.withLock { state in
                if let failure = state.failure { throw failure }
                state.readIDs += ids
            }
            return store.alteringObjects(
                ids.compactMap { objects[$0] }.map { object in
                    var object = object
                    let entity = model.entitiesByName[object.entityName]
                    object.destinations = object.destinations.filter { name, _ in
                        entity?.relationships.contains { $0.name == name && !$0.isToMany } ?? true
                    }
                    return object
                })
        }

        func destinations(of relationshipName: String, from id: Int64) throws -> [Int64] {
            store.alteringIDs(objects[id]?.destinations[relationshipName] ?? [])
        }

        func end() { store.state.withLock { $0.openSnapshots -= 1 } }
    }

    let state = Mutex(State())
    /// Makes other ids, or objects, of those that are returned.
    let alteringIDs: @Sendable ([Int64]) -> [Int64]
    let alteringObjects: @Sendable ([AtomicObject]) -> [AtomicObject]

    init(
        ids: @escaping @Sendable ([Int64]) -> [Int64] = { $0 },
        objects: @escaping @Sendable ([AtomicObject]) -> [AtomicObject] = { $0 }
    ) {
        alteringIDs = ids
        alteringObjects = objects
    }

    /// A store with the contents of another one.
    func altered(
        ids: @escaping @Sendable ([Int64]) -> [Int64] = { $0 },
        objects: @escaping @Sendable ([AtomicObject]) -> [AtomicObject] = { $0 }
    ) -> RecordStore {
        let other = RecordStore(ids: ids, objects: objects)
        let (header, objects) = state.withLock { ($0.header, $0.objects) }
        other.state.withLock { ($0.header, $0.objects) = (header, objects) }
        return other
    }

    var typeName: String { "Records" }
    var readIDs: [Int64] { state.withLock { $0.readIDs } }
    var saves: [IncrementalChanges] { state.withLock { $0.saves } }

    func snapshot(model: ManagedObjectModel) throws -> (any IncrementalSnapshot)? {
        state.withLock { state in
            guard let header = state.header else { return nil }
            state.openSnapshots += 1
            return Snapshot(store: self, header: header, objects: state.objects, model: model)
        }
    }

    func save(_ changes: IncrementalChanges, model: ManagedObjectModel) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            for object in changes.inserted { state.objects[object.id] = object }
            for object in changes.updated { state.objects[object.id]?.update(from: object) }
            for id in changes.deletedIDs { state.objects[id] = nil }
            state.header = changes.header
            state.saves.append(changes)
        }
    }

    /// Understands a comparison of an attribute with a constant, and nothing else.
    private func mayMatch(_ object: AtomicObject, _ condition: Condition?) -> Bool {
        guard case .comparison(let comparison)? = condition, case .keyPath(let name) = comparison.left,
            case .value(let value) = comparison.right, comparison.operation == .equal, comparison.options.isEmpty,
            !name.contains(".")
        else { return true }
        return object.values[name] ?? .null == value
    }
}
