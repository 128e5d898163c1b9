extension ManagedObjectContext {
    /// Ends the user event: applies the delete rules to what was deleted, tells observers once what the event changed, and
    /// makes it one step for the undo manager.
    ///
    /// An update's step ends its event by itself when it returns, and a save does before it begins.
    ///
    /// - Complexity: proportional to the objects that the event changed. Reads nothing, but what delete rules need, and,
    ///   with an undo manager, the values of deleted objects.
    public func processPendingChanges() {
        requireOwner()
        propagateDeletions()
        // What stays unsaved belongs to an event that has ended: from here on changes have to be told from it.
        if !changed.isEmpty { _ = openJournal() }
        endEvent()
        journal?.forgetTold()
    }

    /// Compares what the event touched with what it was, and tells who wants to know.
    ///
    /// - Parameter isOfSave: whether the changes are what a save's hooks made: they belong to the step before them.
    func endEvent(isOfSave: Bool = false) {
        guard let journal else { return }
        let images = journal.takeImages()
        if let undoManager = journal.undoManager { register(images, with: undoManager, isOfSave: isOfSave) }
        post(images)
    }

    private func register(
        _ images: ContiguousArray<ObjectImage>, with undoManager: ContextUndoManager, isOfSave: Bool
    ) {
        let isRegistering = undoManager.isRegistering
        if isRegistering {
            readForUndo(of: images)
            let departed = DepartedObjects(images)
            undoManager.register(images.compactMap { delta(of: $0, departed) }, isOfSave: isOfSave)
        }
        undoManager.eventDidEnd(
            isRegistered: images.isEmpty ? nil : isRegistering, isUnfinished: !pendingDeletions.isEmpty)
    }

    /// Tells observers what a merge policy has changed: nobody's step, so that there is nothing to undo.
    func endEventOfMerge() {
        guard let journal else { return }
        post(journal.takeImages())
        journal.forgetTold()
    }

    /// Tells observers what arrived from elsewhere; the event of the user goes on.
    func postArrivals() {
        if let journal, !journal.arrivals.isEmpty { post([]) }
        if !children.isEmpty { forEachFollowingChild { $0.postArrivals() } }
    }

    private func post(_ images: ContiguousArray<ObjectImage>) {
        guard let journal, journal.isObserved else { return }
        var changes = ObjectChanges(directory: directory)
        for image in images { changes.add(image) }
        if !journal.arrivals.isEmpty {
            let known = Set((changes.inserted + changes.updated + changes.deleted).map(ObjectIdentifier.init))
            journal.arrivals.add(to: &changes, except: known, in: self)
            journal.arrivals = Arrivals()
        }
        if !changes.isEmptyToLists { tell(changes) }
    }

    /// Observers may do what they like: change objects (that is the next event), observe, end observations.
    func tell(_ changes: ObjectChanges) {
        guard let journal else { return }
        let ended = journal.observers.tell(changes)
        journal.observers.remove(ended)
        dropJournalIfUnneeded()
    }

    // MARK: What is written down

    /// An object is about to change. One test where nobody wants to know.
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

    /// A new object has been registered, and has its default values.
    func didInsert(_ object: ManagedObject) {
        guard let journal else { return }
        let isFirst = journal.touched.isEmpty
        journal.touchUnborn(object)
        if isFirst { eventDidBegin?() }
    }

    /// A to-many is about to change.
    func willChange(_ relation: ToManyRelation, of object: ManagedObject) {
        guard let journal else { return }
        willChange(object)
        if let undoManager = journal.undoManager, undoManager.isRegistering, relation.isOnlyKnownByItself {
            // An addition to a fault may be of what is there already, and its order is not known. Only the members tell.
            _ = toMany(relation.relationship, of: object)
        }
        journal.touch(relation, of: object)
    }

    /// Begins to write down changes; those that are unsaved already are no part of any event.
    func openJournal() -> EventJournal {
        if let journal { return journal }
        beginToStand()
        let journal = EventJournal()
        for object in changed { object.draft?.isWatched = true }
        self.journal = journal
        return journal
    }

    func dropJournalIfUnneeded() {
        if let journal, !journal.isNeeded, changed.isEmpty { self.journal = nil }
    }
}

extension ToManyRelation {
    /// Whether nothing but this relation says who its members are, or in which order.
    fileprivate var isOnlyKnownByItself: Bool { relationship.isOrdered || relationship.inverse?.isToMany != false }
}

extension ObjectChanges {
    fileprivate mutating func add(_ image: ObjectImage) {
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

extension ObjectImage {
    /// Whether a value or a relationship of the object is another one than it was.
    var isChanged: Bool { relations.contains(where: \.isChanged) || !changedSlots.isEmpty }

    /// The slots whose values are others.
    var changedSlots: SlotSet {
        var slots = SlotSet()
        guard let before = rowBefore, let row = object.row, row != before.pointer else { return slots }
        let layout = object.home.layout
        for slot in 0..<layout.slotCount where !layout.isEqual(slot, before.pointer, row) { slots.insert(slot) }
        return slots
    }
}
