import Foundation

/// **Shared.** One state of an incremental store, beneath the contents in memory that a transaction lays over it.
///
/// Conditions and rows are read where nothing can be thrown, so a failure is noted, and thrown by `requireReadable` before an
/// answer is given that would be wrong.
final class IncrementalBase: Sendable {
    private struct State {
        /// The objects that were read last, by their ids.
        var objects: [Int64: AtomicObject] = [:]
        var failure: (any Error)?
    }

    private static let maximumCount = 4_096
    /// The number of objects that are read together.
    static let batchCount = 500

    let snapshot: any IncrementalSnapshot
    private let rows: AtomicRows
    private let state = Locked(State())

    init(_ snapshot: any IncrementalSnapshot, rows: AtomicRows) {
        self.snapshot = snapshot
        self.rows = rows
    }

    var lastID: Int64 { snapshot.header.lastID }

    // MARK: Failures

    /// Throws the first failure since the last call.
    func requireReadable() throws {
        let failure = state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
        if let failure { throw rows.frame.translated(failure, .readFailed, "read") }
    }

    private func noting<Result>(or substitute: Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            return substitute
        }
    }

    // MARK: Reading

    /// Returns an object of an inheritance tree.
    func stored(_ id: Int64, root: Int) -> InMemoryContents.Stored? {
        noting(or: nil) {
            guard let object = try object(id) else { return nil }
            let entity = try rows.entity(of: object)
            guard entity.root.index == root else { return nil }
            var arena = RowArena()
            let row = try rows.row(of: object, entity, in: &arena, destination: key)
            return InMemoryContents.Stored(key: rows.key(id, entity), row: row)
        }
    }

    /// Returns the ids of an entity and of its sub-entities, in ascending order.
    func ids(of entity: Entity, where condition: Condition?) -> [Int64] {
        noting(or: []) {
            let ids = try snapshot.ids(of: entity.name, where: condition).sorted()
            for (id, next) in zip(ids, ids.dropFirst()) where id == next {
                throw rows.frame.corrupt(
                    "lists the object \(id) of \(entity.name) twice. List each object once", entity)
            }
            if let id = ids.first(where: { $0 < 1 || $0 > lastID }) {
                throw rows.frame.corrupt(
                    "lists the object \(id) of \(entity.name), an id that no object was given. List the ids that were saved",
                    entity)
            }
            return ids
        }
    }

    /// Reads objects that `ids` has listed, so that each of them is there.
    func load(_ ids: [Int64], of entity: Entity) {
        noting(or: ()) {
            try load(ids)
            let known = state.withLock { $0.objects }
            if let id = ids.first(where: { known[$0] == nil }) {
                throw rows.frame.corrupt(
                    "lists the object \(id) of \(entity.name), which it does not return. Return each object that is listed",
                    entity)
            }
            // The entities of references that do not tell theirs.
            let references = ids.compactMap { known[$0] }.flatMap { rows.ambiguousReferences(of: $0) }
            try load(references)
        }
    }

    /// Reads objects that are about to be asked for one by one.
    func prepare(_ keys: [ObjectKey]) {
        let ids = Array(Set(keys.map(\.primaryKey).filter { $0 <= lastID }))
        for start in stride(from: 0, to: min(ids.count, Self.maximumCount), by: Self.batchCount) {
            noting(or: ()) { try load(Array(ids[start..<min(start + Self.batchCount, ids.count)])) }
        }
    }

    /// Returns the keys of a to-many's objects.
    func destinations(of relationship: Entity.Relationship, from owner: ObjectKey) -> [ObjectKey] {
        noting(or: []) {
            guard owner.primaryKey <= lastID else { return [] }
            let ids = try snapshot.destinations(of: relationship.name, from: owner.primaryKey)
            guard Set(ids).count == ids.count else {
                throw rows.frame.corrupt(
                    "returns an object twice in \(relationship.name) of \(owner.primaryKey). Return each object once",
                    relationship.entity)
            }
            if rows.isAmbiguous(relationship) { try load(ids) }
            return try ids.compactMap { try key($0, relationship) }
        }
    }

    /// Returns the object that a to-many without an inverse belongs to. No store is asked for these: all owners are looked
    /// through.
    func owner(of key: ObjectKey, in relationship: Entity.Relationship) -> ObjectKey? {
        for id in ids(of: relationship.entity, where: nil) {
            let members = noting(or: []) { try snapshot.destinations(of: relationship.name, from: id) }
            if members.contains(key.primaryKey) {
                return noting(or: nil) { try object(id).map { rows.key(id, try rows.entity(of: $0)) } }
            }
        }
        return nil
    }

    // MARK: Objects

    /// Returns the key of a destination; `nil` if its entity is not known without it, and it is not there.
    private func key(_ id: Int64, _ relationship: Entity.Relationship) throws -> ObjectKey? {
        if let entity = rows.onlyEntity(of: relationship.destination) { return rows.key(id, entity) }
        guard let object = try object(id) else { return nil }
        let entity = try rows.entity(of: object)
        guard entity.isKind(of: relationship.destination) else {
            throw rows.fault(
                "is a destination of \(relationship.entity.name).\(relationship.name), which leads to "
                    + "\(relationship.destination.name). Leave out the reference", object)
        }
        return rows.key(id, entity)
    }

    private func object(_ id: Int64) throws -> AtomicObject? {
        if let known = state.withLock({ $0.objects[id] }) { return known }
        guard id >= 1, id <= lastID else { return nil }
        try load([id])
        return state.withLock { $0.objects[id] }
    }

    private func load(_ ids: [Int64]) throws {
        let missing = state.withLock { state in Set(ids.filter { state.objects[$0] == nil }) }
        if missing.isEmpty { return }
        var found: [Int64: AtomicObject] = [:]
        for object in try snapshot.objects(withIDs: missing.sorted()) {
            guard missing.contains(object.id) else {
                throw rows.fault("is returned, but was not asked for. Return the objects with the ids alone", object)
            }
            _ = try rows.check(object)
            guard found.updateValue(object, forKey: object.id) == nil else {
                throw rows.fault("is returned twice. Return each object once", object)
            }
        }
        state.withLock { [found] state in
            // What is asked for together stays together.
            if state.objects.count + found.count > Self.maximumCount {
                state.objects = state.objects.filter { ids.contains($0.key) }
            }
            state.objects.merge(found) { _, new in new }
        }
    }
}
