/// **Value.** The permanent keys of a save's new objects: consecutive primary keys for those of one inheritance tree in one
/// store, in the order of insertion.
///
///     counted    each new object once            count(_:in:_:)
///     reserved   the first key of each group     reserve(_:)
///     given out  each object's key, in the order in which they were counted   next()
///
/// There is no table from temporary keys to permanent ones: objects get theirs in turn, and only a save in which
/// something may point at a new object has to look one up.
struct NewKeys {
    /// **Value.** The new objects of one inheritance tree in one store.
    private struct Group {
        let store: Int
        let root: Entity
        var count: Int
        var next: Int64
    }

    private var groups: [Group] = []
    /// In the order of counting: one for each run of objects of one entity.
    private var runs: [Run] = []
    /// What is left of the run whose keys are being given out: its keys are consecutive.
    private var left = 0
    private var nextKey: UInt64 = 0
    private var nextRun = 0

    /// **Value.** New objects, one after the other, that belong to one group.
    private struct Run {
        let entity: Int
        let store: Int
        let group: Int
        var count: Int
    }

    /// Counts a new object.
    mutating func count(_ temporary: ObjectKey, in store: Int, _ model: ManagedObjectModel) {
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

    /// Reserves the keys of each group: `first` takes so many of a tree in a store.
    mutating func reserve(_ first: (_ store: Int, _ root: Entity, _ count: Int) throws -> Int64) rethrows {
        for index in groups.indices {
            groups[index].next = try first(groups[index].store, groups[index].root, groups[index].count)
        }
    }

    /// The key of the object that was counted next.
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
