extension ManagedObjectContext {
    /// Ends the user event: applies the delete rules for deleted objects, notifies observers once of the event's changes,
    /// and records them as one step of the undo manager.
    ///
    /// A step of an update ends its event automatically when it returns, and a save does so before it begins.
    ///
    /// - Complexity: Proportional to the number of objects that the event changed. Reads only the objects that delete
    ///   rules need and, with an undo manager, the values of deleted objects.
    public func processPendingChanges() {
        requireOwner()
        graph.propagateDeletions()
        // Unsaved changes belong to an event that has ended, and must be distinguished from later ones.
        if !work.changed.isEmpty { _ = openJournal() }
        endEvent()
        journal?.forgetTold()
    }

    /// Compares touched objects with their images, and notifies observers and the undo manager.
    ///
    /// - Parameter isOfSave: Whether the changes were made by a save's hooks. They belong to the previous step.
    func endEvent(isOfSave: Bool = false) {
        guard let journal else { return }
        let images = journal.takeImages()
        if let undoManager = journal.undoManager { register(images, with: undoManager, isOfSave: isOfSave) }
        post(images)
    }

    private func register(
        _ images: ContiguousArray<BeforeImage>, with undoManager: ContextUndoManager, isOfSave: Bool
    ) {
        let isRegistering = undoManager.isRegistering
        if isRegistering {
            readForUndo(of: images)
            let departed = DepartedObjects(images)
            undoManager.register(images.compactMap { delta(of: $0, departed) }, isOfSave: isOfSave)
        }
        undoManager.eventDidEnd(
            isRegistered: images.isEmpty ? nil : isRegistering, isUnfinished: !graph.pendingDeletions.isEmpty)
    }

    /// Notifies observers of the changes of a merge policy. They are not a step, so they cannot be undone.
    func endEventOfMerge() {
        guard let journal else { return }
        post(journal.takeImages())
        journal.forgetTold()
    }

    /// Notifies observers of changes from elsewhere, without ending the user event.
    func postExternalChanges() {
        if let journal, !journal.externalChanges.isEmpty { post([]) }
        if !children.isEmpty { forEachFollowingChild { $0.postExternalChanges() } }
    }

    private func post(_ images: ContiguousArray<BeforeImage>) {
        guard let journal, journal.isObserved else { return }
        var changes = ObjectChanges(directory: directory)
        for image in images { changes.add(image) }
        if !journal.externalChanges.isEmpty {
            let known = Set((changes.inserted + changes.updated + changes.deleted).map(ObjectIdentifier.init))
            journal.externalChanges.add(to: &changes, except: known, in: self)
            journal.externalChanges = ExternalChanges()
        }
        if !changes.isEmptyToLists { tell(changes) }
    }

    /// Notifies observers, which may change objects (in the next event), add observers, or end observations.
    func tell(_ changes: ObjectChanges) {
        guard let journal else { return }
        let ended = journal.observers.tell(changes)
        journal.observers.remove(ended)
        dropJournalIfUnneeded()
    }

    // MARK: Recording

    /// Records that an object is about to change. A single check if there is no journal.
    @inline(__always)
    func willChange(_ object: ManagedObject) {
        if let journal { touch(object, journal) }
    }

    @inline(never)
    private func touch(_ object: ManagedObject, _ journal: EventJournal) {
        let isFirst = journal.touched.isEmpty
        journal.touch(object)
        if isFirst { eventDidBegin?() }
    }

    /// Records that a new object has been registered with its default values.
    func didInsert(_ object: ManagedObject) {
        guard let journal else { return }
        let isFirst = journal.touched.isEmpty
        journal.touchUnborn(object)
        if isFirst { eventDidBegin?() }
    }

    /// Records that a to-many is about to change.
    func willChange(_ relation: ToManyRelation, of object: ManagedObject) {
        guard let journal else { return }
        willChange(object)
        if let undoManager = journal.undoManager, undoManager.isRegistering, relation.isOnlyKnownByItself {
            // An object added to a fault may already be a member, and the order is not known. Only the members show that.
            _ = faults.toMany(relation.relationship, of: object)
        }
        journal.touch(relation, of: object)
    }

    /// Starts to record changes. Existing unsaved changes do not belong to any event.
    func openJournal() -> EventJournal {
        if let journal { return journal }
        beginToStand()
        let journal = EventJournal()
        for object in work.changed { object.draft?.isWatched = true }
        self.journal = journal
        return journal
    }

    func dropJournalIfUnneeded() {
        if let journal, !journal.isNeeded, work.changed.isEmpty { self.journal = nil }
    }
}

extension ToManyRelation {
    /// Indicates whether the members or their order are known only to this relation.
    fileprivate var isOnlyKnownByItself: Bool { relationship.isOrdered || relationship.inverse?.isToMany != false }
}

extension ObjectChanges {
    fileprivate mutating func add(_ image: BeforeImage) {
        let object = image.object
        switch (image.presence, object.presence) {
        case (.present, .present):
            if image.isChanged { updated.append(object) } else { untold.append(object) }
        case (.present, _): deleted.append(object)
        case (_, .present): inserted.append(object)
        default: untold.append(object)
        }
    }
}

extension BeforeImage {
    /// Indicates whether a value or a relationship of the object has changed.
    var isChanged: Bool { relations.contains(where: \.isChanged) || !changedSlots.isEmpty }

    /// The slots whose values have changed.
    var changedSlots: SlotSet {
        var slots = SlotSet()
        guard let before = rowBefore, let row = object.row, row != before.pointer else { return slots }
        let layout = object.home.layout
        for slot in 0..<layout.slotCount where !layout.isEqual(slot, before.pointer, row) { slots.insert(slot) }
        return slots
    }
}
