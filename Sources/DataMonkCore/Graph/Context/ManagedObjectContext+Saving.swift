import Synchronization

extension ManagedObjectContext {
    /// The objects that were never saved, in the order of their insertion.
    public var insertedObjects: [ManagedObject] { changed.filter { $0.isInserted && !$0.isDeleted } }
    /// The saved objects with unsaved changes.
    public var updatedObjects: [ManagedObject] { changed.filter(\.isUpdated) }
    /// The saved objects that the next save will delete.
    public var deletedObjects: [ManagedObject] {
        changed.filter { $0.state.contains(.deleted) && !$0.isInserted }
    }
    /// Indicates whether there is anything to save.
    public var hasChanges: Bool {
        changed.contains { $0.hasChanges && !($0.isInserted && $0.state.contains(.deleted)) }
    }

    /// Writes all unsaved changes into the stores, in one transaction per store. When it returns, they are on disk. A
    /// child writes into its parent, where the changes are unsaved like any others; they do not reach the stores, and new
    /// objects keep their temporary ids, until the root is saved.
    ///
    /// The steps, in order: the end of the user event with its delete rules; `willSave` until nothing changes;
    /// validation, which is repeated if it changes values; the transaction, which checks versions and unique values; new
    /// snapshots; `didSave`. If any of them throws, nothing has been written, and all changes are still there.
    ///
    /// - Throws: ``SaveError`` for invalid objects and conflicts, with the code `unreadValues` if an earlier read or
    ///   write of a property failed, and with the code `savedWhileSaving` if a hook of a save calls it; ``StoreError`` if
    ///   a store fails.
    public func save() throws {
        requireOwner()
        try requireNotPreparingSave()
        beginCall()
        defer { endCall() }
        if changed.isEmpty {
            try faults.requireNoFailedAccesses()
            return try saveMetadata()
        }
        do {
            try prepareToSave()
            var attempt = 1
            while let pending = try freezeChanges(attempt) {
                let result =
                    try parentToSaveInto?.take(pending.changes)
                    ?? coordinator.commit(pending.changes, from: id, until: deadline)
                if try settle(pending, result, attempt) { return }
                attempt += 1
            }
            try saveMetadata()
        } catch {
            didNotSave()
            throw error
        }
    }

    /// Saves as `save()` does, for callers that must not wait for a disk: `commit` waits instead, and meanwhile the
    /// context's objects must not be changed.
    package func save(
        through commit: nonisolated(nonsending) (ChangeSet, ContextID) async throws -> CommitResult
    ) async throws {
        requireOwner()
        try requireNotPreparingSave()
        if changed.isEmpty {
            try faults.requireNoFailedAccesses()
            if isMetadataWaiting { _ = try await commit(ChangeSet(), id) }
            return
        }
        do {
            try prepareToSave()
            var attempt = 1
            while let pending = try freezeChanges(attempt) {
                if try settle(pending, try await commit(pending.changes, id), attempt) { return }
                attempt += 1
            }
            if isMetadataWaiting { _ = try await commit(ChangeSet(), id) }
        } catch {
            didNotSave()
            throw error
        }
    }

    /// Saves the metadata that waits in the coordinator, by an empty commit.
    private func saveMetadata() throws {
        if isMetadataWaiting { _ = try coordinator.commit(ChangeSet(), from: id) }
    }

    /// Indicates whether a save without changes has work to do: a root's save also writes the metadata of stores.
    private var isMetadataWaiting: Bool {
        parentToSaveInto == nil && coordinator.isMetadataWaiting.load(ordering: .acquiring)
    }

    /// Records that a save has ended the event and left its changes unsaved, so that they are distinguished from later
    /// ones.
    private func didNotSave() {
        unsealDrafts()
        if !changed.isEmpty { _ = openJournal() }
    }

    /// Returns the changes to save, or `nil` if nothing differs from the store.
    ///
    /// - Throws: ``SaveError`` with the code `unreadValues`.
    private func freezeChanges(_ attempt: Int) throws -> PendingSave? {
        let pending = makeChangeSet()
        // Last, so that reads by hooks, validation and merge policies are included.
        try faults.requireNoFailedAccesses()
        if pending.changes.isEmpty {
            discardEmptyChanges(pending)
            dropJournalIfUnneeded()
            // The conflicts have removed all changes; the rows that resolved them are newer than the context's
            // generation.
            if attempt > 1, parent == nil { mergeCommits() }
            tell(.didSave(ObjectChanges(directory: directory)))
            postExternalChanges()
            return nil
        }
        // A commit is checked against the newest rows in the store, so the snapshot of this turn is no longer needed.
        if parentToSaveInto == nil { endTurn() }
        pending.changes.signature = historySignature
        // Only a context that follows commits knows the current state of its objects.
        if followsCommits { pending.changes.basis = graph.references.generation(now: generation) }
        return pending
    }

    /// Returns `true` if the save is complete. Otherwise, conflicts have been resolved and it can be tried again.
    private func settle(_ pending: PendingSave, _ result: CommitResult, _ attempt: Int) throws -> Bool {
        switch result {
        case .committed(let receipt):
            didCommit(pending, receipt)
            return true
        case .conflicting(let stored):
            unsealDrafts()
            try whilePreparingSave {
                try ConflictResolver(self).resolve(stored, isLastAttempt: attempt >= Self.maximumAttempts)
            }
            return false
        }
    }

    /// The number of times that a save moves its changes onto newer rows before it gives up.
    private static let maximumAttempts = 100

    // MARK: After the transaction

    private func didCommit(_ pending: PendingSave, _ receipt: CommitReceipt) {
        // First the earlier commits of others, whose rows are older than those of this save.
        if parent == nil { stand(at: receipt.generation) }
        if !assignments.isEmpty { for key in pending.changes.inserted.lazy.map(\.key) { assignments[key] = nil } }
        let changes = saveObservers.isEmpty ? nil : changes(in: pending)
        let written = receipt.changes
        for index in pending.inserted.indices {
            let object = pending.inserted[index]
            identities.rename(object, to: written.inserted[index].key)
            settle(object, written.inserted[index].row)
        }
        for (offset, object) in pending.updated.enumerated() {
            if written.increments(ofUpdate: offset) != nil {
                takeBase(of: written.updated[offset], under: object)
            }
            settle(object, written.updated[offset].row)
        }
        mergeConsequences(of: written)
        if !pending.deleted.isEmpty { graph.forgetMembersBesideRules(pending.deleted) }
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
        if !children.isEmpty { tellChildren(of: pending, receipt) }
        // `didSave` may change objects again; these changes belong to the next save.
        let saved = changed
        changed = []
        graph.references = ReferenceBasis()
        for object in saved { object.state.remove(.tracked) }
        // A new object that was deleted was not saved.
        for object in saved where !object.state.isSuperset(of: [.inserted, .deleted]) { object.didSave() }
        tell(.didSave(changes ?? ObjectChanges(directory: directory)))
        postExternalChanges()
        dropJournalIfUnneeded()
    }

    /// Takes over the row that increments were written onto: others may have stored it since.
    private func takeBase(of change: ChangeSet.ObjectChange, under object: ManagedObject) {
        guard let base = change.base, let draft = object.draft,
            let version = draft.base?.version, version != base.version
        else { return }
        noteExternalChange(object, .updated)
        rebase(object, draft, onto: base)
    }

    private func settle(_ object: ManagedObject, _ row: Row) {
        if let journal, journal.isObserved { noteDerivedChanges(of: object, in: row) }
        adopt(row, as: object)
        object.state.remove([.inserted, .updated, .outdated])
        settleRelations(object)
    }

    /// Records for observers that the store has computed other derived values than the object had. No one has changed
    /// them here.
    private func noteDerivedChanges(of object: ManagedObject, in row: Row) {
        let layout = object.home.layout
        guard let old = object.row else { return }
        func isChanged(_ derivation: Derivation) -> Bool {
            !layout.isEqual(derivation.attribute.slot, old, row.pointer)
        }
        if layout.ownDerivations.contains(where: isChanged) || layout.relatedDerivations.contains(where: isChanged) {
            noteExternalChange(object, .updated)
        }
    }

    /// Finishes an object whose draft did not have to be stored, or which has no draft and was changed by others while it
    /// was deleted.
    func settleDraft(of object: ManagedObject) {
        let isOutdated = object.state.contains(.outdated)
        // The draft has hidden the values that others have committed since.
        if isOutdated { noteExternalChange(object, .updated) }
        // Kept until the end: `before` points into them.
        let (draft, block) = (object.draft, object.block)
        let before = [draft?.base?.pointer, object.row].compactMap(\.self)
        let row = cleanRow(of: object)
        if let row { adopt(row, as: object) } else { object.dropDraft() }
        object.state.remove(.outdated)
        if isOutdated { graph.settleMemberships(of: object, before: before, in: row ?? object.home.layout.emptyRow) }
        withExtendedLifetime((draft, block)) {}
    }

    /// Returns the row that an object has without its changes, or `nil` if it is not at hand.
    private func cleanRow(of object: ManagedObject) -> Row? {
        if object.state.contains(.outdated) {
            guard case .row(let row) = faults.cachedRow(of: object.key) else { return nil }
            return row
        }
        guard let base = object.draft?.base, base.pointer != object.home.layout.emptyRow.pointer else { return nil }
        return base
    }

    /// Makes a stored row the object's values. Transient values, which stores do not contain, are kept.
    func adopt(_ row: Row, as object: ManagedObject) {
        let layout = object.home.layout
        guard !layout.transientSlots.isEmpty, let own = object.row else { return object.adopt(row) }
        let draft = DraftRow(copying: row.pointer, of: layout, base: nil)
        layout.copyTransients(from: own, to: draft)
        object.adopt(layout.seal(draft, version: row.version, in: &arena))
    }

    private func settleRelations(_ object: ManagedObject) {
        object.state.remove(.updated)
        for relation in object.toManys { relation.changesWereSaved() }
    }

    /// Makes the objects clean again, since nothing differs from the store.
    private func discardEmptyChanges(_ pending: PendingSave) {
        for object in changed {
            object.state.remove(.tracked)
            if object.state.contains(.deleted) { continue }
            settleDraft(of: object)
            settleRelations(object)
        }
        changed.removeAll(keepingCapacity: true)
        graph.references = ReferenceBasis()
    }
}
