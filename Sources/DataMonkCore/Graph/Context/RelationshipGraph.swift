/// **Confined.** Changes relationships, each on both of its sides, and applies delete rules.
package final class RelationshipGraph: ContextPart {
    // Unchecked exclusivity: confined, and every access ends before the next one begins.
    /// Deleted objects whose delete rules have yet to be applied.
    @exclusivity(unchecked) var pendingDeletions = PendingDeletions()
    /// The basis of the references among the unsaved changes; only used in a root.
    @exclusivity(unchecked) var references = ReferenceBasis()

    // MARK: To-one

    /// Sets a to-one and updates its inverse.
    func setToOne(_ relationship: Entity.Relationship, of object: ManagedObject, to destination: ManagedObject?) {
        if let destination { requireLinkable(destination, to: relationship) }
        let row = object.row ?? context.faults.rowToChange(object)
        let oldKey = ObjectKey(slot: RowFormat.word(in: row, at: relationship.slot))
        if oldKey == destination?.key { return }
        let old = oldKey.map(context.object)
        putToOne(relationship, of: object, to: destination)
        guard let inverse = relationship.inverse else { return }
        if inverse.isToMany {
            let stored = object.storedRow.flatMap {
                ObjectKey(slot: RowFormat.word(in: $0.pointer, at: relationship.slot))
            }
            if let old { changeRelation(inverse, of: old) { $0.remove(object, isStored: stored == oldKey) } }
            if let destination {
                changeRelation(inverse, of: destination) { $0.insert(object, isStored: stored == destination.key) }
            }
        } else {
            if let old { clearToOne(inverse, of: old, pointingAt: object) }
            if let destination { displace(inverse, of: destination, by: object, through: relationship) }
        }
    }

    /// Makes `object` the other end of a one-to-one of `destination`, replacing any previous one.
    func displace(
        _ inverse: Entity.Relationship, of destination: ManagedObject, by object: ManagedObject,
        through relationship: Entity.Relationship
    ) {
        let row = destination.row ?? context.faults.fulfill(destination)
        if let previous = ObjectKey(slot: RowFormat.word(in: row, at: inverse.slot)), previous != object.key {
            clearToOne(relationship, of: context.object(for: previous), pointingAt: destination)
        }
        putToOne(inverse, of: destination, to: object)
    }

    /// Makes the other ends of one-to-ones agree with the object if its own to-ones win: the destinations in the stored
    /// row lose the object, and the destinations in its own values get it.
    func claimDestinations(of object: ManagedObject, over row: Row) throws {
        guard let draft = object.draft, !object.state.contains(.deleted) else { return }
        let layout = object.home.layout
        try layout.changedSlots(of: draft).forEach { slot in
            guard let relationship = layout.entity.properties[slot].relationship else { return }
            try claimDestination(of: relationship, of: object, over: row)
        }
    }

    /// As `claimDestinations(of:over:)`, for one to-one that has been changed.
    func claimDestination(
        of relationship: Entity.Relationship, of object: ManagedObject, over row: Row?
    ) throws {
        let slot = relationship.slot
        guard let draft = object.draft, let inverse = relationship.inverse, !inverse.isToMany else { return }
        if let row, let left = try ObjectKey(slot: RowFormat.word(in: row.pointer, at: slot)).map(currentObject),
            RowFormat.word(in: left.row ?? context.faults.fulfill(left), at: inverse.slot) == object.key.rawValue
        {
            putToOne(inverse, of: left, to: nil)
        }
        // The store's transaction finds destinations that no longer exist.
        guard let own = try ObjectKey(slot: RowFormat.word(in: draft.row, at: slot)).map(currentObject) else { return }
        let previous = ObjectKey(slot: RowFormat.word(in: own.row ?? context.faults.fulfill(own), at: inverse.slot))
        if previous == object.key || own.isDeleted { return }
        _ = try previous.map(currentObject)
        displace(inverse, of: own, by: object, through: relationship)
    }

    /// The object of a key with the values that it has in the store by now, or in a parent: a context that follows no
    /// commits may have older ones.
    func currentObject(of key: ObjectKey) throws -> ManagedObject {
        let object = context.object(for: key)
        try takeCurrentValues(of: object)
        return object
    }

    /// As `currentObject(of:)`, for an object that may have left the context: that keeps what it has.
    func takeCurrentValues(of object: ManagedObject) throws {
        guard !context.followsCommits, object.row != nil, !object.isDeleted,
            let row = try context.faults.storedRow(of: object.key)
        else {
            return
        }
        if let draft = object.draft {
            if draft.base != nil, isSavedIntoParent { context.rebase(object, draft: draft, onto: row) }
        } else {
            context.adopt(row, as: object)
        }
    }

    /// Writes a single to-one slot and nothing else.
    func putToOne(_ relationship: Entity.Relationship, of object: ManagedObject, to destination: ManagedObject?) {
        let draft = object.writableDraft
        RowFormat.setWord(destination?.key.rawValue ?? 0, in: draft.row, at: relationship.slot)
        RowFormat.setNull(destination == nil, in: draft.row, at: relationship.slot)
        object.state.insert(.written)
    }

    // MARK: To-many

    /// Sets the members of a to-many from the store. Members that were deleted before are removed from it, as they would
    /// have been by the deletion.
    func fill(_ relation: ToManyRelation, of object: ManagedObject, with destinations: [ManagedObject]) {
        relation.load(withoutTaken(destinations, from: relation, of: object))
        if relation.relationship.inverse == nil || object.state.contains(.deleted) || !object.isMember { return }
        for member in destinations where member.state.contains(.propagated) {
            // The event of the deletion has cleared the member's own side. It may have ended long ago; if not, this is a
            // part of it.
            if let journal = context.journal, journal.hasTouched(member) { journal.touch(relation, of: object) }
            if relation.remove(member) { noteRelationChange(object) }
        }
    }

    /// Changes a to-many and updates inverses. `additions` contains no members, `departures` only members.
    func changeToMany(
        _ relationship: Entity.Relationship, of object: ManagedObject, adding additions: Set<ManagedObject>,
        removing departures: [ManagedObject]
    ) {
        for addition in additions { requireLinkable(addition, to: relationship) }
        for old in departures { unlink(old, from: relationship, of: object) }
        takeFromOtherOwners(additions, of: relationship, for: object)
        for new in additions { put(new, into: relationship, of: object) }
    }

    /// Makes a to-many contain exactly `destinations`, and updates inverses.
    func setToMany(
        _ relationship: Entity.Relationship, of object: ManagedObject, to destinations: [ManagedObject]
    ) {
        for destination in destinations { requireLinkable(destination, to: relationship) }
        let relation = context.faults.toManyToChange(relationship, of: object)
        let wanted = Set(destinations)
        for old in relation.elements where !wanted.contains(old) { unlink(old, from: relationship, of: object) }
        let additions = destinations.filter { !relation.members.contains($0) }
        takeFromOtherOwners(Set(additions), of: relationship, for: object)
        for new in additions { put(new, into: relationship, of: object) }
        if relationship.isOrdered {
            var seen: Set<ManagedObject> = []
            // If the two sides were read at different generations, an object that already refers to this owner may not be
            // a member.
            let order = destinations.filter { relation.members.contains($0) && seen.insert($0).inserted }
            reorder(relation, of: object, as: order)
        }
    }

    /// Adds one object to a to-many and updates its inverse. Reads nothing of the to-many, unless the object was removed
    /// from it before.
    package func link(_ destination: ManagedObject, to relationship: Entity.Relationship, of object: ManagedObject) {
        requireLinkable(destination, to: relationship)
        takeFromOtherOwners([destination], of: relationship, for: object)
        put(destination, into: relationship, of: object)
    }

    private func put(_ destination: ManagedObject, into relationship: Entity.Relationship, of object: ManagedObject) {
        if let inverse = relationship.inverse {
            if inverse.isToMany {
                readToTakeBack(inverse, of: destination) { $0.removed.contains(object) }
                changeRelation(inverse, of: destination) { $0.insert(object) }
            } else {
                // The to-one side is the one that is stored; it removes the object from its previous owner.
                setToOne(inverse, of: destination, to: object)
                return
            }
        }
        references.note(object)
        readToTakeBack(relationship, of: object) { $0.removed.contains(destination) }
        changeRelation(relationship, of: object) { $0.insert(destination) }
    }

    /// Removes one object from a to-many and updates its inverse.
    package func unlink(_ destination: ManagedObject, from relationship: Entity.Relationship, of object: ManagedObject)
    {
        // An object that has left the context no longer has a side of its own.
        if let inverse = relationship.inverse, destination.isMember {
            if inverse.isToMany {
                readToTakeBack(inverse, of: destination) { $0.added.contains(object) }
                changeRelation(inverse, of: destination) { $0.remove(object) }
            } else {
                setToOne(inverse, of: destination, to: nil)
                return
            }
        }
        readToTakeBack(relationship, of: object) { $0.added.contains(destination) }
        let wasAdded = object.relation(relationship).added.contains(destination)
        changeRelation(relationship, of: object) { $0.remove(destination) }
        if wasAdded { giveBack([destination], of: relationship, from: object) }
    }

    /// Loads a to-many before a change that may revert an earlier one. A reverted addition or removal is not a change,
    /// but only the stored members show which of the two was the change. Otherwise the two sides could disagree if one of
    /// them has been read and the other has not.
    private func readToTakeBack(
        _ relationship: Entity.Relationship, of object: ManagedObject, if isTakenBack: (ToManyRelation) -> Bool
    ) {
        let relation = object.relation(relationship)
        if !relation.isLoaded, isTakenBack(relation) { context.faults.load(relation, of: object) }
    }

    /// Removes one object from a to-many that may not contain it.
    func unlinkMember(
        _ destination: ManagedObject, from relationship: Entity.Relationship, of object: ManagedObject
    ) {
        requireLinkable(destination, to: relationship)
        if let inverse = relationship.inverse, !inverse.isToMany {
            let row = destination.row ?? context.faults.rowToChange(destination)
            if RowFormat.word(in: row, at: inverse.slot) != object.key.rawValue { return }
        }
        unlink(destination, from: relationship, of: object)
    }

    func changeRelation(
        _ relationship: Entity.Relationship, of object: ManagedObject, change: (ToManyRelation) -> Bool
    ) {
        // Nothing is saved for an object whose row no longer exists; a to-one may still refer to it.
        if object.state.contains(.inaccessible) { return }
        let relation = object.relation(relationship)
        context.willChange(relation, of: object)
        guard change(relation) else { return }
        noteRelationChange(object)
    }

    /// Reorders the members of an ordered to-many. The new order contains each of them once.
    func reorder(_ relation: ToManyRelation, of object: ManagedObject, as newOrder: [ManagedObject]) {
        context.willChange(relation, of: object)
        relation.reorder(newOrder)
        noteRelationChange(object)
    }

    /// Records a change of a to-many: the object counts as updated, though its version stays the same unless a slot of
    /// its row changes too.
    func noteRelationChange(_ object: ManagedObject) {
        object.state.insert(object.state.contains(.inserted) ? .written : [.updated, .written])
        context.work.track(object)
    }

    private func requireLinkable(_ destination: ManagedObject, to relationship: Entity.Relationship) {
        guard destination.home.context === context else {
            stopProgram(
                """
                \(relationship.entity.name).\(relationship.name) cannot contain an object of another context. Get the \
                object in this context with `use(object.objectID)`.
                """)
        }
        guard destination.entity.isKind(of: relationship.destination) else {
            stopProgram(
                """
                \(relationship.entity.name).\(relationship.name) contains objects of \
                \(relationship.destination.name), not of \(destination.entity.name).
                """)
        }
        references.note(destination)
    }
}

extension ManagedObject {
    /// Returns a to-many of the object, loaded or not.
    final nonisolated func relation(_ relationship: Entity.Relationship) -> ToManyRelation {
        for relation in toManys where relation.relationship.slot == relationship.slot { return relation }
        let relation = ToManyRelation(relationship, isLoaded: state.contains(.inserted))
        toManys.append(relation)
        return relation
    }
}
