extension ManagedObjectContext {
    // MARK: To-one

    /// The object that a to-one leads to. If it is a fault, whose firing is the likely next step, the way to it is noted.
    func destination(_ key: ObjectKey, of object: ManagedObject, slot: Int) -> ManagedObject {
        let destination = self.object(for: key)
        if destination.row == nil {
            lastToOne = ToOneStep(source: object.key, slot: slot, destination: destination.key)
        }
        return destination
    }

    /// Sets a to-one and keeps its inverse equal.
    func setToOne(_ relationship: Entity.Relationship, of object: ManagedObject, to destination: ManagedObject?) {
        if let destination { requireLinkable(destination, relationship) }
        let row = object.row ?? rowToChange(object)
        let oldKey = ObjectKey(slot: RowFormat.word(row, relationship.slot))
        if oldKey == destination?.key { return }
        let old = oldKey.map(self.object)
        putToOne(relationship, of: object, destination)
        guard let inverse = relationship.inverse else { return }
        if inverse.isToMany {
            let stored = object.storedRow.flatMap { ObjectKey(slot: RowFormat.word($0.pointer, relationship.slot)) }
            if let old { changeRelation(inverse, of: old) { $0.remove(object, isStored: stored == oldKey) } }
            if let destination {
                changeRelation(inverse, of: destination) { $0.insert(object, isStored: stored == destination.key) }
            }
        } else {
            if let old { clearToOne(inverse, of: old, pointingAt: object) }
            if let destination { displace(inverse, of: destination, by: object, through: relationship) }
        }
    }

    /// Makes `object` the one at the other end of `destination`'s one-to-one, whoever was there before.
    func displace(
        _ inverse: Entity.Relationship, of destination: ManagedObject, by object: ManagedObject,
        through relationship: Entity.Relationship
    ) {
        let row = destination.row ?? fulfill(destination)
        if let previous = ObjectKey(slot: RowFormat.word(row, inverse.slot)), previous != object.key {
            clearToOne(relationship, of: self.object(for: previous), pointingAt: destination)
        }
        putToOne(inverse, of: destination, object)
    }

    /// Writes one to-one slot and nothing else.
    func putToOne(_ relationship: Entity.Relationship, of object: ManagedObject, _ destination: ManagedObject?) {
        let draft = object.writableDraft
        RowFormat.setWord(destination?.key.rawValue ?? 0, draft.row, relationship.slot)
        RowFormat.setNull(destination == nil, draft.row, relationship.slot)
        object.state.insert(.written)
    }

    // MARK: To-many

    /// The to-many that `access` asks an object for; nil if it asks for none.
    func relationship(askedFor access: () -> Void) -> Entity.Relationship? {
        toManyProbe = .isSet
        access()
        defer { toManyProbe = .none }
        if case .asked(let relationship) = toManyProbe { return relationship }
        return nil
    }

    /// The to-many of an object, loaded.
    func toMany(_ relationship: Entity.Relationship, of object: ManagedObject) -> ToManyRelation {
        let relation = relation(relationship, of: object)
        if !relation.isLoaded { load(relation, of: object) }
        return relation
    }

    /// The to-many of an object, loaded, to be given other members. Of one that cannot be read nobody knows which members
    /// go: the change is lost, and noted as that.
    func toManyToChange(_ relationship: Entity.Relationship, of object: ManagedObject) -> ToManyRelation {
        let relation = relation(relationship, of: object)
        if !relation.isLoaded, !load(relation, of: object) { failures.noteLostChange() }
        return relation
    }

    /// The to-many of an object, loaded.
    ///
    /// - Throws: what reading it throws.
    func loadedToMany(_ relationship: Entity.Relationship, of object: ManagedObject) throws -> ToManyRelation {
        let relation = relation(relationship, of: object)
        if !relation.isLoaded { try loadOrThrow(relation, of: object) }
        return relation
    }

    /// The to-many of an object, loaded or not.
    func relation(_ relationship: Entity.Relationship, of object: ManagedObject) -> ToManyRelation {
        for relation in object.toManys where relation.relationship.slot == relationship.slot { return relation }
        let relation = ToManyRelation(relationship, isLoaded: object.state.contains(.inserted))
        object.toManys.append(relation)
        return relation
    }

    /// - Returns: whether it could be read.
    @discardableResult
    private func load(_ relation: ToManyRelation, of object: ManagedObject) -> Bool {
        do {
            try loadOrThrow(relation, of: object)
            return true
        } catch {
            // The property reads as empty this once; the relation stays a fault and asks again.
            noteFailedRead(of: object, slot: relation.relationship.slot, error)
            return false
        }
    }

    func loadOrThrow(_ relation: ToManyRelation, of object: ManagedObject) throws {
        if object.key.isTemporary, parent == nil { return relation.load([]) }
        try loadCohort(ofToMany: relation.relationship, of: object)
    }

    /// Fills a to-many with what its store holds. What was deleted before is taken out of it, as it would have been by
    /// the deletion.
    func fill(_ relation: ToManyRelation, of object: ManagedObject, with destinations: [ManagedObject]) {
        relation.load(withoutTaken(destinations, from: relation, of: object))
        if relation.relationship.inverse == nil || object.state.contains(.deleted) || !object.isMember { return }
        for member in destinations where member.state.contains(.propagated) {
            // The event of the deletion took the member's own side along. It may have ended long ago; if not, this is a part
            // of it.
            if let journal, journal.hasTouched(member) { journal.touch(relation, of: object) }
            if relation.remove(member) { noteRelationChange(object) }
        }
    }

    /// Changes a to-many and keeps inverses equal. `additions` holds no member, `departures` members only.
    func changeToMany(
        _ relationship: Entity.Relationship, of object: ManagedObject, adding additions: Set<ManagedObject>,
        removing departures: [ManagedObject]
    ) {
        for addition in additions { requireLinkable(addition, relationship) }
        for old in departures { unlink(old, from: relationship, of: object) }
        takeFromOtherOwners(additions, of: relationship, for: object)
        for new in additions { put(new, into: relationship, of: object) }
    }

    /// Makes a to-many hold exactly `destinations`, and keeps inverses equal.
    func setToMany(
        _ relationship: Entity.Relationship, of object: ManagedObject, to destinations: [ManagedObject]
    ) {
        for destination in destinations { requireLinkable(destination, relationship) }
        let relation = toManyToChange(relationship, of: object)
        let wanted = Set(destinations)
        for old in relation.elements where !wanted.contains(old) { unlink(old, from: relationship, of: object) }
        let additions = destinations.filter { !relation.members.contains($0) }
        takeFromOtherOwners(Set(additions), of: relationship, for: object)
        for new in additions { put(new, into: relationship, of: object) }
        if relationship.isOrdered {
            var seen: Set<ManagedObject> = []
            // Where the two sides were read from two states, one that belongs here already may be no member.
            let order = destinations.filter { relation.members.contains($0) && seen.insert($0).inserted }
            reorder(relation, of: object, as: order)
        }
    }

    /// Adds one object to a to-many and keeps its inverse equal; reads nothing of the to-many, unless the object was taken
    /// out of it before.
    package func link(_ destination: ManagedObject, to relationship: Entity.Relationship, of object: ManagedObject) {
        requireLinkable(destination, relationship)
        takeFromOtherOwners([destination], of: relationship, for: object)
        put(destination, into: relationship, of: object)
    }

    private func put(_ destination: ManagedObject, into relationship: Entity.Relationship, of object: ManagedObject) {
        if let inverse = relationship.inverse {
            if inverse.isToMany {
                readToTakeBack(inverse, of: destination) { $0.removed.contains(object) }
                changeRelation(inverse, of: destination) { $0.insert(object) }
            } else {
                // The to-one side is the one that is stored; it takes the object out of its previous owner.
                setToOne(inverse, of: destination, to: object)
                return
            }
        }
        references.note(object)
        readToTakeBack(relationship, of: object) { $0.removed.contains(destination) }
        changeRelation(relationship, of: object) { $0.insert(destination) }
    }

    /// Takes one object out of a to-many and keeps its inverse equal.
    package func unlink(_ destination: ManagedObject, from relationship: Entity.Relationship, of object: ManagedObject)
    {
        // One that has left the context has no side of its own any more.
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
        let wasAdded = self.relation(relationship, of: object).added.contains(destination)
        changeRelation(relationship, of: object) { $0.remove(destination) }
        if wasAdded { giveBack([destination], of: relationship, from: object) }
    }

    /// A link that is taken back is no change: but which of the two was the change, only the members tell. Or the two sides,
    /// one of them read and the other not, would come to think differently of it.
    private func readToTakeBack(
        _ relationship: Entity.Relationship, of object: ManagedObject, _ isTakenBack: (ToManyRelation) -> Bool
    ) {
        let relation = relation(relationship, of: object)
        if !relation.isLoaded, isTakenBack(relation) { load(relation, of: object) }
    }

    /// Takes one object out of a to-many that may not hold it.
    func unlinkMember(
        _ destination: ManagedObject, from relationship: Entity.Relationship, of object: ManagedObject
    ) {
        requireLinkable(destination, relationship)
        if let inverse = relationship.inverse, !inverse.isToMany {
            let row = destination.row ?? rowToChange(destination)
            if RowFormat.word(row, inverse.slot) != object.key.rawValue { return }
        }
        unlink(destination, from: relationship, of: object)
    }

    func changeRelation(
        _ relationship: Entity.Relationship, of object: ManagedObject, _ change: (ToManyRelation) -> Bool
    ) {
        // Nothing is saved of an object whose row is gone; a to-one may still point at it.
        if object.state.contains(.inaccessible) { return }
        let relation = relation(relationship, of: object)
        willChange(relation, of: object)
        guard change(relation) else { return }
        noteRelationChange(object)
    }

    /// Puts the members of an ordered to-many into a new order, which holds each of them once.
    func reorder(_ relation: ToManyRelation, of object: ManagedObject, as newOrder: [ManagedObject]) {
        willChange(relation, of: object)
        relation.reorder(newOrder)
        noteRelationChange(object)
    }

    /// A to-many changed: the object counts as updated, though its version stays unless a slot of its row changes too.
    func noteRelationChange(_ object: ManagedObject) {
        object.state.insert(object.state.contains(.inserted) ? .written : [.updated, .written])
        track(object)
    }

    private func requireLinkable(_ destination: ManagedObject, _ relationship: Entity.Relationship) {
        precondition(
            destination.home.context === self,
            """
            \(relationship.entity.name).\(relationship.name) cannot hold an object of another context. Take it into this \
            one with `use(object.objectID)`.
            """)
        precondition(
            destination.entity.isKind(of: relationship.destination),
            """
            \(relationship.entity.name).\(relationship.name) holds objects of \(relationship.destination.name), not of \
            \(destination.entity.name).
            """)
        references.note(destination)
    }
}
