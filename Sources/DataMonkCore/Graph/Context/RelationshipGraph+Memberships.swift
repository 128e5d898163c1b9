/// Updates of to-manys that are the inverse of a to-one, after the row of an object with unsaved changes has been
/// replaced.
extension RelationshipGraph {
    /// Updates the to-manys that an object belongs to, after its values have been moved onto another row.
    ///
    /// - Parameters:
    ///   - before: The rows that the object had. It may be a member of every object that they refer to.
    ///   - stored: The object's row in the store now; for a fault an empty one, so that its owners are asked.
    func settleMemberships(of object: ManagedObject, before: [UnsafeRawPointer], in stored: Row) {
        let row = object.row ?? stored.pointer
        let isObserved = context.journal?.isObserved == true
        for relationship in object.home.layout.relationships where !relationship.isToMany {
            guard let inverse = relationship.inverse, inverse.isToMany else { continue }
            let (now, there) = (
                RowFormat.word(in: row, at: relationship.slot),
                RowFormat.word(in: stored.pointer, at: relationship.slot)
            )
            for word in Set(before.map { RowFormat.word(in: $0, at: relationship.slot) } + [now, there]) {
                guard let key = ObjectKey(slot: word) else { continue }
                // If the current and the stored owner differ, both must know, whenever they are read.
                let isChange = now != there && (word == now || word == there)
                guard let owner = identities.find(key) ?? (isChange ? context.object(for: key) : nil) else { continue }
                if isChange { _ = owner.relation(inverse) }
                for relation in owner.toManys where relation.relationship.slot == inverse.slot {
                    // Others have moved it, which observers of the owner see in its to-many alone.
                    if isObserved, relation.isLoaded, relation.members.contains(object) != (word == now) {
                        context.noteExternalChange(of: owner, as: .updated)
                    }
                    relation.settle(object, isMember: word == now, isStored: word == there)
                    if relation.hasChanges { noteRelationChange(owner) } else { context.work.settleIfUnchanged(owner) }
                }
            }
        }
    }

    /// Removes an object that no longer exists in the store from the unsaved changes of relationships: from where it was
    /// added, and from where it was taken away.
    func forgetMemberships(of object: ManagedObject) {
        if !object.hasChanges { return }
        if let draft = object.draft {
            let rows = [UnsafeRawPointer(draft.row), draft.base?.pointer].compactMap(\.self)
            for relationship in object.home.layout.relationships where !relationship.isToMany {
                guard let inverse = relationship.inverse, inverse.isToMany else { continue }
                for word in Set(rows.map { RowFormat.word(in: $0, at: relationship.slot) }) {
                    guard let owner = ObjectKey(slot: word).flatMap(identities.find) else { continue }
                    for relation in owner.toManys where relation.relationship.slot == inverse.slot {
                        forget(object, in: relation, of: owner)
                    }
                }
            }
        }
        for relation in object.toManys {
            guard let inverse = relation.relationship.inverse, inverse.isToMany else { continue }
            for member in relation.added.union(relation.removed) {
                for other in member.toManys where other.relationship.slot == inverse.slot {
                    forget(object, in: other, of: member)
                }
            }
        }
    }

    /// Removes an object that no longer exists from a to-many. No commit names the owner as changed, so its observers are
    /// told here.
    private func forget(_ object: ManagedObject, in relation: ToManyRelation, of owner: ManagedObject) {
        if !owner.isDeleted, relation.members.contains(object) || relation.added.contains(object) {
            context.noteExternalChange(of: owner, as: .updated)
        }
        relation.settle(object, isMember: false, isStored: false)
        if !relation.hasChanges { context.work.settleIfUnchanged(owner) }
    }

    /// Removes references to objects that no longer exist in the store. The links have been deleted with them, although
    /// the context that deleted them may never have known of these.
    ///
    /// - Complexity: One look at each registered object, if the objects can be linked at all.
    func forgetLinks(to keys: [ObjectKey]) {
        let gone = keys.compactMap(identities.find).filter { object in
            isHeldWithoutInverse(object)
                || object.home.layout.relationships.contains { $0.isToMany && $0.inverse?.isToMany == true }
        }
        forgetMembers(Set(gone))
    }

    /// Removes objects whose deletion was saved from those to-manys from which no delete rule has removed them. Either
    /// the relationship has another rule, or the context keeps values that it has read, so that the two sides are of
    /// different generations.
    ///
    /// - Complexity: One look at each registered object, if there may be such to-manys.
    func forgetMembersBesideRules(_ deleted: [ManagedObject]) {
        let keepsOlder = !context.followsCommits
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
        context.directory.entitiesHeldWithoutInverse.contains(object.key.entityIndex)
    }

    private func forgetMembers(_ gone: Set<ManagedObject>) {
        if gone.isEmpty { return }
        for object in identities.objects {
            for relation in object.toManys {
                for member in relation.members.union(relation.added).intersection(gone) {
                    forget(member, in: relation, of: object)
                }
            }
        }
    }

    /// Discards the changes of an object that no longer exists in the store and has no changed values, since there is
    /// nothing to save.
    func forgetRelations(ofGone object: ManagedObject) {
        object.toManys = []
        object.state.remove(.updated)
    }
}

extension DeleteRule {
    /// Indicates whether the rule removes a deleted object from its other ends.
    var leavesOtherEnd: Bool {
        switch self {
        case .nullify, .cascade: true
        case .noAction, .deny: false
        }
    }
}
