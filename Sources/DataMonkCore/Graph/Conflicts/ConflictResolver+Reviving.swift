/// Reverting deletions that the store does not allow.
extension ConflictResolver {
    /// Reverts the deletion of an object, with a row of the store, and also the effects of its delete rules: other
    /// objects refer to it again, and those that were deleted with it are restored as well.
    ///
    /// Objects that are still deleted may delete some of these again, so a call of `propagateAgain()` must follow.
    func revive(_ object: ManagedObject, as row: Row?) throws {
        if let row { take(row, as: object) }
        var waiting = [object]
        while let next = waiting.popLast() {
            if !next.state.contains(.deleted) { continue }
            try takeCurrentRow(of: next)
            // Read while it is deleted, so that everything deleted with it is included.
            let ends = destinationsOfRules(of: next)
            next.state.remove([.deleted, .propagated, .cascaded])
            if next.registration < 0 { identities.register(next) }
            for (relationship, destination) in ends {
                if destination.state.isSuperset(of: [.deleted, .cascaded]) {
                    waiting.append(destination)
                } else if destination.state.contains(.deleted), relationship.inverse?.deleteRule == .cascade {
                    // It would delete this one again.
                    continue
                }
                // One that stays deleted applies its rule once more, and leaves this one.
                try attach(next, to: destination, through: relationship)
            }
        }
    }

    /// Updates a deleted object to the current row. It has kept its row while others committed newer ones.
    private func takeCurrentRow(of object: ManagedObject) throws {
        guard !isSavedIntoParent, !context.followsCommits || object.state.contains(.outdated) else {
            return
        }
        // If it no longer exists, the next attempt meets that conflict.
        guard let row = try context.faults.storedRow(of: object.key), row.version > object.storedRow?.version ?? 0
        else {
            return
        }
        take(row, as: object)
        object.state.remove(.outdated)
    }

    /// Makes a row the object's values. Changes of values made before the deletion are lost with it.
    private func take(_ row: Row, as object: ManagedObject) {
        let (draft, stored) = (object.draft, object.storedRow)
        context.adopt(row, as: object)
        if let draft {
            let before = [stored?.pointer, UnsafeRawPointer(draft.row)].compactMap(\.self)
            context.graph.settleMemberships(of: object, before: before, in: row)
        }
        withExtendedLifetime(stored) {}
        if !object.toManys.contains(where: \.hasChanges) { object.state.remove(.updated) }
    }

    private func destinationsOfRules(of object: ManagedObject) -> [(Entity.Relationship, ManagedObject)] {
        object.home.layout.relationships.filter { $0.deleteRule == .cascade || $0.deleteRule == .nullify }
            .flatMap { relationship in
                context.graph.destinations(of: relationship, from: object).map { (relationship, $0) }
            }
    }

    /// Allows the delete rules of the objects that are still deleted to be applied once more.
    func propagateAgain() {
        for object in context.work.changed where object.state.contains(.deleted) && !object.isInserted {
            object.state.remove(.propagated)
        }
    }

    /// Restores an object at the other end of its relationship, from which the deletion removed it.
    private func attach(
        _ object: ManagedObject, to destination: ManagedObject, through relationship: Entity.Relationship
    ) throws {
        guard let inverse = relationship.inverse else { return }
        if inverse.isToMany {
            context.graph.changeRelation(inverse, of: destination) { $0.insert(object) }
            return
        }
        // One that leads elsewhere by now was told to. Of a one-to-one both sides were: what a context that follows no
        // commits has read of the other one may be older.
        try context.graph.takeCurrentValues(of: destination)
        let word = RowFormat.word(in: destination.row ?? context.faults.fulfill(destination), at: inverse.slot)
        if word == 0 {
            context.graph.putToOne(inverse, of: destination, to: object)
        } else if word != object.key.rawValue, !relationship.isToMany {
            context.graph.putToOne(relationship, of: object, to: nil)
        }
    }

    // MARK: Cascades that reach an object

    /// Returns the deleted objects whose cascade reaches an object, according to its row here and to its row in the store
    /// or the parent, which determines the members of the owners' to-manys.
    func deletedOwners(of object: ManagedObject) throws -> [ManagedObject] {
        var owners: [ManagedObject] = []
        let stored = try context.faults.storedRow(of: object.key)
        for relationship in object.home.layout.relationships where !relationship.isToMany {
            guard relationship.inverse?.deleteRule == .cascade else { continue }
            let row = try object.row ?? context.faults.fulfillOrThrow(object)
            let words = [row, stored?.pointer].compactMap(\.self).map { RowFormat.word(in: $0, at: relationship.slot) }
            for owner in Set(words).compactMap({ ObjectKey(slot: $0).flatMap(identities.find) })
            where owner.state.contains(.deleted) { owners.append(owner) }
        }
        // Links, and relationships without an inverse, are known only to the owners.
        for owner in context.work.changed where owner.state.contains(.deleted) && owner !== object && !owner.isInserted
        {
            for relationship in owner.home.layout.relationships
            where relationship.deleteRule == .cascade && relationship.inverse?.isToMany ?? true {
                guard object.entity.isKind(of: relationship.destination),
                    try context.graph.readDestinations(byRuleOf: relationship, from: owner).contains(object)
                else { continue }
                owners.append(owner)
            }
        }
        return owners
    }

    /// Takes a newer row by others for an object that was deleted with its owner. If they moved it to another owner, it
    /// is restored.
    func settleCascaded(_ object: ManagedObject, as row: Row) throws {
        let before = object.storedRow
        object.adopt(row)
        withExtendedLifetime(before) {
            context.graph.settleMemberships(of: object, before: before.map { [$0.pointer] } ?? [], in: row)
        }
        if try deletedOwners(of: object).isEmpty { return try revive(object, as: row) }
        for relation in object.toManys { relation.unload() }
        object.state.remove(.propagated)
        context.graph.pendingDeletions.add(object)
    }
}
