import Synchronization

extension UnitOfWork {
    /// Indicates whether a save without changes has work to do: a root's save also writes the metadata of stores.
    var isMetadataWaiting: Bool {
        !isSavedIntoParent && coordinator.isMetadataWaiting.load(ordering: .acquiring)
    }

    /// Records that a save has ended the event and left its changes unsaved, so that they are distinguished from later
    /// ones.
    func didNotSave() {
        unsealDrafts()
        if !changed.isEmpty { _ = context.openJournal() }
    }

    /// Returns the changes to save, or `nil` if nothing differs from the store.
    ///
    /// - Throws: ``SaveError`` with the code `unreadValues`, or `valueTooLarge` if a derived value does not fit.
    func freezeChanges(_ attempt: Int) throws -> PendingSave? {
        try withContext { try freezeChanges(attempt, in: $0) }
    }

    private func freezeChanges(_ attempt: Int, in context: ManagedObjectContext) throws -> PendingSave? {
        let pending = try makeChangeSet()
        // Last, so that reads by hooks, validation and merge policies are included.
        try context.faults.requireNoFailedAccesses()
        if pending.changes.isEmpty {
            discardEmptyChanges(pending)
            context.dropJournalIfUnneeded()
            // The conflicts have removed all changes; the rows that resolved them are newer than the context's
            // generation.
            if attempt > 1 { context.backing.stand(at: coordinator.publishedGeneration) }
            context.tell(.didSave(ObjectChanges(directory: context.directory)))
            context.postExternalChanges()
            return nil
        }
        // A commit is checked against the newest rows in the store, so the snapshot of this turn is no longer needed.
        if !isSavedIntoParent { context.endTurn() }
        pending.changes.signature = context.historySignature
        // Only a context that follows commits knows the current state of its objects.
        if context.followsCommits {
            pending.changes.basis = context.graph.references.generation(now: context.stores.generation)
        }
        return pending
    }

    /// Returns `true` if the save is complete. Otherwise, conflicts have been resolved and it can be tried again.
    func settle(_ pending: PendingSave, with result: CommitResult, attempt: Int) throws -> Bool {
        switch result {
        case .committed(let commit, let generation):
            withContext { didCommit(pending, as: commit, at: generation, in: $0) }
            return true
        case .conflicting(let stored):
            unsealDrafts()
            try whilePreparingSave {
                try ConflictResolver(context).resolve(stored, isLastAttempt: attempt >= Self.maximumAttempts)
            }
            return false
        }
    }

    /// The number of times that a save moves its changes onto newer rows before it gives up.
    private static let maximumAttempts = 100

    // MARK: After the transaction

    private func didCommit(
        _ pending: PendingSave, as commit: CommitNotice.Commit, at generation: Generation,
        in context: ManagedObjectContext
    ) {
        context.noteWriting()
        // Objects that become faults are told so when nothing is left of the save: their code may read, fetch and change
        // objects, whose changes belong to the next save.
        context.merging {
            // First the earlier commits of others, whose rows are older than those of this save. A root that follows no commits
            // takes no notices for its own.
            let root = context.root
            let isMet = !isSavedIntoParent && pending.saved == nil && (root.followsCommits || root !== context)
            if isMet { root.work.landed = (pending, context.id, generation) }
            context.stores.stand(at: generation)
            root.work.landed = nil
            if pending.saved == nil { applyUnmet(commit, of: pending, at: generation, in: context) }
        }
        // So do those made by `didSave`. A new object that was deleted was not saved.
        let saved = pending.saved ?? []
        for object in saved where !object.state.isSuperset(of: [.inserted, .deleted]) { object.didSave() }
        context.tell(.didSave(pending.reported ?? ObjectChanges(directory: context.directory)))
        // The family has moved with it.
        if !isSavedIntoParent, context.root !== context { context.root.postExternalChanges() }
        context.postExternalChanges()
        withExtendedLifetime(saved) {}
    }

    /// Applies the commit of a save that the root has not met among the notices: it is a save into a parent or that of a root
    /// that does not follow commits, or the notice has been released.
    private func applyUnmet(
        _ commit: CommitNotice.Commit, of pending: PendingSave, at generation: Generation,
        in context: ManagedObjectContext
    ) {
        let root = context.root
        let isReleased = root !== context && !isSavedIntoParent
        if isReleased, !root.followsCommits { root.merge(commit) }
        apply(commit, of: pending, in: context)
        // The root has passed it, with the commits of the same transaction, and perhaps others on top of it.
        if isReleased || context.stores.generation > generation {
            context.refreshCleanObjects()
            context.noteEverything()
        }
    }

    /// Gives the objects of a save the rows that its commit has written. They have no unsaved changes any more.
    func apply(_ commit: CommitNotice.Commit, of pending: PendingSave) {
        withContext { apply(commit, of: pending, in: $0) }
    }

    private func apply(_ commit: CommitNotice.Commit, of pending: PendingSave, in context: ManagedObjectContext) {
        if !context.saveObservers.isEmpty { pending.reported = context.changes(in: pending) }
        settle(pending, as: commit, in: context)
        let saved = forgetChanged()
        context.graph.references = ReferenceBasis()
        for object in saved { object.state.remove([.tracked, .indexed]) }
        context.dropJournalIfUnneeded()
        pending.saved = saved
    }

    private func settle(
        _ pending: PendingSave, as commit: CommitNotice.Commit, in context: ManagedObjectContext
    ) {
        let formerKeys =
            context.children.isEmpty && context.root.work.assignments.isEmpty ? [] : pending.inserted.map(\.key)
        if !isSavedIntoParent { context.root.work.forgetAssignments(of: formerKeys) }
        for index in pending.inserted.indices {
            let object = pending.inserted[index]
            identities.rename(object, to: commit.changes.inserted[index].key)
            settle(object, with: commit.changes.inserted[index].row, in: context)
        }
        for (offset, object) in pending.updated.enumerated() {
            if commit.changes.increments(ofUpdate: offset) != nil {
                takeBase(of: commit.changes.updated[offset], under: object)
            }
            settle(object, with: commit.changes.updated[offset].row, in: context)
        }
        context.mergeConsequences(of: commit.changes)
        if !pending.deleted.isEmpty { context.graph.forgetMembersBesideRules(pending.deleted) }
        for object in pending.deleted {
            object.state = [.awoken]
            object.dropDraft()
            object.toManys = []
            identities.unregister(object)
        }
        for object in pending.linked {
            // Values that were set to their former values have left a draft, which would hide the next change.
            settleDraft(of: object)
            settleRelations(object)
        }
        if !context.children.isEmpty { context.tellChildren(of: commit, formerKeys: formerKeys) }
    }

    /// Takes over the row that increments were written onto: others may have stored it since.
    private func takeBase(of change: ChangeSet.ObjectChange, under object: ManagedObject) {
        guard let base = change.base, let draft = object.draft,
            let version = draft.base?.version, version != base.version
        else { return }
        context.noteExternalChange(of: object, as: .updated)
        context.rebase(object, draft: draft, onto: base)
    }

    private func settle(_ object: ManagedObject, with row: Row, in context: ManagedObjectContext) {
        if let journal = context.journal, journal.isObserved { noteDerivedChanges(of: object, in: row) }
        context.adopt(row, as: object)
        object.state.remove([.inserted, .updated, .outdated])
        settleRelations(object)
    }

    /// Records for observers that the store has computed other derived values than the object had. No one has changed
    /// them here.
    private func noteDerivedChanges(of object: ManagedObject, in row: Row) {
        let layout = object.home.layout
        guard let old = object.row else { return }
        func isChanged(_ derivation: Derivation) -> Bool {
            !layout.isEqual(derivation.attribute.slot, in: old, and: row.pointer)
        }
        if layout.ownDerivations.contains(where: isChanged) || layout.relatedDerivations.contains(where: isChanged) {
            context.noteExternalChange(of: object, as: .updated)
        }
    }

    /// Finishes an object whose draft did not have to be stored, or which has no draft and was changed by others while it
    /// was deleted.
    func settleDraft(of object: ManagedObject) {
        let isOutdated = object.state.contains(.outdated)
        // The draft has hidden the values that others have committed since.
        if isOutdated { context.noteExternalChange(of: object, as: .updated) }
        // Kept until the end: `before` points into them.
        let (draft, block) = (object.draft, object.block)
        let before = [draft?.base?.pointer, object.row].compactMap(\.self)
        let row = cleanRow(of: object)
        if let row { context.adopt(row, as: object) } else { object.dropDraft() }
        object.state.remove(.outdated)
        if isOutdated {
            context.graph.settleMemberships(of: object, before: before, in: row ?? object.home.layout.emptyRow)
        }
        withExtendedLifetime((draft, block)) {}
    }

    /// Returns the row that an object has without its changes, or `nil` if it is not at hand.
    private func cleanRow(of object: ManagedObject) -> Row? {
        if object.state.contains(.outdated) {
            guard case .row(let row) = context.faults.cachedRow(of: object.key) else { return nil }
            return row
        }
        guard let base = object.draft?.base, base.pointer != object.home.layout.emptyRow.pointer else { return nil }
        return base
    }

    private func settleRelations(_ object: ManagedObject) {
        object.state.remove(.updated)
        for relation in object.toManys { relation.changesWereSaved() }
    }

    /// Makes the objects clean again, since nothing differs from the store.
    private func discardEmptyChanges(_ pending: PendingSave) {
        for object in changed {
            object.state.remove([.tracked, .indexed])
            if object.state.contains(.deleted) { continue }
            settleDraft(of: object)
            settleRelations(object)
        }
        let former = forgetChanged()
        context.graph.references = ReferenceBasis()
        withExtendedLifetime(former) {}
    }

    /// Makes an object clean again after its changes were reverted.
    func settleIfUnchanged(_ object: ManagedObject) {
        if !object.isAtRest { return }
        if let draft = object.draft {
            guard draft.base != nil, object.home.layout.changedSlots(of: draft).isEmpty else { return }
            settleDraft(of: object)
        } else if object.state.contains(.outdated) {
            // Others have changed it while it was deleted.
            settleDraft(of: object)
        }
        if object.toManys.contains(where: \.hasChanges) { return }
        object.state.remove(.updated)
    }
}

extension ManagedObject {
    /// Indicates whether the object is registered, and neither new, nor deleted here or by others.
    final nonisolated var isAtRest: Bool {
        registration >= 0 && state.isDisjoint(with: [.inserted, .deleted, .inaccessible])
    }
}
