/// References that have an end which does not exist, or does not lead back: the second table of ``MergePolicy``, carried
/// out. `settle(…)` nullifies or reverts references, and reverts or records deletions; the delete rules of the recorded ones
/// can reach newcomers, and `prepareRules()` prepares them to be applied next.
extension ConflictResolver {
    func settle(_ object: ManagedObject, reference: BrokenReference, by settlement: Settlement) throws {
        switch reference {
        case .missing(let relationship, let gone):
            if object.state.contains(.deleted) { return }
            gone.forEach(forget)
            try settle(object, in: relationship, gone: gone, by: settlement)
        case .oneSided(let relationship, let others):
            if object.state.contains(.deleted) { return }
            if settlement.deletes {
                try context.graph.claimDestination(of: relationship, of: object, over: object.draft?.base)
            } else {
                try settle(object, in: relationship, gone: others, by: settlement)
            }
        case .unreached:
            // The resolution of another conflict may have resolved this one.
            if !object.state.contains(.deleted) { return }
            if settlement.deletes { return deletions.append((object, reference)) }
            try keep(object)
            if case .values(let values) = settlement { try set(values, of: object) }
        }
    }

    /// Resolves the references of one-to-one partners that were set through an object which others have deleted.
    func settlePartners(of object: ManagedObject, by settlement: Settlement) throws {
        guard let draft = object.draft, !object.state.contains(.deleted) else { return }
        for relationship in object.home.layout.relationships where !relationship.isToMany {
            guard let inverse = relationship.inverse, !inverse.isToMany,
                let key = ObjectKey(slot: RowFormat.word(in: draft.row, at: relationship.slot)),
                let partner = identities.find(key), let changes = partner.draft,
                RowFormat.word(in: changes.row, at: inverse.slot) == object.key.rawValue,
                changes.base.map({ RowFormat.word(in: $0.pointer, at: inverse.slot) }) != object.key.rawValue
            else { continue }
            try settle(partner, reference: .missing(inverse, destinations: [object.key]), by: settlement)
        }
    }

    // MARK: References to objects that no longer exist

    /// Merges the deletion of an object, if it is missing in the store rather than in a parent.
    private func forget(_ key: ObjectKey) {
        guard !isSavedIntoParent, !key.isTemporary else { return }
        if !context.object(for: key).isDeleted { context.mergeDeletion(of: key) }
    }

    private func settle(
        _ object: ManagedObject, in relationship: Entity.Relationship, gone: [ObjectKey],
        by settlement: Settlement
    ) throws {
        switch settlement {
        case .objectTrump, .overwrite: drop(gone, from: relationship, of: object)
        case .storeTrump:
            if let base = object.draft?.base, !relationship.isToMany {
                takeBack(SlotSet([relationship.slot]), of: object, like: base)
            } else {
                drop(gone, from: relationship, of: object)
            }
        case .rollback:
            if object.isInserted { withdraw(object) } else { takeBackChanges(of: object) }
        case .values(let values):
            drop(gone, from: relationship, of: object)
            let passed = increments(of: object, passedOnBy: values)
            if !object.isInserted { takeBackChanges(of: object) }
            try set(values, of: object, keeping: passed)
        }
    }

    private func drop(_ gone: [ObjectKey], from relationship: Entity.Relationship, of object: ManagedObject) {
        if !relationship.isToMany {
            guard let row = object.row,
                let key = ObjectKey(slot: RowFormat.word(in: row, at: relationship.slot)), gone.contains(key)
            else { return }
            return context.graph.setToOne(relationship, of: object, to: nil)
        }
        for other in gone.map(context.object) {
            object.relation(relationship).settle(other, isMember: false, isStored: false)
            for relation in other.toManys where relation.relationship === relationship.inverse {
                relation.settle(object, isMember: false, isStored: false)
            }
        }
        context.graph.noteRelationChange(object)
    }

    /// Discards every change of a stored object, including those of its links.
    private func takeBackChanges(of object: ManagedObject) {
        if let base = object.draft?.base { takeBackChanges(of: object, onto: base) }
        for relation in object.toManys where relation.hasChanges && relation.relationship.hasOwnLinks {
            for (members, isStored) in [(relation.added, false), (relation.removed, true)] {
                for member in members where !member.isDeleted || !isStored {
                    relation.settle(member, isMember: isStored, isStored: isStored)
                    for other in member.toManys where other.relationship === relation.relationship.inverse {
                        other.settle(object, isMember: isStored, isStored: isStored)
                    }
                }
            }
            relation.unloadInStoredOrder()
        }
    }

    /// Reverts an insertion. Its delete rules apply only to new objects; stored objects return to their stored
    /// references.
    private func withdraw(_ object: ManagedObject) {
        var waiting = [object]
        while let next = waiting.popLast() {
            if next.state.contains(.deleted) { continue }
            next.state.insert([.deleted, .propagated, .written])
            context.work.track(next)
            for relationship in next.home.layout.relationships {
                for other in context.graph.destinations(of: relationship, from: next) where !other.isDeleted {
                    if other.isInserted {
                        if relationship.deleteRule == .cascade { waiting.append(other) }
                    } else if let inverse = relationship.inverse, !inverse.isToMany, let base = other.draft?.base {
                        takeBack(SlotSet([inverse.slot]), of: other, like: base)
                    }
                }
                context.graph.detach(next, from: relationship)
            }
            context.removeFromContext(next)
        }
    }

    // MARK: Deletions of objects that others refer to

    /// Reverts a deletion, together with the deletions that reach the object by a cascade.
    private func keep(_ object: ManagedObject) throws {
        var waiting = [object]
        while let next = waiting.popLast() {
            if !next.state.contains(.deleted) { continue }
            // Newcomers belong to it from now on. Read while it is deleted, so that everything deleted with it is
            // included.
            for relation in next.toManys {
                relation.unload()
                _ = try context.graph.readDestinations(byRuleOf: relation.relationship, from: next)
            }
            waiting += try deletedOwners(of: next)
            try revive(next, as: next.storedRow)
        }
    }

    /// Lets the delete rules that have missed objects see the current contents of the store.
    func prepareRules() throws {
        for (object, reference) in deletions where object.state.contains(.deleted) {
            let others = try reference.others.map(context.graph.currentObject)
            if reference.relationship.isToMany {
                object.relation(reference.relationship).unload()
            } else {
                // The object's own side does not lead to them.
                for other in others { context.graph.applyRule(of: reference.relationship, to: other, from: object) }
            }
        }
    }
}
