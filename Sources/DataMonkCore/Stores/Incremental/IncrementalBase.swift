import Foundation

/// **Shared.** One state of an incremental store, beneath the contents in memory that a transaction lays over it.
///
/// Conditions and rows are read where nothing can be thrown, so a failure is noted, and thrown by `requireReadable` before an
/// answer is given that would be wrong.
final class IncrementalBase: Sendable {
    private struct State {
        /// The objects that were read last, by their ids.
        var objects: [Int64: AtomicObject] = [:]
        /// The ids that are about to be asked for, in their order, and the place of each.
        var expected: [Int64] = []
        var places: [Int64: Int] = [:]
        var failure: (any Error)?
        var hasEnded = false
    }

    private static let maximumCount = 4_096
    /// The number of objects that are read together.
    static let batchCount = 500

    let snapshot: any IncrementalSnapshot
    let lastID: Int64
    private let rows: AtomicRows
    /// The facts from before the snapshot was asked for.
    private let facts: IncrementalFacts
    private let keeper: IncrementalKeeper
    private let state = Locked(State())

    init(_ snapshot: any IncrementalSnapshot, rows: AtomicRows, facts: IncrementalFacts, keeper: IncrementalKeeper) {
        self.snapshot = snapshot
        self.rows = rows
        self.facts = facts
        self.keeper = keeper
        lastID = snapshot.header.lastID
    }

    /// Releases the snapshot. Later calls do nothing.
    func end() {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        guard isFirst else { return }
        snapshot.end()
        keeper.endSnapshot()
    }

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
            return entity.root.index == root ? try stored(object, entity) : nil
        }
    }

    /// Returns the object with a key. An object of another entity is none, unless it was the store that referred to it so.
    func stored(_ key: ObjectKey) -> InMemoryContents.Stored? {
        noting(or: nil) {
            guard let object = try object(key.primaryKey) else { return nil }
            let entity = try rows.entity(of: object)
            if rows.key(object.id, entity) == key { return try stored(object, entity) }
            guard keeper.mayRefer(to: key) else { return nil }
            let expected = rows.frame.directory.layout(of: key).entity
            throw rows.fault(
                "is a destination of a relationship that leads to \(expected.name). Leave out the reference", object)
        }
    }

    private func stored(_ object: AtomicObject, _ entity: Entity) throws -> InMemoryContents.Stored {
        var arena = RowArena()
        let row = try rows.row(of: object, entity, in: &arena, destination: key)
        return InMemoryContents.Stored(key: rows.key(object.id, entity), row: row)
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
            try loadWithReferences(ids)
            let missing = state.withLock { state in ids.first { state.objects[$0] == nil } }
            if let missing {
                throw rows.frame.corrupt(
                    "lists the object \(missing) of \(entity.name), which it does not return. Return each object that is listed",
                    entity)
            }
        }
    }

    /// Notes objects that are about to be asked for one by one, in this order: with each that is read, those behind it are.
    func prepare(_ keys: [ObjectKey]) { expect(keys.map(\.primaryKey).filter { $0 <= lastID }) }

    private func expect(_ ids: [Int64]) {
        var (expected, places): ([Int64], [Int64: Int]) = ([], [:])
        for id in ids where places[id] == nil {
            places[id] = expected.count
            expected.append(id)
        }
        state.withLock { [expected, places] in ($0.expected, $0.places) = (expected, places) }
    }

    /// Returns the keys of a to-many's objects.
    func destinations(of relationship: Entity.Relationship, from owner: ObjectKey) -> [ObjectKey] {
        noting(or: []) {
            guard owner.primaryKey <= lastID else { return [] }
            let ids = try snapshot.destinations(of: relationship.name, from: owner.primaryKey)
            let list = "\(relationship.name) of \(owner.primaryKey)"
            guard Set(ids).count == ids.count else {
                throw rows.frame.corrupt(
                    "returns an object twice in \(list). Return each object once", relationship.entity)
            }
            if let id = ids.first(where: { $0 < 1 || $0 > lastID }) {
                throw rows.frame.corrupt(
                    "returns the object \(id) in \(list), an id that no object was given. Return the ids that were saved",
                    relationship.entity)
            }
            if rows.isAmbiguous(relationship) { expect(ids) }
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
        if let entity = rows.onlyEntity(of: relationship.destination) {
            keeper.note(reference: rows.key(id, entity))
            return rows.key(id, entity)
        }
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
        let batch = state.withLock { state in
            guard let place = state.places[id] else { return [id] }
            return Array(state.expected[place..<min(place + Self.batchCount, state.expected.count)])
        }
        try loadWithReferences(batch)
        return state.withLock { $0.objects[id] }
    }

    /// Reads objects, and the destinations of those references that do not tell their entity.
    private func loadWithReferences(_ ids: [Int64]) throws {
        try load(ids)
        let references = state.withLock { state in
            ids.compactMap { state.objects[$0] }.flatMap(rows.ambiguousReferences)
        }
        try load(references, keeping: ids)
    }

    private func load(_ ids: [Int64], keeping kept: [Int64] = []) throws {
        let missing = state.withLock { state in Set(ids.filter { state.objects[$0] == nil }) }
        if missing.isEmpty { return }
        var found: [Int64: AtomicObject] = [:]
        for object in try snapshot.objects(withIDs: missing.sorted()) {
            guard missing.contains(object.id) else {
                throw rows.fault("is returned, but was not asked for. Return the objects with the ids alone", object)
            }
            _ = try rows.check(object, lastID: lastID)
            try checkVersion(of: object)
            guard found.updateValue(object, forKey: object.id) == nil else {
                throw rows.fault("is returned twice. Return each object once", object)
            }
        }
        state.withLock { [found] state in
            // What is asked for together stays together.
            if state.objects.count + found.count > Self.maximumCount {
                let ids = Set(ids + kept)
                state.objects = state.objects.filter { ids.contains($0.key) }
            }
            state.objects.merge(found) { _, new in new }
        }
    }

    /// Conflicts are found by versions: without them, updates would be lost.
    private func checkVersion(of object: AtomicObject) throws {
        guard let saved = facts.version(of: object.id) else { return }
        guard object.version >= saved else {
            throw rows.fault(
                "has the version \(object.version), though \(saved) was saved. Return the version that was saved: conflicts are "
                    + "found by it", object)
        }
        keeper.noteVersions()
    }
}
