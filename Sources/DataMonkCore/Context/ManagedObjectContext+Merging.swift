extension ManagedObjectContext {
    /// Advances to the newest generation: clean objects take over what others committed. Reads nothing.
    package func mergeCommits() {
        if let parent { return parent.mergeCommits() }
        // A snapshot still open would show what faults had before.
        endTurn()
        stand(at: coordinator.publishedGeneration)
        postArrivals()
    }

    /// As `mergeCommits()`, for one who has little time: stops before more than `limit` registered objects have changed.
    ///
    /// Only a commit that changes more than `limit` objects is cut, counting those whose to-manys it touches, and never a
    /// refresh after commits of other processes. Between two
    /// slices of one each object is as before it or as after it; the next call that advances takes over the rest first.
    /// Observers are told when nothing is left of a commit.
    ///
    /// - Returns: whether everything is taken over. If not, call again in a later turn.
    package func mergeCommits(touchingAtMost limit: Int) -> Bool {
        guard followsCommits else {
            mergeCommits()
            return true
        }
        endTurn()
        touchedByMerge = 0
        var slice = MergeSlice(limit)
        let published = coordinator.publishedGeneration
        continueMerge(within: &slice)
        while mergeRest == nil, !slice.isFull(touchedByMerge), generation < published {
            move(to: min(coordinator.notices.next(after: generation) ?? published, published))
            continueMerge(within: &slice)
        }
        largestMerge = max(largestMerge, touchedByMerge)
        if mergeRest == nil { postArrivals() }
        return mergeRest == nil && generation == coordinator.publishedGeneration
    }

    func merge(_ change: ChangeSet.ObjectChange) {
        // A fault stays one; an object with changes keeps them and their base: its save will meet the conflict.
        guard let object = identities.find(change.key) else { return }
        guard let row = object.row else { return object.dropPartialRow() }
        touchedByMerge += 1
        if object.draft != nil || object.state.contains(.deleted) {
            if change.row.version > object.storedRow?.version ?? 0 { object.state.insert(.outdated) }
            return
        }
        if parent != nil {
            adoptInherited(change.row, as: object)
        } else if change.row.version > RowFormat.version(row) {
            // A save that settled a conflict stands on a newer row than the notices before it.
            adopt(change.row, as: object)
        }
    }

    /// A row is gone: a registered object stays, and reads as deleted.
    func mergeDeletion(of key: ObjectKey) {
        guard let object = identities.find(key) else {
            if let journal, journal.isObserved { journal.arrivals.noteDeleted(key) }
            return
        }
        touchedByMerge += 1
        if !object.state.contains(.inaccessible) { noteArrival(object, .deleted) }
        forgetMemberships(of: object)
        object.state.insert(.inaccessible)
        if object.row == nil { object.adopt(object.home.layout.emptyRow) }
        if object.draft == nil { forgetRelations(ofGone: object) }
    }

    /// Takes in what a commit changed beside its own objects. Versions are as before: a draft goes on over the new row.
    func mergeConsequences(of changes: ChangeSet) { changes.consequences.forEach(merge) }

    func merge(_ consequence: StoredVersion) {
        guard let object = identities.find(consequence.key) else {
            if let journal, journal.isObserved { journal.arrivals.noteUpdated(consequence.key) }
            return
        }
        object.dropPartialRow()
        guard let old = object.storedRow, let row = consequence.row else { return }
        touchedByMerge += 1
        if !object.isDeleted { noteArrival(object, .updated) }
        if let draft = object.draft {
            if old.version == row.version { rebase(object, draft, onto: row) }
        } else if object.state.contains(.deleted) {
            return
        } else if parent != nil {
            adoptInherited(row, as: object)
        } else if old.version <= row.version {
            adopt(row, as: object)
        }
    }

    /// Makes faults of all clean objects: they are read again when they are touched.
    func refreshCleanObjects() {
        for object in identities.objects { refreshIfClean(object) }
        if !children.isEmpty { forEachFollowingChild { $0.refreshCleanObjects() } }
    }

    func refreshIfClean(_ object: ManagedObject) {
        touchedByMerge += 1
        // One that was deleted before its first save is nothing to save, and nothing to read again either.
        if object.isInserted || object.hasChanges {
            refreshUnderChanges(object)
        } else {
            noteArrival(object, .refreshed)
            turnIntoFault(object)
        }
    }

    /// What a changed object has not changed is read again: its to-manys under their changes, and its values if only to-manys
    /// were changed. Or a clean object would say that it belongs to one that does not know of it.
    private func refreshUnderChanges(_ object: ManagedObject) {
        object.state.insert(.outdated)
        if object.isInserted { return }
        for relation in object.toManys { relation.unload() }
        guard object.draft == nil, object.row != nil, !object.isDeleted else { return }
        object.willTurnIntoFault()
        object.dropValues()
        object.state.remove(.outdated)
        object.didTurnIntoFault()
    }

    /// Writes down for observers that an object was changed from elsewhere.
    func noteArrival(_ object: ManagedObject, _ kind: Arrivals.Kind) {
        if let journal, journal.isObserved { journal.arrivals.note(object, kind) }
    }

    func turnIntoFault(_ object: ManagedObject) {
        if object.row == nil && !object.hasToManys { return object.dropPartialRow() }
        object.willTurnIntoFault()
        journal?.forgetValues(of: object)
        object.dropValues()
        object.toManys = []
        object.state.remove([.updated, .inaccessible, .outdated])
        object.didTurnIntoFault()
    }

    // MARK: Refreshing

    /// Reads an object again, as the store has it now. With `mergeChanges` its unsaved changes stay; without, they are lost and it becomes a
    /// fault.
    ///
    /// A relationship that was changed is lost on both sides. That ends the user event, and is no step for an undo manager.
    /// What other objects say of themselves stays: a department that is refreshed keeps the employees who have come to it.
    ///
    /// Where it is read from is up to ``stalenessInterval``.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there are changes to keep and no row any more, with
    ///   `objectIsDeleted` or `objectIsInvalidated` if the object has left the context.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        requireOwner()
        requireOwn(object)
        try object.requireMembership()
        if object.isInserted { return }
        beginCall()
        defer { endCall() }
        try advanceToReadAgain()
        defer { postArrivals() }
        guard mergeChanges, object.hasChanges else { return try discardChanges(of: object) }
        noteArrival(object, .refreshed)
        guard let row = try storedRow(of: object.key) else {
            throw FetchError.objectNotFound(object.anyObjectID)
        }
        for relation in object.toManys { relation.unload() }
        if let draft = object.draft { rebase(object, draft, onto: row) } else { object.adopt(row) }
    }

    /// Makes faults of all objects without unsaved changes, and advances to what the store has now, commits of other
    /// processes included. Lists (`FetchedResultsController`) follow.
    ///
    /// - Complexity: reads nothing; objects that are touched afterwards are read together, those that came together.
    public func refreshAllObjects() throws {
        requireOwner()
        beginCall()
        defer { endCall() }
        try advanceToReadAgain()
        refreshCleanObjects()
        // To a context that follows nothing anything may have come.
        if !followsCommits, let journal, journal.isObserved { journal.arrivals.noteEverything() }
        postArrivals()
    }

    /// Puts the changes of a draft onto another row of the same object. What was incremented grows from what that row holds.
    func rebase(_ object: ManagedObject, _ draft: DraftRow, onto row: Row) {
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
        settleMemberships(of: object, before: old, in: row)
    }

    /// Forgets every object and all unsaved changes. Objects still held have left the context: fetch them again. They can
    /// be read, and not be changed.
    public func reset() {
        requireOwner()
        failures.clear()
        if parent == nil { giveBackSnapshot() }
        resetCount += 1
        if let journal {
            journal.undoManager?.removeAllActions()
            journal.forgetTouched()
            if journal.isObserved { for object in identities.objects { journal.arrivals.note(object, .invalidated) } }
            journal.arrivals.noteEverything()
        }
        for object in identities.objects {
            object.willTurnIntoFault()
            object.row = nil
            object.holdings = nil
            object.state = .invalidated
            object.didTurnIntoFault()
        }
        changed.removeAll(keepingCapacity: true)
        pendingDeletions.removeAll()
        references = ReferenceBasis()
        assignments = [:]
        dropJournalIfUnneeded()
        identities.removeAll()
        arena = RowArena()
        mergeRest = nil
        // A child stands where its root stands.
        if parent != nil { return }
        move(to: coordinator.publishedGeneration)
        mergeRest = nil
        postArrivals()
    }

    /// Takes back every unsaved change: inserted objects go, the others have the values of their last save or read; a
    /// child's have those that the parent has now. An undo manager forgets its steps. Failed reads are forgotten with
    /// the changes that were made after them.
    public func rollback() {
        requireOwner()
        failures.clear()
        let changes = changesToTakeBack
        defer {
            if let changes, !changes.isEmptyToLists { tell(changes) }
        }
        journal?.undoManager?.removeAllActions()
        journal?.forgetTouched()
        // Without an inverse: whoever had lost a member to another owner has it again.
        var sharedOut: Set<Entity.Relationship> = []
        for object in changed {
            object.state.remove(.tracked)
            if object.state.contains(.inserted) {
                object.state.insert(.deleted)
                object.toManys = []
                removeFromContext(object)
                continue
            }
            object.dropDraft()
            object.state.remove([.updated, .deleted, .propagated])
            for relation in object.toManys {
                if !relation.added.isEmpty, relation.relationship.isOwnedByOneSideAlone {
                    sharedOut.insert(relation.relationship)
                }
                relation.rollBack()
            }
            if parent != nil { dropToInherited(object) }
        }
        changed.removeAll(keepingCapacity: true)
        pendingDeletions.removeAll()
        for relationship in sharedOut { rereadOwners(of: relationship) }
        references = ReferenceBasis()
        assignments = [:]
        dropJournalIfUnneeded()
    }
}
