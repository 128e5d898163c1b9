/// **Value.** The contents of an in-memory store. A copy is a snapshot.
///
/// Each inheritance tree has one table, ordered by primary key like a file's. The members of each to-many relationship are
/// kept in addition to the rows, in both directions, and always agree with them.
///
/// Invariants:
/// 1. `tables[root]` has the objects of the tree by their primary keys.
/// 2. `members[r][a]` contains b, once, exactly if b's to-one inverse refers to a or, for links, if the link was added.
/// 3. `owners[r][b]` is a exactly if `members[r][a]` contains b and r has no inverse: an object has one owner.
/// 4. Over a base, the three have what differs from it: an object of the base counts if its id is not in `changedIDs`, a list of
///    the base if `members` has none.
struct InMemoryContents: Sendable {
    /// **Value.** One object.
    struct Stored: Sendable {
        let key: ObjectKey
        let row: Row
    }

    /// The state of an incremental store beneath; `nil` if everything is here.
    let base: IncrementalBase?
    /// The ids of the objects that were put here or removed, over a base.
    private(set) var changedIDs: Set<Int64> = []

    /// The history, if it is kept.
    var history: HistoryJournal?

    /// Indicates whether all entities share the numbers of their primary keys, as in an atomic store, whose references are
    /// numbers alone.
    var sharesPrimaryKeys = false

    private(set) var tables: [Int: InMemoryTable] = [:]
    /// The application's metadata.
    var metadata: [String: ManagedValue] = [:]
    private var lastPrimaryKeys: [Int: Int64] = [:]
    private var members: [Entity.Relationship: [ObjectKey: [ObjectKey]]] = [:]
    private var owners: [Entity.Relationship: [ObjectKey: ObjectKey]] = [:]

    init(over base: IncrementalBase? = nil) { self.base = base }

    // MARK: Reading

    /// Returns the object with a key. An object with the same number and another entity is another object: its row has other
    /// slots.
    func stored(_ key: ObjectKey, root: Int) -> Stored? {
        if let stored = tables[root]?[key.primaryKey] { return stored.key == key ? stored : nil }
        guard let base, !changedIDs.contains(key.primaryKey) else { return nil }
        return base.stored(key)
    }

    /// Calls a block with each object of an entity's tree, in the order of keys, until it returns `false`.
    ///
    /// - Parameter condition: A condition by which an incremental store may leave out objects of which it is false, and others
    ///   of the tree.
    func forEach(of entity: Entity, where condition: Condition? = nil, _ body: (Stored) throws -> Bool) rethrows {
        let own = (tables[entity.root.index]?.rows ?? []).lazy.compactMap(\.self)
        guard let base else {
            for stored in own where try !body(stored) { return }
            return
        }
        let isCurrent = changedIDs.isEmpty && members.isEmpty || condition?.readsRowsAlone(of: entity) ?? true
        let below = base.ids(of: entity, where: isCurrent ? condition : nil).filter { !changedIDs.contains($0) }
        let ids = (below + own.map(\.key.primaryKey)).sorted()
        for start in stride(from: 0, to: ids.count, by: IncrementalBase.batchCount) {
            let batch = ids[start..<min(start + IncrementalBase.batchCount, ids.count)]
            base.load(batch.filter { !changedIDs.contains($0) }, of: entity)
            for id in batch {
                let found = tables[entity.root.index]?[id] ?? base.stored(id, root: entity.root.index)
                if let found, try !body(found) { return }
            }
        }
    }

    /// Throws if an incremental store could not be read, so that an answer may be wrong.
    func requireReadable() throws { try base?.requireReadable() }

    /// The to-manys that have changed, by relationship, over a base.
    var changedLists: [Entity.Relationship: Set<ObjectKey>] { members.mapValues { Set($0.keys) } }

    /// Returns the highest primary key ever assigned in an inheritance tree.
    func lastPrimaryKey(root: Int) -> Int64 { lastPrimaryKeys[sharesPrimaryKeys ? 0 : root] ?? 0 }

    func destinations(of relationship: Entity.Relationship, from key: ObjectKey) -> [ObjectKey] {
        members[relationship]?[key] ?? base?.destinations(of: relationship, from: key) ?? []
    }

    func owner(of key: ObjectKey, in relationship: Entity.Relationship) -> ObjectKey? {
        owners[relationship]?[key] ?? base?.owner(of: key, in: relationship)
    }

    // MARK: Writing

    mutating func reservePrimaryKeys(_ count: Int, root: Int) throws -> Int64 {
        let last = lastPrimaryKey(root: root)
        guard count <= ObjectKey.maximumPrimaryKey - last else { throw StoreError.exhaustedKeys(last) }
        let first = last + 1
        lastPrimaryKeys[sharesPrimaryKeys ? 0 : root] = first + Int64(count) - 1
        return first
    }

    mutating func put(_ key: ObjectKey, row: Row, layout: EntityLayout) {
        let root = layout.entity.root.index
        let old = stored(key, root: root)
        tables[root, default: InMemoryTable()].put(Stored(key: key, row: row))
        if base != nil { changedIDs.insert(key.primaryKey) }
        for relationship in layout.relationships where !relationship.isToMany {
            moveMember(key, through: relationship, from: old?.row, to: row)
        }
    }

    mutating func remove(_ key: ObjectKey, layout: EntityLayout) {
        let root = layout.entity.root.index
        guard let old = stored(key, root: root) else { return }
        tables[root]?.remove(key.primaryKey)
        if base != nil { changedIDs.insert(key.primaryKey) }
        for relationship in layout.relationships {
            if !relationship.isToMany {
                moveMember(key, through: relationship, from: old.row, to: nil)
                continue
            }
            // Members refer to their owner themselves, and continue to.
            guard relationship.inverse?.isToMany ?? true else { continue }
            for destination in destinations(of: relationship, from: key) {
                removeLink(of: relationship, from: key, to: destination)
            }
            members[relationship]?[key] = base == nil ? nil : []
        }
        // In lists of the base it reads as nothing: its id is not used again.
        for relationship in owners.keys {
            if let owner = owners[relationship]?[key] { leaveOwner(key, of: relationship, owner) }
        }
    }

    /// Moves the object from the to-many at the old destination of its to-one to the one at the new destination.
    private mutating func moveMember(
        _ key: ObjectKey, through relationship: Entity.Relationship, from old: Row?, to new: Row?
    ) {
        guard let inverse = relationship.inverse, inverse.isToMany else { return }
        let oldOwner = old.flatMap { ObjectKey(slot: RowFormat.word(in: $0.pointer, at: relationship.slot)) }
        let newOwner = new.flatMap { ObjectKey(slot: RowFormat.word(in: $0.pointer, at: relationship.slot)) }
        if oldOwner == newOwner { return }
        if let oldOwner { removeMember(key, of: inverse, from: oldOwner) }
        if let newOwner { addMember(key, of: inverse, to: newOwner) }
    }

    /// Puts an object that was loaded, whose relationships follow by ``setMembers(_:of:owner:)``.
    mutating func putLoaded(_ stored: Stored, root: Int) { tables[root, default: InMemoryTable()].put(stored) }

    /// Sets the members of a to-many that were loaded. The other side is set likewise.
    mutating func setMembers(_ keys: [ObjectKey], of relationship: Entity.Relationship, owner: ObjectKey) {
        members[relationship, default: [:]][owner] = keys
        if !relationship.isOwnedByOneSideAlone { return }
        for key in keys { owners[relationship, default: [:]][key] = owner }
    }

    mutating func apply(_ link: ChangeSet.LinkChange) {
        let isStored = link.relationship.inverse?.isToMany ?? true
        if isStored {
            for key in link.removed { removeLink(of: link.relationship, from: link.owner, to: key) }
            for key in link.added {
                if link.relationship.isOwnedByOneSideAlone { own(key, by: link.owner, in: link.relationship) }
                addMember(key, of: link.relationship, to: link.owner)
                if let inverse = link.relationship.inverse { addMember(link.owner, of: inverse, to: key) }
            }
        }
        if !link.relationship.isOrdered { return }
        // If the whole order is unknown, the new elements come after the others.
        let others = destinations(of: link.relationship, from: link.owner).filter { !link.added.contains($0) }
        putInOrder(link.order ?? others + link.added, of: link.relationship, owner: link.owner)
    }

    /// Takes a list over from the base, before it is changed.
    private mutating func takeOver(_ relationship: Entity.Relationship, of owner: ObjectKey) {
        guard let base, members[relationship]?[owner] == nil else { return }
        members[relationship, default: [:]][owner] = base.destinations(of: relationship, from: owner)
    }

    /// Orders the existing members. The given order may lack some of them, and may contain some that have left.
    private mutating func putInOrder(_ order: [ObjectKey], of relationship: Entity.Relationship, owner: ObjectKey) {
        takeOver(relationship, of: owner)
        let present = members[relationship]?[owner] ?? []
        let (ordered, known) = (Set(order), Set(present))
        members[relationship, default: [:]][owner] =
            order.filter(known.contains) + present.filter { !ordered.contains($0) }
    }

    /// Makes `owner` the only owner of an object.
    private mutating func own(_ key: ObjectKey, by owner: ObjectKey, in relationship: Entity.Relationship) {
        let former = self.owner(of: key, in: relationship)
        if former == owner { return }
        if let former { leaveOwner(key, of: relationship, former) }
        owners[relationship, default: [:]][key] = owner
    }

    private mutating func leaveOwner(_ key: ObjectKey, of relationship: Entity.Relationship, _ owner: ObjectKey) {
        owners[relationship]?[key] = nil
        removeMember(key, of: relationship, from: owner)
    }

    private mutating func removeLink(of relationship: Entity.Relationship, from owner: ObjectKey, to key: ObjectKey) {
        if relationship.isOwnedByOneSideAlone {
            let isMember =
                base == nil
                ? owners[relationship]?[key] == owner : destinations(of: relationship, from: owner).contains(key)
            if isMember { leaveOwner(key, of: relationship, owner) }
            return
        }
        removeMember(key, of: relationship, from: owner)
        if let inverse = relationship.inverse, inverse.isToMany { removeMember(owner, of: inverse, from: key) }
    }

    private mutating func addMember(_ key: ObjectKey, of relationship: Entity.Relationship, to owner: ObjectKey) {
        takeOver(relationship, of: owner)
        if members[relationship]?[owner]?.contains(key) == true { return }
        members[relationship, default: [:]][owner, default: []].append(key)
    }

    private mutating func removeMember(_ key: ObjectKey, of relationship: Entity.Relationship, from owner: ObjectKey) {
        takeOver(relationship, of: owner)
        members[relationship]?[owner]?.removeAll { $0 == key }
    }
}

extension Condition {
    /// Indicates whether an object's own row decides, and no other object's: then a state beneath later changes can tell of
    /// each object that has not changed itself.
    fileprivate func readsRowsAlone(of entity: Entity) -> Bool {
        ConditionTraversal(self).allSatisfy { node in
            switch node {
            case .constant, .and, .or, .not, .comparison, .value, .list, .function, .conditional: true
            case .keyPath(let path):
                entity.attribute(named: path) != nil || entity.relationship(named: path)?.isToMany == false
            case .object, .variable, .path, .element, .subquery: false
            }
        }
    }
}

extension StoreError {
    fileprivate static func exhaustedKeys(_ last: Int64) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The store has given out \(last) as a primary key, and there are not enough above it: the highest is \
            \(ObjectKey.maximumPrimaryKey). Copy the objects into a new store.
            """)
    }
}
