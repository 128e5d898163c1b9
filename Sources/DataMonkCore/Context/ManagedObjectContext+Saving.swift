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
    public var hasChanges: Bool { changed.contains(where: \.hasChanges) }

    /// Writes every unsaved change into the stores, in one transaction each; on disk when it returns. A child's go into
    /// its parent, where they are unsaved changes like any other; no store hears of them, and new objects keep their
    /// temporary ids until the root is saved.
    ///
    /// In this order: delete rules, `willSave`, validation, the transaction with its check of versions, new snapshots,
    /// `didSave`. If anything throws, nothing was written and every change is still there.
    ///
    /// - Throws: ``SaveError`` for invalid objects and conflicts, ``StoreError`` if a store fails.
    public func save() throws {
        requireOwner()
        sweepIfDue()
        if changed.isEmpty { return }
        try prepareToSave()
        var attempts = 0
        while true {
            let pending = makeChangeSet()
            if pending.changes.isEmpty {
                discardEmptyChanges(pending)
                return
            }
            switch try commit(pending.changes) {
            case .committed(let receipt):
                didCommit(pending, receipt)
                return
            case .conflicting(let stored):
                attempts += 1
                try resolve(stored, in: pending, isLastAttempt: attempts >= Self.maximumAttempts)
            }
        }
    }

    private func commit(_ changes: ChangeSet) throws -> CommitResult {
        if let parent { return try parent.take(changes) }
        // A commit is checked against the store's newest rows: the snapshot of this turn is of no more use.
        endTurn()
        return try coordinator.commit(changes, from: self)
    }

    /// How often a save puts its changes onto newer rows before it gives up.
    private static let maximumAttempts = 100

    /// Applies delete rules to what was deleted since the last call: what ends each user event.
    public func processPendingChanges() {
        var isSettled = false
        while !isSettled {
            isSettled = true
            var index = 0
            // Propagation appends to `changed`, and the loop reaches what it appends; but it may also delete an object
            // that was changed before and stands behind the loop already.
            while index < changed.count {
                let object = changed[index]
                index += 1
                guard object.state.contains(.deleted), !object.state.contains(.propagated) else { continue }
                propagateDeletion(of: object)
                isSettled = false
            }
        }
    }

    private func prepareToSave() throws {
        if hasDraftsWithoutRow { try readRowsOfDrafts() }
        processPendingChanges()
        try callWillSave()
        try validateChanges()
    }

    /// Reads the rows that could not be read when their objects were changed.
    private func readRowsOfDrafts() throws {
        for object in changed {
            guard let draft = object.draft, draft.base?.pointer == object.home.layout.emptyRow.pointer,
                let row = try storedRow(of: object.key)
            else { continue }
            rebase(object, draft, onto: row)
        }
        hasDraftsWithoutRow = false
    }

    private func callWillSave() throws {
        // A round calls the hook on the objects that the round before has changed; Core Data gives up after 1,000.
        var round: ArraySlice<ManagedObject> = changed[...]
        var rounds = 0
        while !round.isEmpty {
            let known = changed.count
            for object in round where object.hasChanges { object.willSave() }
            processPendingChanges()
            rounds += 1
            if rounds > 1_000, let unsettled = changed.last {
                throw SaveError(
                    .willSaveDoesNotSettle,
                    "willSave of \(unsettled.entity.name) goes on changing objects. Set a property there only if its value differs.",
                    entityName: unsettled.entity.name, objectID: unsettled.anyObjectID)
            }
            round = changed[known...]
        }
    }

    // MARK: After the transaction

    private func didCommit(_ pending: PendingSave, _ receipt: CommitReceipt) {
        // First what others committed until then: their rows are older than those of this save.
        if parent == nil { stand(at: receipt.generation) }
        for (offset, object) in pending.inserted.enumerated() {
            let change = receipt.changes.inserted[offset]
            identities.rename(object, to: change.key)
            settle(object, change.row)
        }
        for (offset, object) in pending.updated.enumerated() { settle(object, receipt.changes.updated[offset].row) }
        mergeConsequences(of: receipt.changes)
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
        changed.removeAll(keepingCapacity: true)
        for object in saved { object.state.remove(.tracked) }
        for object in saved { object.didSave() }
    }

    private func settle(_ object: ManagedObject, _ row: Row) {
        adopt(row, as: object)
        object.state.remove([.inserted, .updated, .outdated])
        settleRelations(object)
    }

    /// Nothing of a draft had to be stored.
    private func settleDraft(of object: ManagedObject) {
        guard object.draft != nil, let row = cleanRow(of: object) else { return object.dropDraft() }
        object.state.remove(.outdated)
        adopt(row, as: object)
    }

    /// The row that an object has when its changes are gone; nil if it is not at hand.
    private func cleanRow(of object: ManagedObject) -> Row? {
        if object.state.contains(.outdated) {
            guard case .row(let row) = coordinator.cachedRow(for: object.key, at: generation) else { return nil }
            return row
        }
        guard let base = object.draft?.base, base.pointer != object.home.layout.emptyRow.pointer else { return nil }
        return base
    }

    /// Makes a stored row the object's values. Transient values, which no store has, stay.
    func adopt(_ row: Row, as object: ManagedObject) {
        let layout = object.home.layout
        guard !layout.transientSlots.isEmpty, let own = object.row else { return object.adopt(row) }
        let draft = DraftRow(
            copying: row.pointer, slots: layout.slotCount, size: layout.size(of: row.pointer), base: nil)
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
    }
}
