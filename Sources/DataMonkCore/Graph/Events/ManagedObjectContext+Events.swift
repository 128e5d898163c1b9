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
        let isOfDelayedRules = endEventBeforeDelayedRules()
        graph.propagateDeletions()
        // Unsaved changes belong to an event that has ended, and must be distinguished from later ones.
        if !work.changed.isEmpty { _ = openJournal() }
        endEvent(isOfDelayedRules: isOfDelayedRules)
        journal?.forgetTold()
    }

    /// Ends the event before delete rules of an earlier one are applied, if these could not be read at its end. What they
    /// change is an event of its own, and belongs to the step of the deletions.
    ///
    /// - Returns: `true` if what is changed next is the work of such rules.
    func endEventBeforeDelayedRules() -> Bool {
        guard let undoManager = recorder, undoManager.awaitsDeleteRules else { return false }
        if graph.pendingDeletions.failure == nil {
            // The deletions were taken back, or their rules have been applied meanwhile.
            undoManager.eventDidEnd(isRegistered: nil, failure: nil)
            return false
        }
        endEvent()
        return undoManager.awaitsDeleteRules
    }

    /// Compares touched objects with their images, and notifies observers and the undo manager.
    ///
    /// - Parameters:
    ///   - isOfSave: Whether the changes were made by a save's hooks. They belong to the previous step.
    ///   - isOfDelayedRules: Whether the changes were made by delete rules of an event that has ended.
    func endEvent(isOfSave: Bool = false, isOfDelayedRules: Bool = false) {
        guard let journal else { return }
        let images = journal.takeImages()
        if let undoManager = journal.undoManager {
            if isOfDelayedRules {
                undoManager.registerDelayedRules(deltas(of: images))
                undoManager.eventDidEnd(isRegistered: nil, failure: graph.pendingDeletions.failure)
            } else {
                register(images, with: undoManager, isOfSave: isOfSave)
            }
        }
        post(images)
    }

    private func register(
        _ images: ContiguousArray<BeforeImage>, with undoManager: ContextUndoManager, isOfSave: Bool
    ) {
        let isRegistering = undoManager.isRegistering
        if isRegistering { undoManager.register(deltas(of: images), isOfSave: isOfSave) }
        undoManager.eventDidEnd(
            isRegistered: images.isEmpty ? nil : isRegistering, failure: graph.pendingDeletions.failure)
    }

    private func deltas(of images: ContiguousArray<BeforeImage>) -> [ObjectDelta] {
        readForUndo(of: images)
        let departed = DepartedObjects(images)
        return images.compactMap { delta(of: $0, departed) }
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
        guard let journal, journal.isObserved, !images.isEmpty || !journal.externalChanges.isEmpty else { return }
        // Another process may have committed since. If lists met that while they read objects, these would not agree with what
        // they show; this way it is in the same event.
        faults.beginInOneState()
        // Observers may wait for others who need the store's last reader. Contexts that write do not meet others' commits.
        let isHeld = isReadOnly && stores.snapshot?.isScarce == false
        defer { if isHeld { endCall() } }
        if !isHeld { endCall() }
        var changes = ObjectChanges(directory: directory)
        for image in images { changes.add(image) }
        if !journal.externalChanges.isEmpty {
            let own = changes.objectsOfEvent
            changes.ownObjects = own
            journal.externalChanges.add(to: &changes, except: Set(own.map(ObjectIdentifier.init)), in: self)
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

    /// Lets lists that could not follow an event fetch again, and calls the blocks of ``observeCatchUps(_:)``. Others find
    /// nothing to do.
    package func catchUpLists() {
        tell(ObjectChanges(directory: directory))
        if !children.isEmpty { forEachFollowingChild { $0.catchUpLists() } }
    }

    // MARK: Recording

    /// Records that an object is about to change. A single check if there is no journal.
    @inline(__always)
    func willChange(_ object: ManagedObject) {
        if let journal { touch(object, in: journal) }
    }

    @inline(never)
    private func touch(_ object: ManagedObject, in journal: EventJournal) {
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
        if let undoManager = journal.undoManager, undoManager.isRegistering || undoManager.awaitsDeleteRules,
            relation.isOnlyKnownByItself
        {
            // An object added to a fault may already be a member, and the order is not known. Only the members show that.
            _ = faults.toMany(relation.relationship, of: object)
        }
        journal.touch(relation, of: object)
    }

    /// Starts to record changes. Existing unsaved changes do not belong to any event.
    func openJournal() -> EventJournal {
        if let journal { return journal }
        stores.beginToStand()
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
        guard let before = rowBefore, let row = object.row, row != before.pointer else { return SlotSet() }
        return object.home.layout.changedSlots(of: row, from: before.pointer)
    }
}

extension ManagedObjectContext {
    /// The changes that a save is about to write.
    var changesToSave: ObjectChanges {
        var changes = ObjectChanges(directory: directory)
        changes.inserted = insertedObjects
        changes.updated = updatedObjects
        changes.deleted = deletedObjects
        return changes
    }

    /// Returns the changes that a save has made. An object of which only to-manys have changed counts as updated,
    /// although the change is in another object's row.
    func changes(in pending: PendingSave) -> ObjectChanges {
        var changes = ObjectChanges(directory: directory)
        changes.inserted = pending.inserted
        let known = Set((pending.inserted + pending.updated).map(ObjectIdentifier.init))
        changes.updated = pending.updated
        changes.updated += pending.linked.filter { object in
            !known.contains(ObjectIdentifier(object)) && object.toManys.contains(where: \.hasChanges)
        }
        changes.deleted = pending.deleted
        return changes
    }

    /// The effect of a rollback on objects from the observers' view, who do not know objects inserted in the current
    /// event yet. `nil` if there are no observers.
    var changesToTakeBack: ObjectChanges? {
        guard let journal, journal.isObserved else { return nil }
        var changes = ObjectChanges(directory: directory)
        for object in work.changed {
            let wasPresent = journal.presenceBefore(object) == .present
            if !object.hasChanges {
                changes.untold.append(object)
            } else if object.isInserted {
                if wasPresent { changes.deleted.append(object) } else { changes.untold.append(object) }
            } else if !wasPresent {
                changes.inserted.append(object)
            } else if object.state.contains(.deleted), object.draft == nil {
                // Deleted in the current event, which has not been reported yet.
                changes.untold.append(object)
            } else {
                changes.updated.append(object)
            }
        }
        return changes
    }
}

extension ManagedObjectContext {
    /// Calls a block with the changes of each user event, and with those made by merging, refreshing and resetting.
    ///
    ///     let observation = context.observeChanges { changes in
    ///         print(changes.inserted.count, "inserted")
    ///     }
    ///     let person = try context.insert(Person.self)
    ///     context.processPendingChanges()                     // 1 inserted
    ///
    /// The block is called once for each event in which something changed, where the context runs, before the call that
    /// ended the event returns: `processPendingChanges`, `save`, `refresh…`, `mergeCommits`, `mergeChanges`, `rollback`,
    /// `reset`. Changes merged by a fetch are reported by the next of these calls. Objects that others have inserted or deleted
    /// and that are not registered here are only named by ``ObjectChanges/notice``.
    ///
    /// A context without observers and without an undo manager does not record its events.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeChanges(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        observeChangesForLists { if !$0.isEmpty { body($0) } }
    }

    /// Calls a block when lists try again to read what they could not.
    package func observeCatchUps(_ body: @escaping () -> Void) -> ContextObservation {
        observeChangesForLists { if $0.isEmptyToLists { body() } }
    }

    /// Calls a body that computes what is shown from objects.
    ///
    /// - Returns: The result, and the accesses that have failed, which were reported.
    package func showing<Result>(_ body: () -> Result) -> (result: Result, failures: [FailedAccess]) {
        let outer = faults.failures.beginShowing()
        let result = body()
        return (result, faults.failures.endShowing(outer))
    }

    /// Asks for another attempt to read what could not be read. There is none without a store.
    package func requestCatchUp() {
        if coordinator.hasStores { root.listDidFallBehind?() }
    }

    /// Returns `true` if what could not be read can be read by now, or is gone.
    package func canRead(_ access: FailedAccess) -> Bool {
        do {
            let object = try existingObject(with: access.objectID)
            if let name = access.propertyName { _ = try object.value(forKey: name) }
            return true
        } catch {
            return (error as? FetchError)?.code == .objectNotFound
        }
    }

    /// Calls a block as `observeChanges` does, and also for changes of objects that are not registered with this context.
    func observeChangesForLists(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        requireOwner()
        let observation = ContextObservation()
        openJournal().observers.add(observation.guarding(body))
        return observation
    }

    /// The changes of each user event by object id, from now on.
    ///
    ///     let notices = context.objectChangeNotices
    ///     Task { for await notice in notices { … } }
    ///
    /// The context never waits: up to 64 notices are buffered, then the oldest are dropped, and the next notice has
    /// ``ObjectChangeNotice/isEverything`` set. The stream ends with the context.
    public var objectChangeNotices: AsyncStream<ObjectChangeNotice> {
        requireOwner()
        let (stream, sender) = NoticeSender.makeStream(afterLoss: ObjectChangeNotice(isEverything: true))
        openJournal().observers.add { $0.isEmpty || sender.send($0.notice) }
        return stream
    }

    /// Calls a block before and after each save with the saved changes.
    ///
    ///     let observation = context.observeSaves { notice in
    ///         if case .didSave(let changes) = notice { other.mergeChanges(from: changes.notice) }
    ///     }
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeSaves(_ body: @escaping (SaveNotice) -> Void) -> ContextObservation {
        requireOwner()
        let observation = ContextObservation()
        saveObservers.add(observation.guarding(body))
        return observation
    }

    /// Notifies observers of saves.
    func tell(_ notice: @autoclosure () -> SaveNotice) {
        if saveObservers.isEmpty { return }
        let ended = saveObservers.tell(notice())
        saveObservers.remove(ended)
    }
}
