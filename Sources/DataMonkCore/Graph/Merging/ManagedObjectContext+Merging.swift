extension ManagedObjectContext {
    /// Advances to the newest generation: clean objects take the values that others have committed. Reads nothing.
    package func mergeCommits() {
        // A snapshot that is still open would show the former values of faults.
        endTurn()
        stores.stand(at: coordinator.publishedGeneration)
        root.postExternalChanges()
    }

    /// Does one turn's part of what `mergeCommits()` does: merges the commits that together have at most `limit` changes,
    /// and notifies observers of them.
    ///
    /// A commit is never split. One that has more changes is prepared in several turns, merged in the next one, and
    /// reported to observers in the one after that. A call that advances meanwhile merges it at once.
    ///
    /// - Returns: `true` if everything has been merged. If `false`, call it again in a later turn.
    package func mergeCommits(examiningAtMost limit: Int) -> Bool {
        guard followsCommits else {
            mergeCommits()
            return true
        }
        endTurn()
        // Before the generations are compared: a later commit rings again.
        coordinator.notices.resetBell(of: id, at: stores.generation)
        if preparedMerge?.isShown == true {
            preparedMerge = nil
        } else if !mergeTurn(limit) {
            return false
        }
        postExternalChanges()
        // Lists have let go of them. A context that only shows lists makes no calls.
        removeGoneIfMany()
        return stores.generation == coordinator.publishedGeneration
    }

    /// Returns `false` if the turn was used for a large commit.
    private func mergeTurn(_ limit: Int) -> Bool {
        let published = coordinator.publishedGeneration
        var room = limit
        while stores.generation < published {
            let next = min(coordinator.notices.next(after: stores.generation) ?? published, published)
            let notice = coordinator.notices.notices(after: stores.generation, through: next)?.first
            let size = notice?.size ?? 0
            if size > room {
                // It begins with the next turn.
                if room < limit { break }
                if let notice, prepareMerge(of: notice, examining: limit) { stores.stand(at: next) }
                return false
            }
            stores.stand(at: next)
            room -= size
        }
        return true
    }

    func merge(_ change: ChangeSet.ObjectChange) {
        // A fault stays a fault. An object with changes keeps them and their base: its save will meet the conflict.
        guard let object = identities.find(change.key) else { return }
        if object.row == nil { return object.dropPartialRow() }
        if object.draft != nil || object.state.contains(.deleted) {
            if change.row.version > object.storedRow?.version ?? 0 { object.state.insert(.outdated) }
            return
        }
        adoptCommitted(change.row, as: object)
    }

    /// Gives a clean object that has been read the row of a commit, or the values that a parent has now.
    private func adoptCommitted(_ committed: Row, as object: ManagedObject) {
        switch inheritedRow(of: object.key) {
        case .row(let row): adopt(row, as: object)
        // A save that resolved a conflict uses a newer row than the notices before it.
        case .unknown where committed.version < object.row.map(RowFormat.version) ?? 0: break
        case .unknown: adopt(committed, as: object)
        // It has since been deleted in the parent, which is not passed on before it is saved.
        case .deleted: break
        }
    }

    /// Merges the deletion of a row: a registered object stays registered, and reads as deleted.
    func mergeDeletion(of key: ObjectKey) {
        guard let object = identities.find(key) else {
            if let journal, journal.isObserved { journal.externalChanges.noteDeleted(key) }
            return
        }
        if !object.state.contains(.inaccessible) { noteExternalChange(of: object, as: .deleted) }
        graph.forgetMemberships(of: object)
        object.state.insert(.inaccessible)
        identities.noteGone(key)
        if object.row == nil { object.adopt(object.home.layout.emptyRow) }
        if object.draft == nil { graph.forgetRelations(ofGone: object) }
    }

    /// Merges a commit's consequences for objects other than its own. Their versions are unchanged, so a draft continues
    /// over the new row.
    func mergeConsequences(of changes: ChangeSet) { changes.consequences.forEach(merge) }

    func merge(_ consequence: StoredVersion) {
        guard let object = identities.find(consequence.key) else {
            if let journal, journal.isObserved { journal.externalChanges.noteUpdated(consequence.key) }
            return
        }
        object.dropPartialRow()
        guard let old = object.storedRow, let row = consequence.row else { return }
        if !object.isDeleted { noteExternalChange(of: object, as: .updated) }
        if let draft = object.draft {
            if old.version != row.version { return }
            rebase(object, draft: draft, onto: row)
            object.draft?.start = draft.start
        } else if !object.state.contains(.deleted) {
            adoptCommitted(row, as: object)
        }
    }

    /// Runs a merge, a refresh or the end of a save. The objects that it turns into faults are told so at its end: when
    /// their `didTurnIntoFault` reads or fetches something, no object must be as before, and no commit half merged.
    func merging<Result>(_ body: () -> Result) -> Result {
        stores.mergesAtWork += 1
        let result = body()
        stores.mergesAtWork -= 1
        if stores.mergesAtWork == 0, !stores.newFaults.isEmpty { tellNewFaults() }
        return result
    }

    @inline(never)
    private func tellNewFaults() {
        let faults = stores.newFaults
        stores.newFaults = []
        for object in faults { object.didTurnIntoFault() }
    }

    /// Tells an object that it has become a fault, at the end of the running merge if there is one.
    private func noteFault(_ object: ManagedObject) {
        if stores.mergesAtWork > 0 { stores.newFaults.append(object) } else { object.didTurnIntoFault() }
    }

    /// Turns all clean objects into faults, which are read again when they are accessed.
    func refreshCleanObjects() {
        merging {
            // All of them before the first one loses its values, because they may read one another.
            for object in identities.objects where losesValues(object) { object.willTurnIntoFault() }
            for object in identities.objects { refreshIfClean(object) }
            if !children.isEmpty { forEachFollowingChild { $0.refreshCleanObjects() } }
        }
    }

    /// Indicates whether a refresh turns an object into a fault that is none yet.
    private func losesValues(_ object: ManagedObject) -> Bool {
        if object.isInserted || object.hasChanges { return losesValuesUnderChanges(object) }
        return object.row != nil || object.hasToManys
    }

    private func losesValuesUnderChanges(_ object: ManagedObject) -> Bool {
        !object.isInserted && object.draft == nil && object.row != nil && !object.isDeleted
    }

    private func refreshIfClean(_ object: ManagedObject) {
        // One that was deleted before its first save is nothing to save, and nothing to read again either.
        if object.isInserted || object.hasChanges {
            refreshUnderChanges(object)
        } else {
            if let journal, journal.isObserved { journal.externalChanges.noteRefresh(of: object) }
            dropAllValues(of: object)
        }
    }

    /// Marks the unchanged parts of a changed object to be read again: its to-manys beneath their changes, and its values
    /// if only to-manys were changed. Otherwise a clean object could refer to one that does not know of it.
    private func refreshUnderChanges(_ object: ManagedObject) {
        object.state.insert(.outdated)
        if object.isInserted { return }
        if object.hasToManys || losesValuesUnderChanges(object) { noteExternalChange(of: object, as: .refreshed) }
        for relation in object.toManys { relation.unload() }
        guard losesValuesUnderChanges(object) else { return }
        object.dropValues()
        object.state.remove(.outdated)
        noteFault(object)
    }

    /// Records for observers that an object was changed by others.
    func noteExternalChange(of object: ManagedObject, as kind: ExternalChanges.Kind) {
        if let journal, journal.isObserved { journal.externalChanges.note(object, as: kind) }
    }

    func turnIntoFault(_ object: ManagedObject) {
        if object.row != nil || object.hasToManys { object.willTurnIntoFault() }
        dropAllValues(of: object)
    }

    private func dropAllValues(of object: ManagedObject) {
        if object.row == nil && !object.hasToManys { return object.dropPartialRow() }
        journal?.forgetValues(of: object)
        object.dropValues()
        object.toManys = []
        object.state.remove([.updated, .inaccessible, .outdated])
        noteFault(object)
    }

    // MARK: Refreshing

    /// Reads an object again with its current values in the store. With `mergeChanges`, its unsaved changes are kept;
    /// otherwise they are lost and it becomes a fault.
    ///
    /// Changes of relationships are discarded on both sides. That ends the user event, and cannot be undone by an undo
    /// manager. References held by other objects stay: a department that is refreshed keeps the employees that were added
    /// to it.
    ///
    /// The source of the values depends on ``stalenessInterval``.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there are changes to keep and the row no longer exists,
    ///   with `objectIsDeleted` or `objectIsInvalidated` if the object has left the context; ``SaveError`` if code that a
    ///   save or an import calls would discard changes, and the save or the row fails too.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        requireOwner()
        requireOwn(object)
        try object.requireMembership()
        if object.isInserted { return }
        let call: StaticString = "refresh(_:mergeChanges: false)"
        if !mergeChanges, object.hasChanges, work.refuses(call) { throw SaveError.called(call) }
        beginCall()
        defer { endCall() }
        try advanceToReadAgain()
        defer { postExternalChanges() }
        guard mergeChanges, object.hasChanges else { return try work.discardChanges(of: object) }
        noteExternalChange(of: object, as: .refreshed)
        guard let row = try faults.storedRow(of: object.key) else {
            throw FetchError.objectNotFound(object.anyObjectID)
        }
        for relation in object.toManys { relation.unload() }
        if let draft = object.draft { rebase(object, draft: draft, onto: row) } else { object.adopt(row) }
    }

    /// Turns all objects without unsaved changes into faults, and advances to the current contents of the store,
    /// including commits of other processes. Lists (`FetchedResultsController`) are updated.
    ///
    /// - Complexity: Reads nothing. Objects that are accessed afterwards are read together with those that were
    ///   registered by the same call.
    public func refreshAllObjects() throws {
        requireOwner()
        beginCall()
        defer { endCall() }
        try advanceToReadAgain()
        refreshCleanObjects()
        // For a context that does not follow commits, anything may have changed.
        if !followsCommits { noteEverything() }
        postExternalChanges()
    }

    /// Puts the changes of a draft onto another row of the same object. What was incremented grows from what that row holds.
    func rebase(_ object: ManagedObject, draft: DraftRow, onto row: Row) {
        let layout = object.home.layout
        let changed = layout.changedSlots(of: draft)
        let increments = layout.increments(of: draft)
        let fresh = DraftRow(copying: row.pointer, of: layout, base: row)
        changed.forEach { slot in
            if increments?[slot] == nil { layout.copy(slot, from: UnsafeRawPointer(draft.row), to: fresh) }
        }
        if let increments { layout.write(increments, over: row, to: fresh) }
        layout.copyTransients(from: UnsafeRawPointer(draft.row), to: fresh)
        fresh.isWatched = draft.isWatched
        if fresh.refusedSlot < 0 { fresh.refusedSlot = draft.refusedSlot }
        if let base = draft.base { journal?.rebase(object, from: base, onto: row) }
        object.adopt(fresh)
        object.state.remove(.outdated)
        let old = [draft.base?.pointer, UnsafeRawPointer(draft.row)].compactMap(\.self)
        graph.settleMemberships(of: object, before: old, in: row)
    }

    /// Forgets all objects and all unsaved changes. Objects that are still held have left the context: they can be read
    /// but not changed. Fetch them again. Code that a save or an import calls cannot call it: nothing happens, and the save
    /// or the row fails.
    public func reset() {
        requireOwner()
        if work.refuses("reset()") { return }
        faults.failures.clear()
        resetCount += 1
        if let journal {
            journal.undoManager?.removeAllActions()
            journal.forgetTouched()
            if journal.isObserved {
                for object in identities.objects { journal.externalChanges.note(object, as: .invalidated) }
                journal.externalChanges.noteEverything()
            }
        }
        var storages: [ObjectStorage] = []
        for object in identities.objects {
            object.willTurnIntoFault()
            object.row = nil
            if let storage = object.objectStorage {
                storages.append(storage)
                object.objectStorage = nil
            }
            object.state = .invalidated
            object.didTurnIntoFault()
        }
        let changed = work.forgetChanged()
        root.work.forgetAssignments(of: changed.lazy.map(\.key))
        graph.pendingDeletions.removeAll()
        graph.references = ReferenceBasis()
        dropJournalIfUnneeded()
        let removed = identities.removeAll()
        sweeps.didReset()
        arena = RowArena()
        // No object is left that would have to merge anything.
        preparedMerge = nil
        endTurn()
        backing.stand(at: coordinator.publishedGeneration)
        postExternalChanges()
        // Last, as after a sweep: a `deinit` may call the context.
        withExtendedLifetime((storages, changed, removed)) {}
    }

    /// Discards all unsaved changes: inserted objects are removed, the others get the values of their last save or read,
    /// or, in a child, those that the parent has now. An undo manager loses its steps. Failed reads are forgotten
    /// together with the changes that followed them. Code that a save or an import calls cannot call it: nothing happens,
    /// and the save or the row fails.
    public func rollback() {
        requireOwner()
        if work.refuses("rollback()") { return }
        faults.failures.clear()
        let changes = changesToTakeBack
        defer {
            if let changes, !changes.isEmptyToLists { tell(changes) }
        }
        journal?.undoManager?.removeAllActions()
        journal?.forgetTouched()
        // Without an inverse: owners that had lost a member to another owner have it again.
        var sharedOut: Set<Entity.Relationship> = []
        for object in work.changed {
            object.state.remove([.tracked, .indexed])
            if object.state.contains(.inserted) {
                object.state.insert(.deleted)
                object.toManys = []
                removeFromContext(object)
                continue
            }
            object.dropDraft()
            object.state.remove([.updated, .deleted, .propagated, .cascaded])
            for relation in object.toManys {
                if !relation.added.isEmpty, relation.relationship.isOwnedByOneSideAlone {
                    sharedOut.insert(relation.relationship)
                }
                relation.rollBack()
            }
            backing.revert(object)
        }
        let changed = work.forgetChanged()
        root.work.forgetAssignments(of: changed.lazy.map(\.key))
        graph.pendingDeletions.removeAll()
        for relationship in sharedOut { graph.rereadOwners(of: relationship) }
        graph.references = ReferenceBasis()
        dropJournalIfUnneeded()
        // Last: a `deinit` may call the context.
        withExtendedLifetime(changed) {}
    }
}
