/// Resolution of duplicates, two objects with the same unique values, by the first table of ``MergePolicy``.
extension ConflictResolver {
    /// Resolves the conflict of an object that has the unique values of another one.
    func settle(
        _ object: ManagedObject, with duplicate: StoredVersion.Duplicate, by settlement: Settlement
    ) throws {
        // The resolution of another conflict may have resolved this one.
        if object.state.contains(.deleted) { return }
        let holder = holder(of: duplicate)
        if holder.state.contains(.deleted) { return }
        if object.isInserted {
            try settleNew(object, holder: holder, by: settlement)
        } else {
            try settleSaved(object, holder: holder, duplicate: duplicate, by: settlement)
        }
    }

    /// Returns the object that has the values, with its row in the store.
    private func holder(of duplicate: StoredVersion.Duplicate) -> ManagedObject {
        let holder = context.object(for: duplicate.holder)
        guard let row = duplicate.row else { return holder }
        if let draft = holder.draft {
            if draft.base?.version != row.version { context.rebase(holder, draft: draft, onto: row) }
        } else if holder.row.map({ RowFormat.version($0) < row.version }) ?? true {
            context.adopt(row, as: holder)
            holder.awakeFromFetchOnce()
        }
        return holder
    }

    private func settleNew(
        _ object: ManagedObject, holder: ManagedObject, by settlement: Settlement
    ) throws {
        let layout = object.home.layout
        var slots = SlotSet()
        if let draft = object.draft {
            if case .overwrite = settlement { for slot in 0..<layout.slotCount { slots.insert(slot) } }
            if case .objectTrump = settlement {
                slots = layout.changedSlots(of: draft, from: layout.initialRow.pointer)
            }
        }
        merge(object, into: holder, taking: slots, withOwned: settlement.deletes)
        if case .values(let values) = settlement { try set(values, of: holder) }
    }

    private func settleSaved(
        _ object: ManagedObject, holder: ManagedObject, duplicate: StoredVersion.Duplicate,
        by settlement: Settlement
    ) throws {
        guard let base = object.draft?.base else { return }
        switch settlement {
        case .storeTrump:
            var contested = SlotSet()
            for name in duplicate.constraint {
                if let slot = object.entity.propertiesByName[name]?.slot { contested.insert(slot) }
            }
            takeBack(contested, of: object, like: base)
        case .rollback: takeBackChanges(of: object, onto: base)
        case .objectTrump, .overwrite:
            merge(holder, into: object, taking: SlotSet(), withOwned: false)
        case .values(let values):
            let passed = increments(of: object, passedOnBy: values)
            takeBackChanges(of: object, onto: base)
            try set(values, of: object, keeping: passed)
        }
    }

    // MARK: Merging two objects

    /// Removes one object and lets another one replace it.
    ///
    /// - Parameters:
    ///   - slots: The properties whose values the winner takes.
    ///   - withOwned: `true` if the winner also gets the objects that the loser owns by the delete rule cascade.
    private func merge(
        _ loser: ManagedObject, into winner: ManagedObject, taking slots: SlotSet, withOwned: Bool
    ) {
        slots.forEach { slot in take(slot, of: loser, into: winner) }
        for relationship in loser.home.layout.relationships where relationship.isToMany {
            guard withOwned || relationship.deleteRule != .cascade, winner.shares(relationship) else { continue }
            for member in context.graph.destinations(of: relationship, from: loser)
            where !member.state.contains(.deleted) {
                context.graph.unlink(member, from: relationship, of: loser)
                context.graph.link(member, to: relationship, of: winner)
            }
        }
        replacements.add(loser, replacedBy: winner)
        remove(loser, for: winner)
    }

    private func take(_ slot: Int, of loser: ManagedObject, into winner: ManagedObject) {
        let property = loser.entity.properties[slot]
        // An object of another entity of the same tree may have another property there.
        guard slot < winner.entity.properties.count, winner.entity.properties[slot].name == property.name,
            let row = loser.row
        else { return }
        switch property {
        case .attribute:
            let draft = winner.writableDraft
            winner.home.layout.copy(slot, from: row, to: draft)
            winner.row = UnsafeRawPointer(draft.row)
        case .relationship(let relationship) where !relationship.isToMany:
            let key = ObjectKey(slot: RowFormat.word(in: row, at: slot))
            context.graph.setToOne(relationship, of: loser, to: nil)
            context.graph.setToOne(relationship, of: winner, to: key.map { context.object(for: $0) })
        case .relationship: break
        }
    }

    /// Redirects references to replaced objects by relationships without an inverse. The references are searched among
    /// the unsaved changes, since a new object has no others.
    ///
    /// - Complexity: One look at each changed object, however many objects were replaced.
    func redirectReplaced() {
        if replacements.isEmpty { return }
        for object in context.work.changed where object.hasChanges && !object.state.contains(.deleted) {
            guard let row = object.row else { continue }
            for relationship in object.home.layout.relationships where relationship.inverse == nil {
                if relationship.isToMany {
                    redirectMembers(relationship, of: object)
                } else if let winner = replacements.winner(of: RowFormat.word(in: row, at: relationship.slot)) {
                    let fits = accepts(relationship, winner, of: object)
                    context.graph.putToOne(relationship, of: object, to: fits ? winner : nil)
                }
            }
        }
    }

    private func redirectMembers(_ relationship: Entity.Relationship, of object: ManagedObject) {
        let relation = object.relation(relationship)
        for member in relation.addedInOrder {
            guard let winner = replacements.winner(of: member) else { continue }
            context.graph.unlink(member, from: relationship, of: object)
            if accepts(relationship, winner, of: object) { context.graph.link(winner, to: relationship, of: object) }
        }
    }

    /// Returns `false` if a remaining object, of another sub-entity than the removed one, is not for the relationship. The
    /// reference is lost then, which the next save reports.
    private func accepts(
        _ relationship: Entity.Relationship, _ winner: ManagedObject, of object: ManagedObject
    ) -> Bool {
        if winner.entity.isKind(of: relationship.destination) { return true }
        let error = FetchError.objectIsDeleted(winner.anyObjectID)
        context.faults.noteDroppedWrite(of: object, slot: relationship.slot, error)
        return false
    }

    private func remove(_ loser: ManagedObject, for winner: ManagedObject) {
        let key = loser.key
        loser.state.insert([.deleted, .cascaded, .written])
        context.work.track(loser)
        context.graph.propagateDeletion(of: loser)
        guard loser.isInserted else { return }
        // The id of the removed object now finds the remaining one.
        winner.state.insert(.hasKnownTemporaryID)
        identities.addAlias(key, to: winner.key)
        loser.key = winner.key
    }
}

extension ManagedObject {
    /// Returns `true` if the object has the relationship too. It may belong to another entity of the same tree.
    fileprivate func shares(_ relationship: Entity.Relationship) -> Bool {
        entity.propertiesByName[relationship.name]?.relationship == relationship
    }
}
