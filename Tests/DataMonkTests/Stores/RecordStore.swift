import DataMonk
import Foundation
import Synchronization

/// **Shared.** An incremental store in memory that notes what it is asked for, and answers wrongly on request.
final class RecordStore: IncrementalStore {
    struct State: Sendable {
        var header: StoreHeader?
        var objects: [Int64: AtomicObject] = [:]
        /// The ids that were asked for, and the number of calls that did.
        var readIDs: [Int64] = []
        var readCalls = 0
        var saves: [IncrementalChanges] = []
        var openSnapshots = 0
        var closings = 0
        /// The number of calls after the store was closed.
        var lateCalls = 0
        var failure: (any Error)?
    }

    struct Snapshot: IncrementalSnapshot {
        let store: RecordStore
        let header: StoreHeader
        let objects: [Int64: AtomicObject]
        let model: ManagedObjectModel

        func ids(of entityName: String, where condition: Condition?) throws -> [Int64] {
            store.noteCall()
            let names = Set(model.entitiesByName[entityName]?.family.map(\.name) ?? [])
            let ids = objects.values.filter { object in
                names.contains(object.entityName) && store.matching(object, condition, objects)
            }
            return store.alteringIDs(ids.map(\.id))
        }

        func objects(withIDs ids: [Int64]) throws -> [AtomicObject] {
            store.noteCall()
            try store.state.withLock { state in
                if let failure = state.failure { throw failure }
                state.readIDs += ids
                state.readCalls += 1
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
            store.noteCall()
            return store.alteringDestinations(objects[id]?.destinations[relationshipName] ?? [])
        }

        func end() {
            store.noteCall()
            store.state.withLock { $0.openSnapshots -= 1 }
        }
    }

    typealias IDs = @Sendable ([Int64]) -> [Int64]
    typealias Objects = @Sendable ([AtomicObject]) -> [AtomicObject]
    typealias Matching = @Sendable (AtomicObject, Condition?, [Int64: AtomicObject]) -> Bool

    let state = Mutex(State())
    /// Makes other ids, destinations, or objects, of those that are returned.
    let alteringIDs: IDs
    let alteringDestinations: IDs
    let alteringObjects: Objects
    /// Understands a condition, or a part of it.
    let matching: Matching

    init(
        ids: @escaping IDs = { $0 }, destinations: @escaping IDs = { $0 }, objects: @escaping Objects = { $0 },
        matching: @escaping Matching = { object, condition, _ in RecordStore.mayMatch(object, condition) }
    ) {
        alteringIDs = ids
        alteringDestinations = destinations
        alteringObjects = objects
        self.matching = matching
    }

    /// A store with the contents of another one.
    func altered(
        ids: @escaping IDs = { $0 }, destinations: @escaping IDs = { $0 }, objects: @escaping Objects = { $0 },
        matching: @escaping Matching = { object, condition, _ in RecordStore.mayMatch(object, condition) }
    ) -> RecordStore {
        let other = RecordStore(ids: ids, destinations: destinations, objects: objects, matching: matching)
        let (header, objects) = state.withLock { ($0.header, $0.objects) }
        other.state.withLock { ($0.header, $0.objects) = (header, objects) }
        return other
    }

    var typeName: String { "Records" }
    var readIDs: [Int64] { state.withLock { $0.readIDs } }
    var readCalls: Int { state.withLock { $0.readCalls } }
    var saves: [IncrementalChanges] { state.withLock { $0.saves } }
    var closings: Int { state.withLock { $0.closings } }
    var lateCalls: Int { state.withLock { $0.lateCalls } }

    func snapshot(model: ManagedObjectModel) throws -> (any IncrementalSnapshot)? {
        noteCall()
        return state.withLock { state in
            guard let header = state.header else { return nil }
            state.openSnapshots += 1
            return Snapshot(store: self, header: header, objects: state.objects, model: model)
        }
    }

    func save(_ changes: IncrementalChanges, model: ManagedObjectModel) throws {
        noteCall()
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            for object in changes.inserted { state.objects[object.id] = object }
            for object in changes.updated { state.objects[object.id]?.update(from: object) }
            for id in changes.deletedIDs { state.objects[id] = nil }
            state.header = changes.header
            state.saves.append(changes)
        }
    }

    func close() { state.withLock { $0.closings += 1 } }

    /// Forgets that it was closed, and what it was asked for.
    func reset() {
        state.withLock { state in
            (state.closings, state.lateCalls, state.readIDs, state.readCalls) = (0, 0, [], 0)
        }
    }

    private func noteCall() {
        state.withLock { state in
            if state.closings > 0 { state.lateCalls += 1 }
        }
    }

    /// Understands a comparison of an attribute with a constant, and nothing else.
    static func mayMatch(_ object: AtomicObject, _ condition: Condition?) -> Bool {
        guard case .comparison(let comparison)? = condition, case .keyPath(let name) = comparison.left,
            case .value(let value) = comparison.right, comparison.operation == .equal, comparison.options.isEmpty,
            !name.contains(".")
        else { return true }
        return object.values[name] ?? .null == value
    }
}
