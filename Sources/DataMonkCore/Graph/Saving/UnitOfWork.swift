/// **Confined.** The unsaved changes of a context, and the phases of their save.
package final class UnitOfWork: ContextPart {
    // Unchecked exclusivity: confined, and every access ends before the next one begins.
    /// The objects with unsaved changes, in the order of their first change, and possibly some whose changes were reverted.
    @exclusivity(unchecked) private(set) var changed: ContiguousArray<ManagedObject> = []
    /// Indexes of `changed`, for fetches.
    @exclusivity(unchecked) var valueIndexes = UnsavedValueIndexes()
    /// The stores to which new objects of the family were assigned, by their temporary keys; only used in a root.
    @exclusivity(unchecked) private(set) var assignments: [ObjectKey: Int] = [:]
    /// Indicates whether an object was changed whose row could not be read. The next save reads the row first.
    @exclusivity(unchecked) var hasDraftsWithoutRow = false
    /// Indicates whether a save of the context is calling hooks, observers or merge policies.
    @exclusivity(unchecked) var isPreparingSave = false
    /// The call that such code has made in vain. `nil` if there is none, and while no save calls any.
    @exclusivity(unchecked) var refusedCall: StaticString?

    /// The saves of the family whose commits have begun, while the callers wait for them, by context. The permanent keys of
    /// their new objects are on the way. Only used in a root, which applies those whose commits it meets; see `ContextFamily`.
    /// While a context has an entry, it makes no other commit: its id alone tells which commit is the save's.
    @exclusivity(unchecked) var committing: [ContextID: PendingSave] = [:]
    /// The save of the family whose commit has just been made, while the root moves to its generation, where it applies the
    /// save: others may have committed on top of it in the same batch. Only used in a root.
    @exclusivity(unchecked) var landed: (save: PendingSave, origin: ContextID, generation: Generation)?

    /// Records that an object has changes to save.
    func track(_ object: ManagedObject) {
        if object.state.contains(.tracked) { return }
        object.state.insert(.tracked)
        changed.append(object)
    }

    /// Forgets all changed objects, which were saved or discarded.
    ///
    /// - Returns: The objects. The caller releases them last, since the `deinit` of one may call the context.
    func forgetChanged() -> ContiguousArray<ManagedObject> {
        var former: ContiguousArray<ManagedObject> = []
        swap(&former, &changed)
        valueIndexes.removeAll()
        return former
    }

    /// Determines the store of a new object of the family.
    func assign(_ key: ObjectKey, toStoreAt index: Int) { assignments[key] = index }

    /// Forgets the stores of new objects that were saved, or that no longer exist.
    func forgetAssignments(of keys: some Sequence<ObjectKey>) {
        if !assignments.isEmpty { for key in keys { assignments[key] = nil } }
    }

    /// Returns the first new object with one of the given keys whose commit has begun.
    func firstCommitting(_ keys: Set<ObjectKey>) -> ManagedObject? {
        committing.values.lazy.flatMap(\.inserted).first { keys.contains($0.key) }
    }

    /// Gives an object a row to write to.
    func beginDraft(of object: ManagedObject, in context: ManagedObjectContext) -> DraftRow {
        context.requireWritable("change", object.entity)
        if let draft = object.draft {
            context.willChange(object)
            valueIndexes.noteChange(of: object)
            draft.isWatched = false
            return draft
        }
        let row = object.row ?? context.faults.fulfill(object)
        context.willChange(object)
        let layout = object.home.layout
        var base = object.storedRow
        if base == nil, !object.isInserted {
            // The row could not be read: until it can, the changes are kept as differences from an empty row.
            base = layout.emptyRow
            hasDraftsWithoutRow = true
        }
        let draft = DraftRow(copying: row, of: layout, base: base)
        object.adopt(draft)
        if !object.state.contains(.inserted) { object.state.insert(.updated) }
        track(object)
        return draft
    }
}
