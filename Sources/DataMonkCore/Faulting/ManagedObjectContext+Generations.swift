/// What a context reads that stands behind the store: between a commit of others and the call or the turn in which it takes
/// that over. Objects must not change meanwhile, and what is read for the first time must fit to them.
///
///     row        the row cache has each row that changed since, as of the context's generation; a row that it does not
///                know has not changed, and the store's is the right one
///     to-many    the store's members, less what the commits after the context's generation have brought
///
/// Two bounds, behind which the newest is what there is: the row cache keeps 65,536 older rows, and the notices are those of
/// the last 1,024 commits, or 64 MiB of them. What other processes have written is not known row by row either:
/// `meetForeignCommits()`.
extension ManagedObjectContext {
    /// Whether the snapshot of this turn shows more than the context does.
    var isBehind: Bool {
        let root = root
        guard let snapshot = root.snapshot else { return false }
        return root.generation < snapshot.generation
    }

    /// Whether a property that is about to be read may find commits of other processes first: in a context that is for
    /// reading, at the beginning of a turn. In one for writing a value that was read a moment ago may be about to be set
    /// from: its object keeps the row that the commit compares with the store's.
    @inline(__always)
    var meetsForeignCommits: Bool { isReadOnly && callsAtWork == 0 && snapshot == nil }

    /// Opens the snapshot that properties are read over in this turn. If it shows commits of other processes, the context
    /// moves with them as a whole: how a row was before nobody knows, and the row cache would answer with one of them and
    /// the store with another.
    @inline(never)
    func meetForeignCommits() {
        beginLoading()
        defer { endCall() }
        // Reason for try?: the read that is to follow needs the snapshot as well, and says why there is none.
        guard followsCommits, let snapshot = try? openSnapshot(), snapshot.generation > generation else { return }
        // Nil for notices that are no longer there, and stand for anything.
        let notices = coordinator.notices.notices(after: generation, through: snapshot.generation)
        if notices?.contains(where: \.isForeign) ?? true { stand(at: snapshot.generation) }
    }

    /// The row cache's row as of the context's generation.
    func olderRow(of key: ObjectKey) -> RowCache<Row>.Answer {
        coordinator.cachedRow(for: key, at: root.generation)
    }

    /// The members of a to-many where the context stands, from those that the snapshot has.
    func asOfGeneration(
        _ members: [ManagedObject], of relationship: Entity.Relationship, from owner: ObjectKey
    ) -> [ManagedObject] {
        guard isBehind, let snapshot = root.snapshot,
            root.followsCommits,
            let notices = coordinator.notices.notices(after: root.generation, through: snapshot.generation)
        else { return members }
        var past = PastMembers(members.map(\.key), of: relationship, from: owner, layouts: directory.layouts)
        for notice in notices.reversed() {
            for commit in notice.commits.reversed() { past.takeBack(commit.changes) }
        }
        return past.isChanged ? past.keys.map(object) : members
    }
}

/// **Value.** The members of one to-many on the way back through commits, the newest first. Of an ordered one members that
/// come back stand at the end.
private struct PastMembers {
    private(set) var keys: [ObjectKey]
    private(set) var isChanged = false
    private let owner: ObjectKey
    private let slot: Int
    private let layouts: [EntityLayout]

    init(_ keys: [ObjectKey], of relationship: Entity.Relationship, from owner: ObjectKey, layouts: [EntityLayout]) {
        self.keys = keys
        self.owner = owner
        slot = relationship.slot
        self.layouts = layouts
    }

    mutating func takeBack(_ changes: ChangeSet) {
        for change in changes.updated { move(change.key, from: change.row, to: change.base) }
        for change in changes.inserted { move(change.key, from: change.row, to: nil) }
        for deletion in changes.deleted { move(deletion.key, from: nil, to: deletion.base) }
        for link in changes.links {
            if link.owner == owner, link.relationship.slot == slot {
                for key in link.added { remove(key) }
                for key in link.removed { add(key) }
            } else if let inverse = link.relationship.inverse, inverse.isToMany, inverse.slot == slot {
                if link.added.contains(owner) { remove(link.owner) }
                if link.removed.contains(owner) { add(link.owner) }
            }
        }
    }

    /// A member's own side said one thing and says another.
    private mutating func move(_ key: ObjectKey, from new: Row?, to old: Row?) {
        let isMember = new.map { leads($0, of: key) } ?? false
        let wasMember = old.map { leads($0, of: key) } ?? false
        if isMember, !wasMember { remove(key) }
        if wasMember, !isMember { add(key) }
    }

    private func leads(_ row: Row, of key: ObjectKey) -> Bool {
        layouts[key.entityIndex].relationships.contains { relationship in
            guard !relationship.isToMany, let inverse = relationship.inverse, inverse.isToMany, inverse.slot == slot
            else { return false }
            return ObjectKey(slot: RowFormat.word(row.pointer, relationship.slot)) == owner
        }
    }

    private mutating func remove(_ key: ObjectKey) {
        guard let index = keys.firstIndex(of: key) else { return }
        keys.remove(at: index)
        isChanged = true
    }

    private mutating func add(_ key: ObjectKey) {
        if keys.contains(key) { return }
        keys.append(key)
        isChanged = true
    }
}
