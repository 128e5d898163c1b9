/// Two objects with the same unique values: the table of ``MergePolicy``, carried out.
extension ManagedObjectContext {
    /// Settles that an object has the unique values of another one.
    ///
    /// - Parameter replacements: takes down which object stands for which. Whoever calls redirects what leads to them, once
    ///   for all conflicts.
    func settle(
        _ object: ManagedObject, _ duplicate: StoredVersion.Duplicate, by settlement: Settlement,
        _ replacements: inout ReplacedObjects
    ) throws {
        // What settled another conflict may have settled this one.
        if object.state.contains(.deleted) { return }
        let holder = holder(of: duplicate)
        if holder.state.contains(.deleted) { return }
        if object.isInserted {
            try settleNew(object, holder, by: settlement, &replacements)
        } else {
            try settleSaved(object, holder, duplicate, by: settlement, &replacements)
        }
    }

    /// The object that has the values, with the row it has in the store.
    private func holder(of duplicate: StoredVersion.Duplicate) -> ManagedObject {
        let holder = object(for: duplicate.holder)
        guard let row = duplicate.row else { return holder }
        if let draft = holder.draft {
            if draft.base?.version != row.version { rebase(holder, draft, onto: row) }
        } else if holder.row.map({ RowFormat.version($0) < row.version }) ?? true {
            adopt(row, as: holder)
            holder.awakeFromFetchOnce()
        }
        return holder
    }

    private func settleNew(
        _ object: ManagedObject, _ holder: ManagedObject, by settlement: Settlement,
        _ replacements: inout ReplacedObjects
    ) throws {
        let layout = object.home.layout
        var slots = SlotSet()
        if let draft = object.draft {
            if case .overwrite = settlement { for slot in 0..<layout.slotCount { slots.insert(slot) } }
            if case .objectTrump = settlement {
                slots = layout.changedSlots(of: draft, from: layout.initialRow.pointer)
            }
        }
        merge(object, into: holder, taking: slots, withOwned: settlement.deletes, &replacements)
        if case .values(let values) = settlement { try set(values, of: holder) }
    }

    private func settleSaved(
        _ object: ManagedObject, _ holder: ManagedObject, _ duplicate: StoredVersion.Duplicate,
        by settlement: Settlement, _ replacements: inout ReplacedObjects
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
            merge(holder, into: object, taking: SlotSet(), withOwned: false, &replacements)
        case .values(let values):
            takeBackChanges(of: object, onto: base)
            try set(values, of: object)
        }
    }

    // MARK: Merging two objects

    /// Lets one object go and another one stand for it.
    ///
    /// - Parameters:
    ///   - slots: the properties whose values the other one takes.
    ///   - withOwned: whether it takes over what belongs to the one that goes by the delete rule cascade as well.
    private func merge(
        _ loser: ManagedObject, into winner: ManagedObject, taking slots: SlotSet, withOwned: Bool,
        _ replacements: inout ReplacedObjects
    ) {
        slots.forEach { slot in take(slot, of: loser, into: winner) }
        for relationship in loser.home.layout.relationships where relationship.isToMany {
            guard withOwned || relationship.deleteRule != .cascade, winner.shares(relationship) else { continue }
            for member in destinations(of: relationship, from: loser) where !member.state.contains(.deleted) {
                unlink(member, from: relationship, of: loser)
                link(member, to: relationship, of: winner)
            }
        }
        replacements.add(loser, replacedBy: winner)
        remove(loser, for: winner)
    }

    private func take(_ slot: Int, of loser: ManagedObject, into winner: ManagedObject) {
        let property = loser.entity.properties[slot]
        // A relative of another entity may have another property there.
        guard slot < winner.entity.properties.count, winner.entity.properties[slot].name == property.name,
            let row = loser.row
        else { return }
        switch property {
        case .attribute:
            let draft = winner.draft ?? beginDraft(of: winner)
            winner.home.layout.copy(slot, from: row, to: draft)
            winner.row = UnsafeRawPointer(draft.row)
        case .relationship(let relationship) where !relationship.isToMany:
            let key = ObjectKey(slot: RowFormat.word(row, slot))
            setToOne(relationship, of: loser, to: nil)
            setToOne(relationship, of: winner, to: key.map { object(for: $0) })
        case .relationship: break
        }
    }

    /// Relationships without an inverse: who leads to those that go is looked for among the unsaved changes. A new object
    /// has no others.
    ///
    /// - Complexity: one look at each changed object, however many were replaced.
    func redirect(_ replacements: ReplacedObjects) {
        if replacements.isEmpty { return }
        for object in changed where object.hasChanges && !object.state.contains(.deleted) {
            guard let row = object.row else { continue }
            for relationship in object.home.layout.relationships where relationship.inverse == nil {
                if relationship.isToMany {
                    redirectMembers(relationship, of: object, replacements)
                } else if let winner = replacements.winner(of: RowFormat.word(row, relationship.slot)) {
                    putToOne(relationship, of: object, winner)
                }
            }
        }
    }

    private func redirectMembers(
        _ relationship: Entity.Relationship, of object: ManagedObject, _ replacements: ReplacedObjects
    ) {
        let relation = self.relation(relationship, of: object)
        for member in relation.addedInOrder {
            guard let winner = replacements.winner(of: member) else { continue }
            unlink(member, from: relationship, of: object)
            link(winner, to: relationship, of: object)
        }
    }

    private func remove(_ loser: ManagedObject, for winner: ManagedObject) {
        let key = loser.key
        loser.state.insert([.deleted, .cascaded, .written])
        track(loser)
        propagateDeletion(of: loser)
        guard loser.isInserted else { return }
        // Whoever knows the id of the one that went finds the one that stays.
        winner.state.insert(.hasKnownTemporaryID)
        identities.addAlias(key, of: winner)
        loser.key = winner.key
    }
}

extension ManagedObject {
    /// Whether a relationship is one of the object's too: it may be of another entity of the same tree.
    fileprivate func shares(_ relationship: Entity.Relationship) -> Bool {
        entity.propertiesByName[relationship.name]?.relationship == relationship
    }
}
