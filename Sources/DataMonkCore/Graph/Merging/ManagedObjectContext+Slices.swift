/// Merging of others' commits, step by step and part by part, so that it can stop anywhere and continue later.
///
/// Rows come with the notices, so nothing is read; the work is one lookup for each changed row. To-manys that are only
/// marked to be read again do not count as changes.
extension ManagedObjectContext {
    /// Continues the pending merge, oldest step first, until the slice is full. A step that fits into a slice is not
    /// split: it waits for a slice that has room for it.
    func continueMerge(within slice: inout MergeSlice) {
        // Taken out of the field: objects' code that is called meanwhile may fetch, and must find nothing pending.
        guard var rest = pendingMerge else { return }
        pendingMerge = nil
        while let step = rest.first, rest.position.isInside || slice.hasRoom(for: step, touchedByMerge),
            merge(step, from: &rest.position, within: &slice)
        { rest.removeFirst() }
        if rest.isEmpty { return }
        pendingMerge = pendingMerge.map { rest.followed(by: $0) } ?? rest
    }

    /// Merges a whole commit.
    func merge(_ commit: CommitNotice.Commit) { merge(.commit(commit)) }

    /// Refreshes everything, because any object may have changed, including those that are not registered.
    func refreshEverything() { merge(.refresh) }

    private func merge(_ step: PendingMerge.Step) {
        var position = MergeCursor()
        var slice = MergeSlice.unlimited
        _ = merge(step, from: &position, within: &slice)
    }

    /// Continues with a step. Returns `false` if the slice was full before the end of the step.
    private func merge(
        _ step: PendingMerge.Step, from position: inout MergeCursor, within slice: inout MergeSlice
    ) -> Bool {
        var walk = MergeWalk(context: self, position: position, slice: slice)
        defer { (position, slice) = (walk.position, walk.slice) }
        switch step {
        case .refresh:
            refreshAll()
            return true
        case .commit(let commit):
            return mergeObjects(of: commit.changes, &walk) && mergeLinks(of: commit, &walk) && tell(commit, &walk)
        }
    }

    private func refreshAll() {
        refreshCleanObjects()
        if let journal, journal.isObserved { journal.externalChanges.noteEverything() }
    }

    private func mergeObjects(of changes: ChangeSet, _ walk: inout MergeWalk) -> Bool {
        let batch = changes.batch.flatMap { $0.isListed ? $0 : nil }
        return walk.goOn(changes.updated) { merge($0) }
            // An object that was new in the parent may already have been read here.
            && walk.goOn(parent == nil ? [] : changes.inserted) { merge($0) }
            && walk.goOn(changes.consequences) { merge($0) }
            && walk.goOn(batch.map { $0.updated + $0.followers } ?? []) { mergeUpdate(of: $0) }
            && walk.goOn(batch?.deleted ?? []) { mergeDeletion(of: $0) }
            && walk.goOn(batch.map { [$0] } ?? []) { finishMerging($0) }
            && walk.goOn(changes.deleted) { mergeDeletion(of: $0.key) }
    }

    private func mergeLinks(of commit: CommitNotice.Commit, _ walk: inout MergeWalk) -> Bool {
        let deleted = commit.changes.deleted
        return walk.goOn(deleted.isEmpty ? [] : [deleted]) { graph.forgetLinks(to: $0.map(\.key)) }
            && walk.goOn(commit.touchedRelations) { touched in
                guard let object = identities.find(touched.owner) else { return }
                touchedByMerge += 1
                for relation in object.toManys where relation.relationship.slot == touched.slot { relation.unload() }
            }
            && walk.goOn(commit.changes.relationshipsWithoutInverse) { graph.rereadOwners(of: $0) }
    }

    /// Records a commit of others for observers, and passes it on to the children. An object with changes of its own has
    /// kept them.
    private func tell(_ commit: CommitNotice.Commit, _ walk: inout MergeWalk) -> Bool {
        if let journal, journal.isObserved {
            let isWhole =
                walk.goOn(commit.changes.inserted) { journal.externalChanges.noteInserted($0.key) }
                && walk.goOn(commit.changes.updated) { note($0.key, journal, ifNotDraft: true) }
                && walk.goOn(commit.touchedRelations) { note($0.owner, journal, ifNotDraft: false) }
            if !isWhole { return false }
        }
        if !children.isEmpty { forEachFollowingChild { $0.merge(commit) } }
        return true
    }

    private func note(_ key: ObjectKey, _ journal: EventJournal, ifNotDraft: Bool) {
        guard let object = identities.find(key) else { return journal.externalChanges.noteUpdated(key) }
        if object.isDeleted || ifNotDraft && object.draft != nil { return }
        journal.externalChanges.note(object, .updated)
    }
}

extension ChangeSet {
    /// The one-to-manys without an inverse that have new members, without duplicates. Their other owners may have lost
    /// these members.
    fileprivate var relationshipsWithoutInverse: [Entity.Relationship] {
        var seen: Set<Entity.Relationship> = []
        return links.filter { !$0.added.isEmpty && $0.relationship.isOwnedByOneSideAlone }
            .map(\.relationship).filter { seen.insert($0).inserted }
    }
}

/// **Confined.** An iteration over the parts of a step, from the position where an earlier one stopped.
private struct MergeWalk {
    let context: ManagedObjectContext
    var position: MergeCursor
    var slice: MergeSlice
    private var part = 0

    init(context: ManagedObjectContext, position: MergeCursor, slice: MergeSlice) {
        self.context = context
        self.position = position
        self.slice = slice
    }

    /// Continues with the next part. Returns `false` if the slice was full before its end.
    mutating func goOn<Element>(_ elements: [Element], _ body: (Element) -> Void) -> Bool {
        defer { part += 1 }
        if position.part > part { return true }
        while position.index < elements.count {
            if slice.isFull(context.touchedByMerge) { return false }
            slice.looks += 1
            body(elements[position.index])
            position.index += 1
        }
        position.part += 1
        position.index = 0
        return true
    }
}
