extension ManagedObjectContext {
    /// The undo manager; `nil`, the default, for a context that does not record its changes for undo.
    ///
    /// Setting it starts with the changes made from then on. A previous undo manager discards its steps. Code that a save or
    /// an import calls cannot set another one: nothing happens, and the save or the row fails.
    ///
    /// - Precondition: The context is writable, and the undo manager serves no other context.
    public var undoManager: ContextUndoManager? {
        get { recorder.flatMap { $0.isHidden ? nil : $0 } }
        set {
            requireOwner()
            if newValue === undoManager || work.refuses("undoManager = …") { return }
            recorder = newValue
        }
    }

    /// The undo manager, also one that code of classes does not see; see ``ContextUndoManager/isHidden``.
    package var recorder: ContextUndoManager? {
        get { journal?.undoManager }
        set {
            requireOwner()
            if newValue === recorder { return }
            if isReadOnly && newValue != nil {
                stopProgram("A read-only context has nothing to undo, so it cannot have an undo manager.")
            }
            if newValue?.context != nil {
                stopProgram("An undo manager belongs to one context. Create another one for this context.")
            }
            processPendingChanges()
            if let old = recorder {
                old.removeAllActions()
                old.context = nil
            }
            if let newValue {
                openJournal().undoManager = newValue
                newValue.context = self
            } else {
                journal?.undoManager = nil
                dropJournalIfUnneeded()
            }
        }
    }

    /// Undoes the last step, if the context has an undo manager with a step; see ``ContextUndoManager/undo()``.
    public func undo() { undoManager?.undo() }

    /// Redoes the step that was undone last, if there is one; see ``ContextUndoManager/redo()``.
    public func redo() { undoManager?.redo() }

    /// Indicates whether something may have changed since the last event ended. Known only if the context has a journal.
    package var hasOpenEvent: Bool { journal?.touched.isEmpty == false }

    // MARK: Reverting events

    /// Restores the objects of a step to their state before it, the last of its events first.
    ///
    /// Objects that any of the events has deleted are restored before relationships are: delete rules may have nulled
    /// references to them in a later event than that of the deletion, if the rules could not be read at first, or if a save
    /// applied them again.
    func revert(_ step: UndoStep) {
        let events = step.events.reversed().map { ($0, bringBack($0)) }
        for (event, reborn) in events { revert(event, reborn: reborn + bringBack(event)) }
    }

    private func bringBack(_ event: [ObjectDelta]) -> [(ObjectDelta, ObjectKey)] {
        event.filter { $0.before != .unborn && $0.after != .present }.compactMap(bringBack)
    }

    /// Restores the objects of an event, whose deleted objects exist again, to their state before it.
    ///
    /// First attributes and to-ones, each with its inverse; then references that no to-one records; then orders; last,
    /// inserted objects are removed, without references that a cascade could follow.
    private func revert(_ event: [ObjectDelta], reborn: [(ObjectDelta, ObjectKey)]) {
        let alive = event.filter { isAlive($0.object) }
        for delta in alive { restoreAttributes(delta) }
        for (delta, _) in reborn {
            for toOne in delta.fullRelationships?.toOnes ?? [] { restore(toOne, of: delta.object) }
        }
        for delta in alive { for toOne in delta.toOnes { restore(toOne, of: delta.object) } }
        for (delta, oldKey) in reborn { restoreMembers(of: delta, oldKey: oldKey) }
        for delta in alive { for toMany in delta.toManys { restore(toMany, of: delta.object) } }
        for delta in alive { restoreOrders(delta) }
        for delta in event.reversed() where delta.before != .present && delta.after == .present { remove(delta) }
        // Delayed rules of another step are not part of this one.
        if recorder?.awaitsDeleteRules != true { graph.propagateDeletions() }
        for delta in event {
            work.settleIfUnchanged(delta.object)
            // Changes of the event are detected by comparing values, which a fault does not have.
            if delta.object.isAtRest, delta.object.row == nil { _ = faults.fulfill(delta.object) }
        }
    }

    /// Returns `true` if there is anything to restore: the row of a fault may no longer exist.
    private func isAlive(_ object: ManagedObject) -> Bool {
        if object.presence != .present { return false }
        if object.row == nil { _ = faults.fulfill(object) }
        return !object.state.contains(.inaccessible)
    }

    /// Reverts a deletion.
    ///
    /// - Returns: The delta and the object's old key, if the whole object must be created anew.
    private func bringBack(_ delta: ObjectDelta) -> (ObjectDelta, ObjectKey)? {
        let object = delta.object
        if object.state.contains(.inaccessible) || object.presence == .present { return nil }
        willChange(object)
        let oldKey = object.key
        if object.registration >= 0 {
            // The deletion was not saved: the object is unchanged, apart from other changes of the event.
            object.state.remove([.deleted, .propagated, .cascaded])
            return nil
        }
        guard let values = delta.values else { return nil }
        // A new object that was removed as a duplicate has the key of the one that remains.
        let isTaken = presentKey(object.key) != object.key || identities.find(object.key) != nil
        if !object.isInserted || !object.key.isTemporary || isTaken {
            object.key = newTemporaryKey(entity: object.entity.index)
            // It returns to the store from which it was deleted.
            if coordinator.stores.count > 1 { root.work.assign(object.key, toStoreAt: oldKey.storeIndex) }
        }
        let layout = object.home.layout
        let draft = DraftRow(copying: values.pointer, of: layout, base: nil)
        for slot in layout.toOneSlots {
            RowFormat.setWord(0, in: draft.row, at: slot)
            RowFormat.setNull(true, in: draft.row, at: slot)
        }
        object.adopt(draft)
        object.toManys = []
        object.state.remove([.updated, .deleted, .propagated, .cascaded])
        object.state.insert([.inserted, .awoken])
        identities.register(object)
        work.track(object)
        return (delta, oldKey)
    }

    private func restoreAttributes(_ delta: ObjectDelta) {
        guard let values = delta.values, !delta.attributes.isEmpty else { return }
        let object = delta.object
        let draft = object.writableDraft
        delta.attributes.forEach { slot in
            if let amount = delta.increments[slot]?.opposite, !object.isInserted, object.grow(slot, by: amount) {
                return
            }
            object.home.layout.copy(slot, from: values.pointer, to: draft)
            object.row = UnsafeRawPointer(draft.row)
        }
    }

    private func restore(_ toOne: ObjectDelta.ToOne, of object: ManagedObject) {
        let destination = toOne.destination.flatMap { living($0, for: toOne.relationship) }
        graph.setToOne(toOne.relationship, of: object, to: destination)
    }

    /// Returns an object that may be referred to, or the one that has remained of it and its duplicate; `nil` if there is none.
    private func living(_ object: ManagedObject, for relationship: Entity.Relationship) -> ManagedObject? {
        if isAlive(object) { return object }
        guard object.registration < 0, object.isInserted, let other = identities.find(presentKey(object.key)),
            other !== object, other.entity.isKind(of: relationship.destination), isAlive(other)
        else { return nil }
        return other
    }

    /// Restores the to-manys of an object that was created anew, as far as no delta of another object restores them.
    private func restoreMembers(of delta: ObjectDelta, oldKey: ObjectKey) {
        let object = delta.object
        for (relationship, members) in delta.fullRelationships?.members ?? [] {
            for member in members where member.presence == .present && !member.state.contains(.inaccessible) {
                if let inverse = relationship.inverse, !inverse.isToMany {
                    if member.toOneKey(inverse.slot) != oldKey { continue }
                    // An object that was never saved has kept its key, and so have the references to it.
                    if oldKey == object.key { graph.changeRelation(relationship, of: object) { $0.insert(member) } }
                }
                graph.link(member, to: relationship, of: object)
            }
        }
    }

    /// Restores a to-many. In a one-to-many, each member refers to its owner, and this side follows. Links of other
    /// to-manys are restored here, on both sides.
    private func restore(_ toMany: ObjectDelta.ToMany, of object: ManagedObject) {
        let relationship = toMany.relationship
        if let inverse = relationship.inverse, !inverse.isToMany {
            for member in toMany.arrived.union(toMany.left) {
                let belongs = member.presence == .present && member.toOneKey(inverse.slot) == object.key
                let stored = member.storedRow.flatMap {
                    ObjectKey(slot: RowFormat.word(in: $0.pointer, at: inverse.slot))
                }
                graph.changeRelation(relationship, of: object) {
                    let isStored = stored == object.key
                    return belongs ? $0.insert(member, isStored: isStored) : $0.remove(member, isStored: isStored)
                }
            }
            return
        }
        let relation = faults.toMany(relationship, of: object)
        for member in toMany.arrived where relation.members.contains(member) {
            graph.unlink(member, from: relationship, of: object)
        }
        for former in toMany.left {
            let isPresent = former.presence == .present
            guard let member = isPresent ? former : living(former, for: relationship),
                !relation.members.contains(member)
            else { continue }
            graph.link(member, to: relationship, of: object)
        }
    }

    private func restoreOrders(_ delta: ObjectDelta) {
        for toMany in delta.toManys { toMany.order.map { reorder(toMany.relationship, of: delta.object, like: $0) } }
        for (relationship, members) in delta.fullRelationships?.members ?? [] where relationship.isOrdered {
            let changed = delta.toManys.contains { $0.relationship.slot == relationship.slot && $0.order != nil }
            if !changed { reorder(relationship, of: delta.object, like: members) }
        }
    }

    /// Restores a former order of the members; those that were not in it come last.
    private func reorder(_ relationship: Entity.Relationship, of object: ManagedObject, like order: [ManagedObject]) {
        let relation = faults.toMany(relationship, of: object)
        guard relation.isLoaded else { return }
        let known = Set(order)
        graph.reorder(
            relation, of: object,
            as: order.filter(relation.members.contains) + relation.order.filter { !known.contains($0) })
    }

    /// Reverts an insertion, or repeats a deletion. The delete rules handle objects that others have added to it since.
    private func remove(_ delta: ObjectDelta) {
        let object = delta.object
        if object.presence == .deleted || object.state.contains(.inaccessible) { return }
        willChange(object)
        object.state.insert(delta.wasCascaded ? [.deleted, .cascaded] : .deleted)
        work.track(object)
        graph.pendingDeletions.add(object)
    }
}
