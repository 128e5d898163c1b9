import Synchronization

extension ManagedObjectContext {
    /// Objects that were never saved, in the order of their insertion.
    public var insertedObjects: [ManagedObject] { changed.filter { $0.isInserted && !$0.isDeleted } }
    /// Saved objects with unsaved changes.
    public var updatedObjects: [ManagedObject] { changed.filter(\.isUpdated) }
    /// Saved objects that go with the next save.
    public var deletedObjects: [ManagedObject] {
        changed.filter { $0.state.contains(.deleted) && !$0.isInserted }
    }
    /// Whether there is anything to save.
    public var hasChanges: Bool {
        changed.contains { $0.hasChanges && !($0.isInserted && $0.state.contains(.deleted)) }
    }

    /// Writes every unsaved change into the stores, in one transaction each; on disk when it returns. A child's go into
    /// its parent, where they are unsaved changes like any other; no store hears of them, and new objects keep their
    /// temporary ids until the root is saved.
    ///
    /// In this order: the end of the user event with its delete rules, `willSave` until nothing changes, validation (which
    /// may change values, then it repeats), the transaction with its check of versions and of unique values, new
    /// snapshots, `didSave`. If anything throws, nothing was written and every change is still there.
    ///
    /// - Throws: ``SaveError`` for invalid objects and conflicts, with the code `unreadValues` after a property could not be
    ///   read or set, and with the code `savedWhileSaving` if a hook of a save calls it; ``StoreError`` if a store fails.
    public func save() throws {
        requireOwner()
        try requireNotPreparingSave()
        beginCall()
        defer { endCall() }
        if changed.isEmpty {
            try requireNoFailedAccesses()
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

    /// As `save()`, where the calling code may not wait for a disk: `commit` does, and meanwhile nobody may change the
    /// context's objects.
    package func save(
        through commit: nonisolated(nonsending) (ChangeSet, ContextID) async throws -> CommitResult
    ) async throws {
        requireOwner()
        try requireNotPreparingSave()
        if changed.isEmpty {
            try requireNoFailedAccesses()
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

    /// An empty commit takes along what waits in the coordinator.
    private func saveMetadata() throws {
        if isMetadataWaiting { _ = try coordinator.commit(ChangeSet(), from: id) }
    }

    /// Whether a save without changes has something to do all the same: a root's brings metadata of stores along.
    private var isMetadataWaiting: Bool {
        parentToSaveInto == nil && coordinator.isMetadataWaiting.load(ordering: .acquiring)
    }

    /// The save has ended the event and left its changes unsaved: those to come have to be told from them.
    private func didNotSave() {
        unsealDrafts()
        if !changed.isEmpty { _ = openJournal() }
    }

    /// What there is to save; nil if nothing differs from the store.
    ///
    /// - Throws: ``SaveError`` with the code `unreadValues`.
    private func freezeChanges(_ attempt: Int) throws -> PendingSave? {
        let pending = makeChangeSet()
        // Last, so that what hooks, validation and merge policies have read counts as well.
        try requireNoFailedAccesses()
        if pending.changes.isEmpty {
            discardEmptyChanges(pending)
            dropJournalIfUnneeded()
            // Conflicts took everything away: the rows that settled them are newer than where the context stands.
            if attempt > 1, parent == nil { mergeCommits() }
            tell(.didSave(ObjectChanges(directory: directory)))
            postArrivals()
            return nil
        }
        // A commit is checked against the store's newest rows: the snapshot of this turn is of no more use.
        if parentToSaveInto == nil { endTurn() }
        pending.changes.signature = historySignature
        // Only what follows commits knows what has become of its objects.
        if followsCommits { pending.changes.basis = references.generation(now: generation) }
        return pending
    }

    /// Whether the save is done; if not, conflicts were settled and it can be tried again.
    private func settle(_ pending: PendingSave, _ result: CommitResult, _ attempt: Int) throws -> Bool {
        switch result {
        case .committed(let receipt):
            didCommit(pending, receipt)
            return true
        case .conflicting(let stored):
            unsealDrafts()
            try whilePreparingSave { try resolve(stored, isLastAttempt: attempt >= Self.maximumAttempts) }
            return false
        }
    }

    /// How often a save puts its changes onto newer rows before it gives up.
    private static let maximumAttempts = 100

    // MARK: After the transaction

    private func didCommit(_ pending: PendingSave, _ receipt: CommitReceipt) {
        // First what others committed until then: their rows are older than those of this save.
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
            takeBase(of: written.updated[offset], under: object)
            settle(object, written.updated[offset].row)
        }
        mergeConsequences(of: written)
        if !pending.deleted.isEmpty { forgetMembersBesideRules(pending.deleted) }
        for object in pending.deleted {
            object.state = [.awoken]
            object.dropDraft()
            object.toManys = []
            identities.unregister(object)
        }
        for object in pending.linked {
            // Values that were set to what they were have left a draft: it would hide the next change.
            settleDraft(of: object)
            settleRelations(object)
        }
        if !children.isEmpty { tellChildren(of: pending, receipt) }
        // `didSave` may change objects again; those changes belong to the next save.
        let saved = changed
        changed = []
        references = ReferenceBasis()
        for object in saved { object.state.remove(.tracked) }
        // One that was deleted before its first save was not saved.
        for object in saved where !object.state.isSuperset(of: [.inserted, .deleted]) { object.didSave() }
        tell(.didSave(changes ?? ObjectChanges(directory: directory)))
        postArrivals()
        dropJournalIfUnneeded()
    }

    /// What was incremented was written over what others had stored by then, which has come along.
    private func takeBase(of change: ChangeSet.ObjectChange, under object: ManagedObject) {
        guard change.increments != nil, let base = change.base, let draft = object.draft,
            let version = draft.base?.version, version != base.version
        else { return }
        noteArrival(object, .updated)
        rebase(object, draft, onto: base)
    }

    private func settle(_ object: ManagedObject, _ row: Row) {
        if let journal, journal.isObserved { noteDerivedChanges(of: object, in: row) }
        adopt(row, as: object)
        object.state.remove([.inserted, .updated, .outdated])
        settleRelations(object)
    }

    /// Notes for observers that the store has derived other values than the object had: nobody has changed them here.
    private func noteDerivedChanges(of object: ManagedObject, in row: Row) {
        let layout = object.home.layout
        guard let old = object.row else { return }
        func isChanged(_ derivation: Derivation) -> Bool {
            !layout.isEqual(derivation.attribute.slot, old, row.pointer)
        }
        if layout.ownDerivations.contains(where: isChanged) || layout.relatedDerivations.contains(where: isChanged) {
            noteArrival(object, .updated)
        }
    }

    /// Nothing of a draft had to be stored; or there is none, and others have changed the object while it was deleted.
    func settleDraft(of object: ManagedObject) {
        let isOutdated = object.state.contains(.outdated)
        // With its draft goes what hid the values that others have committed since.
        if isOutdated { noteArrival(object, .updated) }
        // Kept to the end: `before` points into them.
        let (draft, block) = (object.draft, object.block)
        let before = [draft?.base?.pointer, object.row].compactMap(\.self)
        let row = cleanRow(of: object)
        if let row { adopt(row, as: object) } else { object.dropDraft() }
        object.state.remove(.outdated)
        if isOutdated { settleMemberships(of: object, before: before, in: row ?? object.home.layout.emptyRow) }
        withExtendedLifetime((draft, block)) {}
    }

    /// The row that an object has when its changes are gone; nil if it is not at hand.
    private func cleanRow(of object: ManagedObject) -> Row? {
        if object.state.contains(.outdated) {
            guard case .row(let row) = cachedRow(of: object.key) else { return nil }
            return row
        }
        guard let base = object.draft?.base, base.pointer != object.home.layout.emptyRow.pointer else { return nil }
        return base
    }

    /// Makes a stored row the object's values. Transient values, which no store has, stay.
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

    /// Nothing differs from the store: the objects are clean again.
    private func discardEmptyChanges(_ pending: PendingSave) {
        for object in changed {
            object.state.remove(.tracked)
            if object.state.contains(.deleted) { continue }
            settleDraft(of: object)
            settleRelations(object)
        }
        changed.removeAll(keepingCapacity: true)
        references = ReferenceBasis()
    }
}
