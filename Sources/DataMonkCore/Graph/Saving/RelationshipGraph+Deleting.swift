extension RelationshipGraph {
    /// Returns the objects that a delete rule affects. Those of all deleted objects of the same entity are read together.
    ///
    /// - Throws: The errors of the reads.
    func readDestinations(
        byRuleOf relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        let isRead = relationship.isToMany ? object.relation(relationship).isLoaded : object.row != nil
        if !isRead {
            let others = context.work.changed.filter {
                $0.isDeleted && $0.home === object.home && $0.key.storeIndex == object.key.storeIndex && $0 !== object
            }
            if relationship.isToMany {
                try context.faults.readToMany(relationship, of: [object] + others)
            } else {
                try context.faults.readRows(of: [object] + others)
            }
        }
        return destinations(of: relationship, from: object)
    }

    /// Applies the delete rules of an object's relationships. The rows and members that they need have been read.
    func propagateDeletion(of object: ManagedObject) {
        object.state.insert(.propagated)
        for relationship in object.home.layout.relationships {
            switch relationship.deleteRule {
            case .noAction, .deny:
                // Deny is checked when the set of deleted objects is complete: it does not apply to destinations in the
                // set. An object that was never saved no longer exists, and nothing may refer to it.
                if object.state.contains(.inserted) { detach(object, from: relationship) }
            case .cascade:
                for destination in destinations(of: relationship, from: object) where !destination.isDeleted {
                    context.delete(destination)
                    destination.state.insert(.cascaded)
                }
                detach(object, from: relationship)
            case .nullify:
                detach(object, from: relationship)
            }
        }
        // An object that was never saved is just removed.
        if object.state.contains(.inserted) { context.removeFromContext(object) }
    }

    func destinations(of relationship: Entity.Relationship, from object: ManagedObject) -> [ManagedObject] {
        if relationship.isToMany { return context.faults.toMany(relationship, of: object).elements }
        let row = object.row ?? context.faults.fulfill(object)
        guard let key = ObjectKey(slot: RowFormat.word(in: row, at: relationship.slot)), !isDeparted(key) else {
            return []
        }
        return [context.object(for: key)]
    }

    /// Applies a delete rule to one object that cannot be reached through the relationship's own side.
    func applyRule(of relationship: Entity.Relationship, to other: ManagedObject, from object: ManagedObject) {
        guard let inverse = relationship.inverse, !inverse.isToMany, !other.isDeleted else { return }
        switch relationship.deleteRule {
        case .noAction, .deny: return
        case .cascade:
            context.delete(other)
            other.state.insert(.cascaded)
        case .nullify: clearToOne(inverse, of: other, pointingAt: object)
        }
    }

    /// Returns `true` if a key is of a new object that was deleted. Deleted objects keep their references to it.
    private func isDeparted(_ key: ObjectKey) -> Bool {
        guard key.isTemporary, identities.find(identities.currentKey(key)) == nil else { return false }
        if case .row = context.inheritedRow(of: key) { return false }
        return true
    }

    /// Removes the object from the other ends of one relationship. Its own slots are unchanged, so that the destinations
    /// can still be read until the save. Links of a many-to-many are deleted by the store together with the row.
    func detach(_ object: ManagedObject, from relationship: Entity.Relationship) {
        guard let inverse = relationship.inverse else { return }
        for destination in destinations(of: relationship, from: object) where !destination.state.contains(.deleted) {
            if inverse.isToMany {
                changeRelation(inverse, of: destination) { $0.remove(object) }
            } else {
                clearToOne(inverse, of: destination, pointingAt: object)
            }
        }
    }

    /// Sets a to-one to null if it still leads to `destination`: changes by others may have made the two sides differ, or
    /// may have deleted one of them.
    func clearToOne(
        _ relationship: Entity.Relationship, of object: ManagedObject, pointingAt destination: ManagedObject
    ) {
        let row = object.row ?? context.faults.fulfill(object)
        if RowFormat.word(in: row, at: relationship.slot) == destination.key.rawValue {
            putToOne(relationship, of: object, to: nil)
        }
    }
}
