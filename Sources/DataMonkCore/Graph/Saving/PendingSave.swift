import Foundation

/// **Confined.** A change set and the objects that it came from, in the same order. A class, so that the steps of a save
/// pass it on without copying.
final class PendingSave {
    /// The unsaved changes that it saves.
    let work: UnitOfWork
    // Unchecked exclusivity: confined, and no access calls back into the save.
    @exclusivity(unchecked) var changes = ChangeSet()
    /// The objects of `changes.inserted`.
    @exclusivity(unchecked) var inserted: [ManagedObject] = []
    /// The objects of `changes.updated`.
    @exclusivity(unchecked) var updated: [ManagedObject] = []
    /// The objects of `changes.deleted`.
    @exclusivity(unchecked) var deleted: [ManagedObject] = []
    /// Objects with to-many changes.
    @exclusivity(unchecked) var linked: [ManagedObject] = []
    /// The memory of the rows that are not in that of their drafts. Not the context's: a save of one row, which may be held for
    /// long, would hold memory for others.
    @exclusivity(unchecked) var arena = RowArena()
    /// The draft whose block would keep much more memory than its row takes, if it became the row as it lies. That of a later
    /// save of the same context may lie behind a row that is gone, and is not noticed.
    @exclusivity(unchecked) var wastefulDraft: DraftRow?
    /// The saved objects, once they have the rows that the commit has written; `nil` before.
    @exclusivity(unchecked) var saved: ContiguousArray<ManagedObject>?
    /// The changes to report to observers of saves; `nil` if there are none, and before the commit is applied.
    @exclusivity(unchecked) var reported: ObjectChanges?

    init(of work: UnitOfWork) { self.work = work }

    /// Removes the changes, which a save hands over without copying them.
    func takeChanges() -> ChangeSet {
        var taken = ChangeSet()
        swap(&taken, &changes)
        return taken
    }
}

@available(*, unavailable)
extension PendingSave: Sendable {}

extension UnitOfWork {
    /// Returns the unsaved changes in frozen form.
    func makeChangeSet() throws -> PendingSave {
        let pending = PendingSave(of: self)
        pending.changes.assigned = withContext { $0.root.work.assignments }
        pending.changes.inserted.reserveCapacity(changed.count)
        pending.inserted.reserveCapacity(changed.count)
        // The others have returned their room when a draft was made behind them.
        if let draft = changed.last(where: { $0.state.contains(.inserted) })?.draft {
            let wastesBlock = withContext { context in
                draft.returnUnusedSpace(to: &context.arena)
                return draft.wastesBlock(of: context.arena)
            }
            if wastesBlock { pending.wastefulDraft = draft }
        }
        for object in changed {
            if object.state.contains(.deleted) {
                addDeletion(of: object, to: pending)
            } else if object.hasChanges {
                try addRow(of: object, to: pending)
                if object.hasToManys { addLinks(of: object, to: pending) }
            }
        }
        return pending
    }

    private func addDeletion(of object: ManagedObject, to pending: PendingSave) {
        // Never saved and deleted: there is nothing to do in the store.
        if object.state.contains(.inserted) { return }
        pending.changes.deleted.append(.init(key: object.key, base: object.storedRow))
        pending.deleted.append(object)
        if object.hasToManys { addUnlinked(of: object, to: pending) }
    }

    /// Adds the stored links of a deleted object's to-manys that it had lost before the deletion, or that lead to other
    /// deleted objects. They are deleted with its row.
    private func addUnlinked(of object: ManagedObject, to pending: PendingSave) {
        for relation in object.toManys where relation.relationship.hasOwnLinks {
            let isGone = { (member: ManagedObject) in
                member.state.contains(.deleted) && !relation.added.contains(member)
            }
            let gone = relation.isLoaded ? relation.elements.filter(isGone) : []
            if relation.removed.isEmpty, gone.isEmpty { continue }
            var change = relation.linkChange(of: object)
            change.removed += gone.map(\.key)
            pending.changes.unlinked.append(change)
        }
    }

    private func addRow(of object: ManagedObject, to pending: PendingSave) throws {
        guard let draft = object.draft else { return }
        if object.state.contains(.inserted) {
            var slots = SlotSet()
            let row = try seal(draft, of: object, &slots, for: pending)
            pending.changes.inserted.append(.init(key: object.key, row: row, base: nil, changed: SlotSet()))
            pending.inserted.append(object)
            return
        }
        let layout = object.home.layout
        var slots = isSavedIntoParent ? layout.changedSlots(of: draft) : layout.storedChanges(of: draft)
        guard !slots.isEmpty, let base = draft.start ?? draft.base else {
            pending.linked.append(object)
            return
        }
        let increments = layout.incrementsToWrite(of: draft)
        let row = try seal(draft, of: object, &slots, for: pending)
        if let increments { pending.changes.noteIncrements(increments) }
        pending.changes.updated.append(.init(key: object.key, row: row, base: base, changed: slots))
        pending.updated.append(object)
    }

    /// Returns the row to save. For a store, it has a new version, no transient values, and the derived values; for a
    /// parent, it has just the values, all of them.
    private func seal(
        _ draft: DraftRow, of object: ManagedObject, _ changed: inout SlotSet, for pending: PendingSave
    ) throws -> Row {
        let layout = object.home.layout
        let version = draft.base?.version ?? 0
        if isSavedIntoParent { return layout.seal(draft, version: version, in: &context.arena) }
        let next = RowFormat.version(after: version)
        if draft !== pending.wastefulDraft, let sealed = layout.sealInPlace(draft, version: next) { return sealed }
        let derived = layout.deriving(draft, savedAt: Date())
        if derived.refusedSlot >= 0,
            let error = ValidationProblem.error(for: ValidationProblem.refusals(of: object, derived))
        {
            throw error
        }
        layout.addDerivedChanges(of: derived, to: &changed)
        return layout.sealForStores(derived, version: next, in: &pending.arena)
    }

    /// Replaces the sealed rows of a save that was not written: others may have seen them, so the objects continue with
    /// copies.
    func unsealDrafts() {
        for object in changed {
            guard let draft = object.draft, draft.isSealed else { continue }
            let copy = DraftRow(copying: UnsafeRawPointer(draft.row), of: object.home.layout, base: draft.base)
            copy.isWatched = draft.isWatched
            copy.increments = draft.increments
            copy.start = draft.start
            object.adopt(copy)
        }
    }

    private func addLinks(of object: ManagedObject, to pending: PendingSave) {
        pending.linked.append(object)
        for relation in object.toManys where relation.hasChanges {
            guard relation.isStoredAsLinks else {
                addLost(by: relation, of: object, to: pending)
                continue
            }
            // A requested order whose relation was unloaded by others' changes is applied to the resulting members.
            if relation.isReordered { _ = context.faults.toMany(relation.relationship, of: object) }
            pending.changes.links.append(relation.linkChange(of: object))
        }
    }

    /// Adds the deleted members of a many-to-many that is written from its other side, that of the members. Their links
    /// are deleted with their rows, but other contexts have to know who has lost a member.
    private func addLost(by relation: ToManyRelation, of object: ManagedObject, to pending: PendingSave) {
        if relation.removed.isEmpty || !relation.relationship.hasOwnLinks { return }
        let lost = relation.removed.filter { $0.state.contains(.deleted) }
        if lost.isEmpty { return }
        pending.changes.unlinked.append(
            ChangeSet.LinkChange(
                relationship: relation.relationship, owner: object.key, added: [], removed: lost.map(\.key),
                order: nil))
    }
}

extension ToManyRelation {
    /// Indicates whether the changes of this side are written as links. Those of a one-to-many are in the to-one slots of
    /// the other side, and a many-to-many is written from only one of its two sides, the first one in the model.
    var isStoredAsLinks: Bool {
        guard !relationship.isTransient else { return false }
        guard let inverse = relationship.inverse else { return true }
        if !inverse.isToMany { return relationship.isOrdered && (isReordered || !added.isEmpty) }
        if relationship.isOrdered { return true }
        if inverse.isOrdered { return false }
        let mine = (relationship.entity.index, relationship.slot)
        let theirs = (inverse.entity.index, inverse.slot)
        return mine <= theirs
    }

    func linkChange(of owner: ManagedObject) -> ChangeSet.LinkChange {
        let additions = relationship.isOrdered ? order.filter(added.contains) : Array(added)
        return ChangeSet.LinkChange(
            relationship: relationship, owner: owner.key, added: additions.map(\.key), removed: removed.map(\.key),
            order: relationship.isOrdered && isLoaded ? order.map(\.key) : nil)
    }
}
