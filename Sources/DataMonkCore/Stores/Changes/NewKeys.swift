/// **Value.** The permanent keys of a save's new objects. The objects of one inheritance tree in one store get
/// consecutive primary keys, in the order of insertion.
///
///     counted    each new object once            count(_:in:_:)
///     reserved   the first key of each group     reserve(_:)
///     assigned   each object's key, in the order in which they were counted   next()
///
/// There is no table from temporary keys to permanent ones: objects get theirs in turn, and only a save with possible
/// references to new objects needs a lookup.
struct NewKeys {
    /// **Value.** The new objects of one inheritance tree in one store.
    private struct Group {
        let store: Int
        let root: Entity
        var count: Int
        var next: Int64
    }

    private var groups: [Group] = []
    /// In the order of counting; one for each run of objects of the same entity.
    private var runs: [Run] = []
    /// The number of keys left in the current run; its keys are consecutive.
    private var left = 0
    private var nextKey: UInt64 = 0
    private var nextRun = 0

    /// **Value.** Consecutive new objects that belong to one group.
    private struct Run {
        let entity: Int
        let store: Int
        let group: Int
        var count: Int
    }

    mutating func count(_ temporary: ObjectKey, in store: Int, model: ManagedObjectModel) {
        if let last = runs.last, last.entity == temporary.entityIndex, last.store == store {
            runs[runs.count - 1].count += 1
            groups[last.group].count += 1
            return
        }
        let root = model.entities[temporary.entityIndex].root
        let group = groups.firstIndex { $0.store == store && $0.root === root } ?? groups.count
        if group == groups.count { groups.append(Group(store: store, root: root, count: 0, next: 0)) }
        groups[group].count += 1
        runs.append(Run(entity: temporary.entityIndex, store: store, group: group, count: 1))
    }

    /// Reserves the keys of each group: `first` reserves that number of keys for a tree in a store.
    mutating func reserve(_ first: (_ store: Int, _ root: Entity, _ count: Int) throws -> Int64) rethrows {
        for index in groups.indices {
            groups[index].next = try first(groups[index].store, groups[index].root, groups[index].count)
        }
    }

    /// Returns the key of the next object in the order of counting.
    mutating func next() -> ObjectKey {
        if left == 0 { beginRun() }
        left -= 1
        // The primary key is the low part of a key.
        defer { nextKey += 1 }
        return ObjectKey(rawValue: nextKey)
    }

    private mutating func beginRun() {
        let run = runs[nextRun]
        nextRun += 1
        left = run.count
        nextKey = ObjectKey(store: run.store, entity: run.entity, primaryKey: groups[run.group].next).rawValue
        groups[run.group].next += Int64(run.count)
    }
}
