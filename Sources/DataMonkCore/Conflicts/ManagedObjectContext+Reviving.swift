/// Taking back a deletion that the store does not let through.
extension ManagedObjectContext {
    /// Makes a deleted object one that stays, with a row of the store; and with it what its delete rules did to others:
    /// they lead to it again, and those that were deleted with it stay too.
    ///
    /// Objects that are still deleted may delete some of these again: `propagateAgain()` is to follow.
    func revive(_ object: ManagedObject, as row: Row?) throws {
        if let row { take(row, as: object) }
        var waiting = [object]
        while let next = waiting.popLast() {
            if !next.state.contains(.deleted) { continue }
            try takeCurrentRow(of: next)
            // Read while it is deleted: with all that has gone along.
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
                try attach(next, to: destination, relationship)
            }
        }
    }

    /// A deleted object has kept its row while others committed newer ones.
    private func takeCurrentRow(of object: ManagedObject) throws {
        guard parentToSaveInto == nil, !followsCommits || object.state.contains(.outdated) else { return }
        // One that is gone by now is met by the next attempt.
        guard let row = try storedRow(of: object.key), row.version > object.storedRow?.version ?? 0 else { return }
        take(row, as: object)
        object.state.remove(.outdated)
    }

    /// Values that were changed before the deletion are gone with it.
    private func take(_ row: Row, as object: ManagedObject) {
        let (draft, stored) = (object.draft, object.storedRow)
        adopt(row, as: object)
        if let draft {
            let before = [stored?.pointer, UnsafeRawPointer(draft.row)].compactMap(\.self)
            settleMemberships(of: object, before: before, in: row)
        }
        withExtendedLifetime(stored) {}
        if !object.toManys.contains(where: \.hasChanges) { object.state.remove(.updated) }
    }

    private func destinationsOfRules(of object: ManagedObject) -> [(Entity.Relationship, ManagedObject)] {
        object.home.layout.relationships.filter { $0.deleteRule == .cascade || $0.deleteRule == .nullify }
            .flatMap { relationship in
                destinations(of: relationship, from: object).map { (relationship, $0) }
            }
    }

    /// Lets the delete rules of what is still deleted apply once more.
    func propagateAgain() {
        for object in changed where object.state.contains(.deleted) && !object.isInserted {
            object.state.remove(.propagated)
        }
    }

    /// Puts an object back at the other end of its relationship, where the deletion took it out.
    private func attach(
        _ object: ManagedObject, to destination: ManagedObject, _ relationship: Entity.Relationship
    ) throws {
        guard let inverse = relationship.inverse else { return }
        if inverse.isToMany {
            changeRelation(inverse, of: destination) { $0.insert(object) }
            return
        }
        // One that leads elsewhere by now was told to. Of a one-to-one both sides were: what a context that follows no
        // commits has read of the other one may be older.
        try takeCurrentValues(of: destination)
        let word = RowFormat.word(destination.row ?? fulfill(destination), inverse.slot)
        if word == 0 {
            putToOne(inverse, of: destination, object)
        } else if word != object.key.rawValue, !relationship.isToMany {
            putToOne(relationship, of: object, nil)
        }
    }

    // MARK: Cascades that lead to an object

    /// The deleted objects whose cascade reaches an object, by the row that it has here and by that of the store or the
    /// parent: to-manys of owners go by the latter.
    func deletedOwners(of object: ManagedObject) throws -> [ManagedObject] {
        var owners: [ManagedObject] = []
        let stored = try storedRow(of: object.key)
        for relationship in object.home.layout.relationships where !relationship.isToMany {
            guard relationship.inverse?.deleteRule == .cascade else { continue }
            let row = try object.row ?? fulfillOrThrow(object)
            let words = [row, stored?.pointer].compactMap(\.self).map { RowFormat.word($0, relationship.slot) }
            for owner in Set(words).compactMap({ ObjectKey(slot: $0).flatMap(identities.find) })
            where owner.state.contains(.deleted) { owners.append(owner) }
        }
        // Links, and relationships without an inverse, are known to the owners alone.
        for owner in changed where owner.state.contains(.deleted) && owner !== object && !owner.isInserted {
            for relationship in owner.home.layout.relationships
            where relationship.deleteRule == .cascade && relationship.inverse?.isToMany ?? true {
                guard object.entity.isKind(of: relationship.destination),
                    try readDestinations(byRuleOf: relationship, from: owner).contains(object)
                else { continue }
                owners.append(owner)
            }
        }
        return owners
    }

    /// Takes over a row of an object that went with a deleted owner and that others have changed meanwhile. Moved to
    /// another owner it stays.
    func settleCascaded(_ object: ManagedObject, as row: Row) throws {
        let before = object.storedRow
        object.adopt(row)
        withExtendedLifetime(before) {
            settleMemberships(of: object, before: before.map { [$0.pointer] } ?? [], in: row)
        }
        if try deletedOwners(of: object).isEmpty { return try revive(object, as: row) }
        for relation in object.toManys { relation.unload() }
        object.state.remove(.propagated)
        pendingDeletions.add(object)
    }
}
