/// Discarding the unsaved changes of one object. A change of a relationship has two sides and is discarded on both;
/// otherwise they would contradict each other.
extension UnitOfWork {
    /// Turns an object into a fault, whatever unsaved changes it has.
    ///
    /// - Throws: ``StoreError`` if a row needed for restoring relationships cannot be read. In that case, nothing has
    ///   been changed.
    func discardChanges(of object: ManagedObject) throws {
        if !object.hasChangedRelationships {
            context.noteExternalChange(of: object, as: .refreshed)
            return context.turnIntoFault(object)
        }
        let row = try context.faults.storedRow(of: object.key) ?? object.home.layout.emptyRow
        // Restoring relationships is not an undo step, nor part of one.
        context.processPendingChanges()
        // After the end of the event, which reports the changes recorded so far: at that point, the object still has its
        // former values.
        context.noteExternalChange(of: object, as: .refreshed)
        if object.state.contains(.deleted) { return context.turnIntoFault(object) }
        var others: Set<ManagedObject> = []
        let toOnes = object.draft.map(object.home.layout.changedToOnes) ?? []
        if let draft = object.draft {
            object.adopt(row)
            giveBack(toOnes, of: object, draft: draft, over: row, to: &others)
        }
        giveBackLinks(of: object, to: &others)
        let relations = object.toManys
        context.turnIntoFault(object)
        keepMembers(of: object, in: relations)
        for other in others {
            context.noteExternalChange(of: other, as: .updated)
            settleIfUnchanged(other)
        }
        for toOne in toOnes { applyDeleteRule(of: toOne, to: object, as: row) }
        context.graph.propagateDeletions()
        context.endEventOfMerge()
    }

    /// Restores other objects that the object's draft has changed. The object already has its stored row.
    private func giveBack(
        _ toOnes: [Entity.Relationship], of object: ManagedObject, draft: DraftRow, over row: Row,
        to others: inout Set<ManagedObject>
    ) {
        let before = [draft.base?.pointer, UnsafeRawPointer(draft.row)].compactMap(\.self)
        context.graph.settleMemberships(of: object, before: before, in: row)
        for relationship in toOnes {
            guard let inverse = relationship.inverse else { continue }
            let keys = (before + [row.pointer]).map { ObjectKey(slot: RowFormat.word(in: $0, at: relationship.slot)) }
            others.formUnion(keys.compactMap { $0.flatMap(identities.find) })
            if inverse.isToMany { continue }
            if let mine = ObjectKey(slot: RowFormat.word(in: draft.row, at: relationship.slot)).flatMap(identities.find)
            {
                context.graph.clearToOne(inverse, of: mine, pointingAt: object)
            }
            guard let key = keys.last.flatMap(\.self), !context.object(for: key).isDeleted else { continue }
            let stored = context.object(for: key)
            let previous = ObjectKey(
                slot: RowFormat.word(in: stored.row ?? context.faults.fulfill(stored), at: inverse.slot))
            others.formUnion([stored, previous.flatMap(identities.find)].compactMap(\.self))
            context.graph.displace(inverse, of: stored, by: object, through: relationship)
        }
        others.remove(object)
    }

    /// Restores other objects that the object's to-manys have changed.
    private func giveBackLinks(of object: ManagedObject, to others: inout Set<ManagedObject>) {
        for relation in object.toManys {
            let relationship = relation.relationship
            let (added, removed) = (relation.added, relation.removed)
            guard let inverse = relationship.inverse else {
                if !added.isEmpty { context.graph.giveBack(added, of: relationship, from: object) }
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

    /// Applies the delete rule of the object's restored owner, if that is about to be deleted.
    private func applyDeleteRule(of toOne: Entity.Relationship, to object: ManagedObject, as row: Row) {
        let key = ObjectKey(slot: RowFormat.word(in: row.pointer, at: toOne.slot))
        guard let inverse = toOne.inverse, let owner = key.flatMap(identities.find),
            owner.state.isSuperset(of: [.deleted, .propagated])
        else { return }
        switch inverse.deleteRule {
        case .cascade:
            context.delete(object)
            object.state.insert(.cascaded)
        case .nullify: context.graph.putToOne(toOne, of: object, to: nil)
        case .deny, .noAction: return
        }
    }

    /// Keeps the members of one-to-manys: each member refers to its owner, and these references stay.
    private func keepMembers(of object: ManagedObject, in relations: ContiguousArray<ToManyRelation>) {
        for relation in relations where relation.relationship.inverse?.isToMany == false {
            relation.unloadInStoredOrder()
            if relation.hasChanges { object.toManys.append(relation) }
        }
        if object.hasToManys { object.state.insert(.updated) }
    }
}

extension ManagedObject {
    /// Indicates whether there are unsaved changes of relationships, which have another side.
    fileprivate final nonisolated var hasChangedRelationships: Bool {
        if state.contains(.deleted) { return false }
        if toManys.contains(where: \.hasChanges) { return true }
        return draft.map { draft in home.layout.changedToOnes(of: draft).contains { $0.inverse != nil } } ?? false
    }
}

extension EntityLayout {
    /// Returns the to-ones in which a draft differs from the row that it started from.
    fileprivate func changedToOnes(of draft: DraftRow) -> [Entity.Relationship] {
        let changed = changedSlots(of: draft)
        return relationships.filter { !$0.isToMany && changed.contains($0.slot) }
    }
}
