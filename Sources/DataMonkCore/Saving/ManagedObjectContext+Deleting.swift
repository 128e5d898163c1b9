extension ManagedObjectContext {
    /// The objects that a delete rule is about. Those of all deleted objects of the same entity are read together.
    ///
    /// - Throws: the errors of the reads.
    func readDestinations(
        byRuleOf relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        let isRead = relationship.isToMany ? relation(relationship, of: object).isLoaded : object.row != nil
        if !isRead {
            let others = changed.filter {
                $0.isDeleted && $0.home === object.home && $0.key.storeIndex == object.key.storeIndex && $0 !== object
            }
            if relationship.isToMany {
                try readToMany(relationship, of: [object] + others)
            } else {
                try readRows(of: [object] + others)
            }
        }
        return destinations(of: relationship, from: object)
    }

    /// The object's row, read if it has not been; that of nobody if it is gone.
    func rowOrEmpty(of object: ManagedObject) throws -> UnsafeRawPointer {
        if let row = object.row { return row }
        do {
            return try fulfillOrThrow(object)
        } catch let error as FetchError where error.code == .objectNotFound {
            return object.home.layout.emptyRow.pointer
        }
    }

    /// Applies the delete rules of an object's relationships. What they need was read.
    func propagateDeletion(of object: ManagedObject) {
        object.state.insert(.propagated)
        for relationship in object.home.layout.relationships {
            switch relationship.deleteRule {
            case .noAction, .deny:
                // Deny is checked when the set of deleted objects is complete: it is lifted for destinations in it. An
                // object that was never saved is gone now, and nothing may point at it.
                if object.state.contains(.inserted) { detach(object, relationship) }
            case .cascade:
                for destination in destinations(of: relationship, from: object) where !destination.isDeleted {
                    delete(destination)
                    destination.state.insert(.cascaded)
                }
                detach(object, relationship)
            case .nullify:
                detach(object, relationship)
            }
        }
        // An object that was never saved just goes.
        if object.state.contains(.inserted) { removeFromContext(object) }
    }

    func destinations(of relationship: Entity.Relationship, from object: ManagedObject) -> [ManagedObject] {
        if relationship.isToMany { return toMany(relationship, of: object).elements }
        let row = object.row ?? fulfill(object)
        guard let key = ObjectKey(slot: RowFormat.word(row, relationship.slot)), !isDeparted(key) else { return [] }
        return [self.object(for: key)]
    }

    /// Applies a delete rule to one object that the relationship's own side does not lead to.
    func applyRule(of relationship: Entity.Relationship, to other: ManagedObject, from object: ManagedObject) {
        guard let inverse = relationship.inverse, !inverse.isToMany, !other.isDeleted else { return }
        switch relationship.deleteRule {
        case .noAction, .deny: return
        case .cascade:
            delete(other)
            other.state.insert(.cascaded)
        case .nullify: clearToOne(inverse, of: other, pointingAt: object)
        }
    }

    /// Whether a key is of an object that was deleted before its first save: deleted objects keep what they led to.
    private func isDeparted(_ key: ObjectKey) -> Bool {
        guard key.isTemporary, identities.find(identities.currentKey(key)) == nil else { return false }
        guard parent != nil else { return true }
        if case .row = inheritedRow(of: key) { return false }
        return true
    }

    /// Takes the object out of the other ends of one relationship. Its own slots stay as they were: what it pointed at
    /// can still be read until the save. Links of a many-to-many go with the row, which is the store's business.
    func detach(_ object: ManagedObject, _ relationship: Entity.Relationship) {
        guard let inverse = relationship.inverse else { return }
        for destination in destinations(of: relationship, from: object) where !destination.state.contains(.deleted) {
            if inverse.isToMany {
                changeRelation(inverse, of: destination) { $0.remove(object) }
            } else {
                clearToOne(inverse, of: destination, pointingAt: object)
            }
        }
    }

    /// Takes back a to-one, if it is still that: what others have done may have left the two sides unequal, or one of them
    /// gone.
    func clearToOne(
        _ relationship: Entity.Relationship, of object: ManagedObject, pointingAt destination: ManagedObject
    ) {
        let row = object.row ?? fulfill(object)
        if RowFormat.word(row, relationship.slot) == destination.key.rawValue {
            putToOne(relationship, of: object, nil)
        }
    }
}
