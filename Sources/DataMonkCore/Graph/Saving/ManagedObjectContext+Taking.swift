/// The parent's part in a child's save: the counterpart of a coordinator's commit. See `ContextFamily`.
extension ManagedObjectContext {
    /// Makes a child's changes unsaved changes of this context.
    ///
    /// Takes either all of them or none: everything that can fail is done first.
    ///
    /// - Returns: The resulting state of the child's objects; or the conflicts: objects that the child has changed and that
    ///   no longer exist here, objects with references to such objects, and deleted objects that others still refer to.
    /// - Throws: ``StoreError`` if a row that the changes need cannot be read.
    func take(_ changes: ChangeSet, of child: ContextID) throws -> CommitResult {
        requireOwner()
        try faults.loadRows(of: changes.updated.map(\.key) + changes.deleted.map(\.key))
        let gone = changes.updated.filter { !isPresent($0.key) }
        if !gone.isEmpty { return .conflicting(gone.map { StoredVersion(key: $0.key, row: nil) }) }
        let refused = zip(changes.updated, changes.increments).filter { change, increments in
            increments.map { !takes($0, of: change.key) } ?? false
        }
        if !refused.isEmpty {
            return .conflicting(
                refused.map { change, _ in
                    StoredVersion(key: change.key, row: identities.find(change.key).flatMap(rowForChildren))
                })
        }
        let broken = try ParentReferenceCheck(changes, in: self).conflicts()
        if !broken.isEmpty { return .conflicting(broken) }
        for change in changes.updated { catchUp(with: change.base, of: change.key) }
        for deletion in changes.deleted { catchUp(with: deletion.base, of: deletion.key) }
        let inserted = changes.inserted.map(takeInsertion)
        for (object, change) in zip(inserted, changes.inserted) { takeToOnes(change, into: object) }
        for (index, change) in changes.updated.enumerated() {
            takeUpdate(change, increments: changes.increments(ofUpdate: index))
        }
        for link in changes.links { takeLink(link) }
        let deleted = changes.deleted.filter { isPresent($0.key) }
        for deletion in deleted { takeDeletion(of: object(for: deletion.key)) }
        processPendingChanges()
        // Last, because the delete rules depend on the destinations of the objects here.
        for deletion in deleted { identities.find(deletion.key).map { keepStart(deletion.base, of: $0) } }
        let taken = asTaken(changes)
        let touched = taken.touchedRelations(layouts: directory.layouts)
        let commit = CommitNotice.Commit(origin: child, changes: taken, touchedRelations: touched)
        return .committed(commit, at: stores.generation)
    }

    /// Returns `true` if the object with a key exists. Its row has been looked up before.
    private func isPresent(_ key: ObjectKey) -> Bool {
        guard let object = identities.find(key) else { return false }
        return !object.isDeleted && (object.row != nil || object.isInserted)
    }

    /// Gives an unchanged object the row that a child's change started from, if that is newer: a commit of the child that
    /// failed may have resolved conflicts with it. Otherwise they would be met again.
    private func catchUp(with base: Row?, of key: ObjectKey) {
        guard let base, let object = identities.find(key), object.draft == nil, !object.isDeleted,
            let own = object.storedRow, own.version < base.version
        else { return }
        noteExternalChange(of: object, as: .updated)
        adopt(base, as: object)
        graph.settleMemberships(of: object, before: [own.pointer], in: base)
        withExtendedLifetime(own) {}
    }

    private func takeInsertion(_ change: ChangeSet.ObjectChange) -> ManagedObject {
        let object = makeObject(for: change.key)
        let layout = object.home.layout
        let draft = DraftRow(copying: change.row.pointer, of: layout, base: nil)
        // To-ones are set when all new objects exist, so that their inverses follow.
        for slot in layout.toOneSlots {
            RowFormat.setWord(0, in: draft.row, at: slot)
            RowFormat.setNull(true, in: draft.row, at: slot)
        }
        object.adopt(draft)
        // The child may provide the temporary id at any time.
        object.state = [.inserted, .awoken, .hasKnownTemporaryID]
        work.track(object)
        didInsert(object)
        return object
    }

    private func takeToOnes(_ change: ChangeSet.ObjectChange, into object: ManagedObject) {
        for slot in object.home.layout.toOneSlots where !RowFormat.isNull(in: change.row.pointer, at: slot) {
            takeToOne(slot, of: change.row, into: object)
        }
    }

    private func takeUpdate(_ change: ChangeSet.ObjectChange, increments: Increments?) {
        let object = object(for: change.key)
        let layout = object.home.layout
        // An increment starts from what there is when it is written.
        let start = increments?.standAlone == true ? nil : start(of: change, for: object)
        change.changed.forEach { slot in
            if layout.kinds[slot] == .toOne {
                takeToOne(slot, of: change.row, into: object)
                return
            }
            if let amount = increments?[slot], object.grow(slot, by: amount) { return }
            let draft = object.writableDraft
            draft.increments?[slot] = nil
            layout.copy(slot, from: change.row.pointer, to: draft)
            object.row = UnsafeRawPointer(draft.row)
        }
        if let start { object.draft?.start = start }
    }

    /// Returns the row with which the store's is compared after a child's change; `nil` if that is the one that the values
    /// here started from.
    ///
    /// The properties that the child has changed start from what the child has read, even if this context has read a newer
    /// row since. The others keep their start. So do those that were changed here already, unless the child has read what is
    /// stored: its value replaces an unsaved one, which it may have read.
    private func start(of change: ChangeSet.ObjectChange, for object: ManagedObject) -> Row? {
        guard let base = change.base, let own = object.storedRow else { return nil }
        let isBehind = base.version < own.version
        guard isBehind || object.draft?.start != nil else { return nil }
        let layout = object.home.layout
        let current = object.draft?.start ?? own
        let unsaved = object.draft.map(layout.changesWithoutIncrements) ?? SlotSet()
        let start = DraftRow(copying: current.pointer, of: layout, base: nil)
        change.changed.forEach { slot in
            if unsaved.contains(slot), !layout.isEqual(slot, in: base.pointer, and: own.pointer) { return }
            layout.copy(slot, from: isBehind ? base.pointer : own.pointer, to: start)
        }
        return layout.seal(start, version: min(base.version, current.version), in: &arena)
    }

    /// Returns whether the sums of a child's increments and the values that the object has here fit.
    private func takes(_ increments: Increments, of key: ObjectKey) -> Bool {
        guard let object = identities.find(key) else { return true }
        return increments.amounts.allSatisfy { slot, amount in object.canGrow(slot, by: amount) }
    }

    private func takeDeletion(of object: ManagedObject) {
        willChange(object)
        object.state.insert(.deleted)
        work.track(object)
        graph.pendingDeletions.add(object)
    }

    /// Keeps the start of a deletion for the store's comparison, even if this context has read a newer row since.
    private func keepStart(_ base: Row?, of object: ManagedObject) {
        guard let base, let own = object.storedRow, base.version < own.version else { return }
        object.state.insert(.outdated)
        if object.draft == nil { object.adopt(base) } else { object.moveDraft(onto: base) }
    }

    private func takeToOne(_ slot: Int, of row: Row, into object: ManagedObject) {
        let key = ObjectKey(slot: RowFormat.word(in: row.pointer, at: slot))
        graph.setToOne(object.relationship(at: slot), of: object, to: key.flatMap(takenObject))
    }

    private func takeLink(_ link: ChangeSet.LinkChange) {
        guard let owner = takenObject(link.owner) else { return }
        for destination in link.removed.compactMap(takenObject) {
            graph.unlink(destination, from: link.relationship, of: owner)
        }
        for destination in link.added.compactMap(takenObject) {
            graph.link(destination, to: link.relationship, of: owner)
        }
        if link.relationship.isOrdered { takeOrder(link, of: owner) }
    }

    private func takeOrder(_ link: ChangeSet.LinkChange, of owner: ManagedObject) {
        let relation = faults.toMany(link.relationship, of: owner)
        // Without a requested order, the new members come after the others in their own order, since the rows have added
        // them in an arbitrary one.
        let isWished = link.order != nil
        let wanted = (link.order ?? link.added).compactMap(identities.find).filter(relation.members.contains)
        let known = Set(wanted)
        // Members that the child did not know come last.
        let others = relation.elements.filter { !known.contains($0) }
        graph.reorder(relation, of: owner, as: isWished ? wanted + others : others + wanted)
    }

    /// Returns this context's object for a reference in a child's change; `nil` if it no longer exists.
    private func takenObject(_ key: ObjectKey) -> ManagedObject? {
        if let known = identities.find(key) { return known.isDeleted ? nil : known }
        if key.isTemporary {
            guard case .row = inheritedRow(of: key) else { return nil }
        }
        return object(for: key)
    }

    /// Returns the changes with the values that the objects have here now: the child's, and other changes made here.
    private func asTaken(_ changes: ChangeSet) -> ChangeSet {
        var taken = changes
        func row(of key: ObjectKey) -> Row? { identities.find(key).flatMap(rowForChildren) }
        for index in taken.inserted.indices {
            taken.inserted[index].row = row(of: taken.inserted[index].key) ?? taken.inserted[index].row
        }
        for index in taken.updated.indices {
            taken.updated[index].row = row(of: taken.updated[index].key) ?? taken.updated[index].row
        }
        return taken
    }
}

/// Restoring a child's changes when its parent could not save them. See `ContextFamily`.
extension ManagedObjectContext {
    /// Makes the parent's unsaved changes unsaved changes of this context again, beneath the changes made since, and
    /// empties the parent.
    ///
    /// For a parent whose changes all came from this child, such as a draft's. Deleted objects left the context when it
    /// was saved. They return as new faults, except for those that an undo manager would restore.
    package func takeBack() {
        guard let parent, backing.takesUnsavedChanges else { return }
        // The changes made since are a step of their own.
        if hasOpenEvent { processPendingChanges() }
        let departed = recorder?.departedObjects ?? [:]
        for above in parent.work.changed where above.hasChanges {
            let object = takeBackDeparted(above.key, from: departed) ?? object(for: above.key)
            if above.state.contains(.deleted) {
                takeBackDeletion(of: above, as: object)
            } else {
                takeBackValues(of: above, as: object)
                for relation in above.toManys where relation.hasChanges { takeBack(relation, of: object) }
            }
        }
        // Values that the parent could not read have affected these changes.
        faults.failures.note(parent.faults.failures)
        // The changes belong to events that have ended, so that the next ones are recorded.
        if !work.changed.isEmpty { _ = openJournal() }
        for object in work.changed { object.draft?.isWatched = true }
        parent.reset()
    }

    /// Returns the object that was deleted here under a key, if undo remembers it, after registering it again.
    private func takeBackDeparted(
        _ key: ObjectKey, from departed: [ObjectKey: ManagedObject]
    ) -> ManagedObject? {
        // A new object that was removed as a duplicate has the key of the one that remains.
        guard identities.find(key) == nil, let object = departed[key], !object.state.contains(.deleted) else {
            return nil
        }
        identities.register(object)
        return object
    }

    private func takeBackDeletion(of above: ManagedObject, as object: ManagedObject) {
        // It was never saved, so there is nothing for the store to delete.
        if above.state.contains(.inserted) { return removeFromContext(object) }
        if let row = above.storedRow { object.adopt(row) }
        object.state.formUnion([.deleted, .propagated, .awoken])
        if above.state.contains(.outdated) { object.state.insert(.outdated) }
        work.track(object)
    }

    private func takeBackValues(of above: ManagedObject, as object: ManagedObject) {
        object.state.formUnion([above.isInserted ? .inserted : .updated, .awoken])
        if above.state.contains(.outdated) { object.state.insert(.outdated) }
        work.track(object)
        guard let saved = above.draft else { return }
        if let draft = object.draft {
            // Values that were changed since lie over the parent's already; what they started from is older now.
            let increments = object.home.layout.increments(of: draft, over: saved)
            draft.base = saved.base
            draft.start = saved.start
            draft.increments = nil
            if let increments, let base = saved.base { object.home.layout.write(increments, over: base, to: draft) }
            object.row = UnsafeRawPointer(draft.row)
            object.noteUnsavedValues()
            return
        }
        let layout = object.home.layout
        let values = UnsafeRawPointer(saved.row)
        let draft = DraftRow(copying: values, of: layout, base: saved.base)
        draft.start = saved.start
        draft.increments = saved.increments
        if let own = object.row { layout.copyTransients(from: own, to: draft) }
        object.adopt(draft)
    }

    private func takeBack(_ relation: ToManyRelation, of object: ManagedObject) {
        let added =
            relation.relationship.isOrdered ? relation.order.filter(relation.added.contains) : Array(relation.added)
        object.relation(relation.relationship).takeBack(
            added: added.map { self.object(for: $0.key) },
            removed: relation.removed.map { self.object(for: $0.key) }, isReordered: relation.isReordered)
    }
}
