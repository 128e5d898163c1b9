/// Reads of a context that stands behind the store, between a commit by others and the call or turn that merges it.
/// Objects must not change meanwhile, and values that are read for the first time must be consistent with them.
///
///     row        the row cache or the notices (`FormerRows`) have each row that has changed since, at the context's
///                generation; a row that they do not know has not changed, so the store's is the right one
///     to-many    the store's members, without the changes of the commits after the context's generation
///
/// The notices cover the last 1,024 commits, or 64 MiB of them, and beyond that only the newest values exist. Changes by
/// other processes are not known row by row either, nor are those of batch requests and of derived attributes, former
/// orders, and former owners where there is no inverse: see `meetForeignCommits()`.
extension FaultLoader {
    /// Indicates whether rows are wanted as they were before the snapshot. Contexts that do not follow commits, and those
    /// that limit the age of rows, read the newest ones.
    var readsFormerRows: Bool { followsBehind && stores.maximumRowAge < 0 }

    private var followsBehind: Bool { stores.isBehind && stores.context.followsCommits }

    /// Indicates whether the next read of a property must first meet commits of other processes: in a read-only context,
    /// once for each snapshot, whoever has opened it. In a writable context, a value that has just been read may be used to compute a
    /// change: its object keeps the row that the commit compares with the store's.
    @inline(__always)
    var meetsForeignCommits: Bool { context.isReadOnly && stores.callsAtWork == 0 && !stores.hasMetCommits }

    /// Begins a call whose reads have to agree with each other, and with what is there already: meets the commits of other
    /// processes, and holds the snapshot over which it does so, until `endCall()` of the context.
    @inline(never)
    func beginInOneState() {
        let meets = meetsForeignCommits
        context.beginLoading()
        if meets { meetForeignCommits() }
    }

    /// Runs a body whose reads have to agree with each other; see `beginInOneState()`.
    func inOneState<Result>(_ body: () throws -> Result) rethrows -> Result {
        beginInOneState()
        defer { context.endCall() }
        return try body()
    }

    /// Opens the snapshot over which properties are read in this turn. If it shows commits whose former rows are unknown,
    /// such as those of other processes, the context as a whole moves with them: the row cache would answer with values
    /// of one generation and the store with those of another.
    private func meetForeignCommits() {
        // Reason for try?: the read that follows also needs the snapshot, and throws the error if there is none.
        guard context.followsCommits, let snapshot = try? stores.openSnapshot() else { return }
        snapshot.hasMetCommits = true
        if !stores.isBehind { return }
        // `nil` if notices have been released, which may have contained anything.
        let directory = context.directory
        let tellsFormerRows = noticesOfLaterCommits()?.allSatisfy { $0.tellsFormerRows(in: directory) } ?? false
        if !tellsFormerRows { stores.stand(at: snapshot.generation) }
    }

    /// **Value.** Notices that a context behind needs as long as it keeps its snapshot.
    struct LaterNotices {
        /// `nil` if some have been released.
        let notices: [CommitNotice]?
    }

    /// Returns the notices of the commits between the context's generation and its snapshot, or `nil` if some of them had
    /// been released at the first call. Others commit meanwhile, so they would be released later.
    private func noticesOfLaterCommits() -> [CommitNotice]? {
        if let known = stores.laterNotices { return known.notices }
        guard let snapshot = stores.snapshot else { return [] }
        let notices = coordinator.notices.notices(after: stores.generation, through: snapshot.generation)
        stores.laterNotices = LaterNotices(notices: notices)
        return notices
    }

    /// Returns the row at the context's generation, if it is in the row cache or a later commit has replaced it.
    func olderRow(of key: ObjectKey) -> RowCache<Row>.Answer {
        let answer = coordinator.cachedRow(for: key, at: stores.generation)
        guard case .unknown = answer else { return answer }
        return replacedRow(of: key)
    }

    /// Indicates whether the object of a key does not exist at the context's generation, but a later commit has inserted
    /// it.
    func isInsertedLater(_ key: ObjectKey) -> Bool {
        if case .deleted = replacedRow(of: key) { true } else { false }
    }

    private func replacedRow(of key: ObjectKey) -> RowCache<Row>.Answer {
        guard readsFormerRows, let snapshot = stores.snapshot else { return .unknown }
        let rows = stores.formerRows ?? FormerRows(at: stores.generation)
        stores.formerRows = rows
        if rows.end < snapshot.generation {
            rows.add(noticesOfLaterCommits(), through: snapshot.generation)
        }
        return rows.find(key)
    }

    /// Returns the owners that have other members in the snapshot than at the context's generation. Empty unless the
    /// context stands behind.
    func ownersChangedLater(_ relationship: Entity.Relationship) -> Set<ObjectKey> {
        guard followsBehind, let notices = noticesOfLaterCommits() else { return [] }
        var owners: Set<ObjectKey> = []
        for notice in notices {
            for commit in notice.commits {
                for touched in commit.touchedRelations where touched.slot == relationship.slot {
                    owners.insert(touched.owner)
                }
            }
        }
        return owners
    }

    /// Returns the members of a to-many at the context's generation, given those in the snapshot.
    func asOfGeneration(
        _ members: [ManagedObject], of relationship: Entity.Relationship, from owner: ObjectKey
    ) -> [ManagedObject] {
        guard followsBehind, let notices = noticesOfLaterCommits() else { return members }
        var past = PastMembers(members.map(\.key), of: relationship, from: owner, layouts: context.directory.layouts)
        for notice in notices.reversed() {
            for commit in notice.commits.reversed() where commit.touches(relationship, of: owner) {
                past.takeBack(commit.changes)
            }
        }
        return past.isChanged ? past.keys.map(context.object) : members
    }
}

extension CommitNotice.Commit {
    fileprivate func touches(_ relationship: Entity.Relationship, of owner: ObjectKey) -> Bool {
        touchedRelations.contains { $0.owner == owner && $0.slot == relationship.slot }
    }
}

/// **Value.** The members of a to-many while commits are reverted, newest first.
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
        for link in changes.links + changes.unlinked {
            if link.owner == owner, link.relationship.slot == slot {
                for key in link.added { remove(key) }
                for key in link.removed { add(key) }
            } else if let inverse = link.relationship.inverse, inverse.isToMany, inverse.slot == slot {
                if link.added.contains(owner) { remove(link.owner) }
                if link.removed.contains(owner) { add(link.owner) }
            }
        }
    }

    /// Reverts the change of a member's own side.
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
            return ObjectKey(slot: RowFormat.word(in: row.pointer, at: relationship.slot)) == owner
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
