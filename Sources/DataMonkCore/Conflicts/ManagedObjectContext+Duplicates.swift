/// Two objects with the same unique values: the table of ``MergePolicy``, carried out.
extension ManagedObjectContext {
    /// Settles that an object has the unique values of another one.
    func settle(_ object: ManagedObject, _ duplicate: StoredVersion.Duplicate, by settlement: Settlement) throws {
        // What settled another conflict may have settled this one.
        if object.state.contains(.deleted) { return }
        let holder = holder(of: duplicate)
        if holder.state.contains(.deleted) { return }
        if object.isInserted {
            try settleNew(object, holder, by: settlement)
        } else {
            try settleSaved(object, holder, duplicate, by: settlement)
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

    private func settleNew(_ object: ManagedObject, _ holder: ManagedObject, by settlement: Settlement) throws {
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
        _ object: ManagedObject, _ holder: ManagedObject, _ duplicate: StoredVersion.Duplicate,
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
        case .objectTrump, .overwrite: merge(holder, into: object, taking: SlotSet(), withOwned: false)
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
        _ loser: ManagedObject, into winner: ManagedObject, taking slots: SlotSet, withOwned: Bool
    ) {
        slots.forEach { slot in take(slot, of: loser, into: winner) }
        for relationship in loser.home.layout.relationships where relationship.isToMany {
            guard withOwned || relationship.deleteRule != .cascade, winner.shares(relationship) else { continue }
            for member in destinations(of: relationship, from: loser) where !member.state.contains(.deleted) {
                unlink(member, from: relationship, of: loser)
                link(member, to: relationship, of: winner)
            }
        }
        redirect(from: loser, to: winner)
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

    /// Relationships without an inverse: who leads to the one that goes is looked for among the unsaved changes. A new
    /// object has no others.
    private func redirect(from loser: ManagedObject, to winner: ManagedObject) {
        for object in changed where object.hasChanges && !object.state.contains(.deleted) {
            guard let row = object.row else { continue }
            for relationship in object.home.layout.relationships where relationship.inverse == nil {
                if relationship.isToMany {
                    guard self.relation(relationship, of: object).added.contains(loser) else { continue }
                    unlink(loser, from: relationship, of: object)
                    link(winner, to: relationship, of: object)
                } else if RowFormat.word(row, relationship.slot) == loser.key.rawValue {
                    putToOne(relationship, of: object, winner)
                }
            }
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
