/// To-manys that are the other side of a to-one follow its slot. Where a row changes under unsaved changes they are put
/// right here.
extension ManagedObjectContext {
    /// An object's values have been put onto another row.
    ///
    /// - Parameters:
    ///   - before: the rows that the object had: it may be a member wherever they point.
    ///   - stored: what the store holds of it now; of a fault nothing, so that its owners are asked.
    func settleMemberships(of object: ManagedObject, before: [UnsafeRawPointer], in stored: Row) {
        let row = object.row ?? stored.pointer
        for relationship in object.home.layout.relationships where !relationship.isToMany {
            guard let inverse = relationship.inverse, inverse.isToMany else { continue }
            let (now, there) = (
                RowFormat.word(row, relationship.slot), RowFormat.word(stored.pointer, relationship.slot)
            )
            for word in Set(before.map { RowFormat.word($0, relationship.slot) } + [now, there]) {
                guard let key = ObjectKey(slot: word) else { continue }
                // Where now and then differ the owner has to know, whenever it is read.
                let isChange = now != there && (word == now || word == there)
                guard let owner = identities.find(key) ?? (isChange ? self.object(for: key) : nil) else { continue }
                if isChange { _ = relation(inverse, of: owner) }
                for relation in owner.toManys where relation.relationship.slot == inverse.slot {
                    relation.settle(object, isMember: word == now, isStored: word == there)
                    if relation.hasChanges { noteRelationChange(owner) } else { settleIfUnchanged(owner) }
                }
            }
        }
    }

    /// An object is gone from the store: nothing here adds it to a relationship any more.
    func forgetMemberships(of object: ManagedObject) {
        if !object.hasChanges { return }
        if let draft = object.draft {
            for relationship in object.home.layout.relationships where !relationship.isToMany {
                guard let inverse = relationship.inverse, inverse.isToMany,
                    let owner = ObjectKey(slot: RowFormat.word(draft.row, relationship.slot)).flatMap(identities.find)
                else { continue }
                for relation in owner.toManys where relation.relationship.slot == inverse.slot {
                    relation.settle(object, isMember: false, isStored: false)
                }
            }
        }
        for relation in object.toManys {
            guard let inverse = relation.relationship.inverse, inverse.isToMany else { continue }
            for member in relation.added {
                for other in member.toManys where other.relationship.slot == inverse.slot {
                    other.settle(object, isMember: false, isStored: false)
                }
            }
        }
    }

    /// Objects are gone from the store, and with them links that whoever deleted them may never have heard of: nobody holds
    /// them any more.
    ///
    /// - Complexity: one look at each registered object, if the objects can be linked at all.
    func forgetLinks(to keys: [ObjectKey]) {
        let gone = keys.compactMap(identities.find).filter { object in
            isHeldWithoutInverse(object)
                || object.home.layout.relationships.contains { $0.isToMany && $0.inverse?.isToMany == true }
        }
        forgetMembers(Set(gone))
    }

    /// Objects whose deletion was saved leave those to-manys that no delete rule has taken them out of: the rule may be
    /// another one, or the context one that keeps what it has read, so that the two sides are of two states.
    ///
    /// - Complexity: as above, if there may be such to-manys.
    func forgetMembersBesideRules(_ deleted: [ManagedObject]) {
        let keepsOlder = parent != nil || !followsCommits
        let gone = deleted.filter { object in
            isHeldWithoutInverse(object)
                || object.home.layout.relationships.contains { relationship in
                    relationship.inverse?.isToMany == true
                        && (keepsOlder || !relationship.deleteRule.leavesOtherEnd)
                }
        }
        forgetMembers(Set(gone))
    }

    private func isHeldWithoutInverse(_ object: ManagedObject) -> Bool {
        directory.entitiesHeldWithoutInverse.contains(object.key.entityIndex)
    }

    private func forgetMembers(_ gone: Set<ManagedObject>) {
        if gone.isEmpty { return }
        for object in identities.objects {
            for relation in object.toManys {
                for member in relation.members.union(relation.added).intersection(gone) {
                    relation.settle(member, isMember: false, isStored: false)
                }
            }
        }
    }

    /// An object without changed values is gone from the store: there is nothing to save of it.
    func forgetRelations(ofGone object: ManagedObject) {
        object.toManys = []
        object.state.remove(.updated)
    }
}

extension DeleteRule {
    /// Whether the rule takes a deleted object out of its other ends.
    fileprivate var leavesOtherEnd: Bool {
        switch self {
        case .nullify, .cascade: true
        case .noAction, .deny: false
        }
    }
}
