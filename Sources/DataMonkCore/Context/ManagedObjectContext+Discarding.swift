/// Giving up the unsaved changes of one object. A relationship is one change on two sides, and goes from both: or the
/// store's side of it would say one thing and the other side another.
extension ManagedObjectContext {
    /// Makes a fault of an object, whatever there is to save of it.
    ///
    /// - Throws: ``StoreError`` if a row that relationships have to be given back by cannot be read; nothing was changed then.
    func discardChanges(of object: ManagedObject) throws {
        if !object.hasChangedRelationships {
            noteArrival(object, .refreshed)
            return turnIntoFault(object)
        }
        let row = try storedRow(of: object.key) ?? object.home.layout.emptyRow
        // What is given back is no step, and no part of one.
        processPendingChanges()
        // Behind the end of the event, which tells what is written down: the object has its old values there.
        noteArrival(object, .refreshed)
        if object.state.contains(.deleted) { return turnIntoFault(object) }
        var others: Set<ManagedObject> = []
        let toOnes = object.draft.map(object.home.layout.changedToOnes) ?? []
        if let draft = object.draft {
            object.adopt(row)
            giveBack(toOnes, of: object, draft, over: row, to: &others)
        }
        giveBackLinks(of: object, to: &others)
        let relations = object.toManys
        turnIntoFault(object)
        keepMembers(of: object, in: relations)
        for other in others {
            noteArrival(other, .updated)
            settleIfUnchanged(other)
        }
        for toOne in toOnes { applyDeleteRule(of: toOne, to: object, as: row) }
        propagateDeletions()
        endEventOfMerge()
    }

    /// The object has its stored row; what its draft has made of other objects is taken back.
    private func giveBack(
        _ toOnes: [Entity.Relationship], of object: ManagedObject, _ draft: DraftRow, over row: Row,
        to others: inout Set<ManagedObject>
    ) {
        let before = [draft.base?.pointer, UnsafeRawPointer(draft.row)].compactMap(\.self)
        settleMemberships(of: object, before: before, in: row)
        for relationship in toOnes {
            guard let inverse = relationship.inverse else { continue }
            let keys = (before + [row.pointer]).map { ObjectKey(slot: RowFormat.word($0, relationship.slot)) }
            others.formUnion(keys.compactMap { $0.flatMap(identities.find) })
            if inverse.isToMany { continue }
            if let mine = ObjectKey(slot: RowFormat.word(draft.row, relationship.slot)).flatMap(identities.find) {
                clearToOne(inverse, of: mine, pointingAt: object)
            }
            guard let key = keys.last.flatMap(\.self), !self.object(for: key).isDeleted else { continue }
            let stored = self.object(for: key)
            let previous = ObjectKey(slot: RowFormat.word(stored.row ?? fulfill(stored), inverse.slot))
            others.formUnion([stored, previous.flatMap(identities.find)].compactMap(\.self))
            displace(inverse, of: stored, by: object, through: relationship)
        }
        others.remove(object)
    }

    /// Takes back what the object's to-manys have made of other objects.
    private func giveBackLinks(of object: ManagedObject, to others: inout Set<ManagedObject>) {
        for relation in object.toManys {
            let relationship = relation.relationship
            let (added, removed) = (relation.added, relation.removed)
            guard let inverse = relationship.inverse else {
                if !added.isEmpty { giveBack(added, of: relationship, from: object) }
                continue
            }
            if !inverse.isToMany { continue }
            for member in added.union(removed) {
                let isStored = removed.contains(member)
                for other in member.toManys where other.relationship.slot == inverse.slot {
                    other.settle(object, isMember: isStored, isStored: isStored)
                }
                others.insert(member)
            }
        }
        others.remove(object)
    }

    /// What the object leads to again may be about to go.
    private func applyDeleteRule(of toOne: Entity.Relationship, to object: ManagedObject, as row: Row) {
        let key = ObjectKey(slot: RowFormat.word(row.pointer, toOne.slot))
        guard let inverse = toOne.inverse, let owner = key.flatMap(identities.find),
            owner.state.isSuperset(of: [.deleted, .propagated])
        else { return }
        switch inverse.deleteRule {
        case .cascade:
            delete(object)
            object.state.insert(.cascaded)
        case .nullify: putToOne(toOne, of: object, nil)
        case .deny, .noAction: return
        }
    }

    /// Who belongs to a one-to-many its members say themselves, and what they say stays.
    private func keepMembers(of object: ManagedObject, in relations: ContiguousArray<ToManyRelation>) {
        for relation in relations where relation.relationship.inverse?.isToMany == false {
            relation.unloadInStoredOrder()
            if relation.hasChanges { object.toManys.append(relation) }
        }
        if object.hasToManys { object.state.insert(.updated) }
    }
}

extension ManagedObject {
    /// Whether there are unsaved changes that have another side.
    fileprivate final nonisolated var hasChangedRelationships: Bool {
        if state.contains(.deleted) { return false }
        if toManys.contains(where: \.hasChanges) { return true }
        return draft.map { draft in home.layout.changedToOnes(of: draft).contains { $0.inverse != nil } } ?? false
    }
}

extension EntityLayout {
    /// The to-ones in which a draft differs from the row it started from.
    fileprivate func changedToOnes(of draft: DraftRow) -> [Entity.Relationship] {
        let changed = changedSlots(of: draft)
        return relationships.filter { !$0.isToMany && changed.contains($0.slot) }
    }
}
