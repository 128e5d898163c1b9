extension ManagedObjectContext {
    /// Reads what the delete rules of an object need, before anything is changed: a rule that finds nothing because the store
    /// fails would be no rule.
    func readForDeletion(of object: ManagedObject) throws {
        for relationship in object.home.layout.relationships {
            let rule = relationship.deleteRule
            if rule == .noAction || rule == .deny, !object.isInserted { continue }
            if relationship.inverse == nil, rule != .cascade { continue }
            let destinations = try readDestinations(byRuleOf: relationship, from: object)
            guard rule != .cascade, relationship.inverse?.isToMany == false else { continue }
            for destination in destinations where !destination.state.contains(.deleted) {
                _ = try rowOrEmpty(of: destination)
            }
        }
    }

    /// The objects that a delete rule is about.
    ///
    /// - Throws: what reading them throws.
    func readDestinations(
        byRuleOf relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        if relationship.isToMany {
            let relation = relation(relationship, of: object)
            if !relation.isLoaded { try loadOrThrow(relation, of: object) }
        } else {
            _ = try rowOrEmpty(of: object)
        }
        return destinations(of: relationship, from: object)
    }

    /// The object's row, read if it has not been; that of nobody if it is gone.
    private func rowOrEmpty(of object: ManagedObject) throws -> UnsafeRawPointer {
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
        if object.state.contains(.inserted) { identities.unregister(object) }
    }

    func destinations(of relationship: Entity.Relationship, from object: ManagedObject) -> [ManagedObject] {
        if relationship.isToMany { return toMany(relationship, of: object).elements }
        let row = object.row ?? fulfill(object)
        guard let key = ObjectKey(slot: RowFormat.word(row, relationship.slot)), !isDeparted(key) else { return [] }
        return [self.object(for: key)]
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
