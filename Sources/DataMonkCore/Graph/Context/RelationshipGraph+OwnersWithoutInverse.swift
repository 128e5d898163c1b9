/// One-to-many relationships without an inverse.
///
/// In a store, a member's row refers to its one owner; in memory, only the owners know their members. When an owner gets
/// a member, the other owners are therefore searched: one look at each registered object, which is the price of a
/// relationship without an inverse.
extension RelationshipGraph {
    /// Removes objects from the to-manys of all owners except the new one.
    func takeFromOtherOwners(
        _ members: Set<ManagedObject>, of relationship: Entity.Relationship, for owner: ManagedObject
    ) {
        if members.isEmpty || !relationship.isOwnedByOneSideAlone { return }
        forEachOwner(of: relationship, except: owner) { other, relation in
            let held = relation.isLoaded ? relation.members : relation.added
            for member in held.intersection(members) {
                changeRelation(relationship, of: other) { $0.remove(member) }
            }
        }
    }

    /// Marks the other owners to be read again after an owner has reverted unsaved additions: the owners in the store
    /// have these members again.
    func giveBack(_ members: Set<ManagedObject>, of relationship: Entity.Relationship, from owner: ManagedObject) {
        if relationship.isOwnedByOneSideAlone { rereadOwners(of: relationship, except: owner) }
    }

    /// Marks the to-manys of other owners to be read again, since their members may have changed.
    func rereadOwners(of relationship: Entity.Relationship, except owner: ManagedObject? = nil) {
        forEachOwner(of: relationship, except: owner) { _, relation in relation.unload() }
    }

    /// Returns the members of a to-many in the store, except those that other owners have taken since.
    func withoutTaken(
        _ stored: [ManagedObject], from relation: ToManyRelation, of owner: ManagedObject
    ) -> [ManagedObject] {
        if context.work.changed.isEmpty || !relation.relationship.isOwnedByOneSideAlone { return stored }
        var taken: Set<ManagedObject> = []
        for other in context.work.changed where other !== owner {
            if let relation = other.relation(like: relation.relationship) { taken.formUnion(relation.added) }
        }
        // Members that were removed here as well must be removed from the store, whoever gets them.
        return stored.filter { !taken.contains($0) || relation.removed.contains($0) }
    }

    private func forEachOwner(
        of relationship: Entity.Relationship, except owner: ManagedObject?,
        _ body: (ManagedObject, ToManyRelation) -> Void
    ) {
        for other in identities.objects where other !== owner {
            if let relation = other.relation(like: relationship) { body(other, relation) }
        }
    }
}

extension ManagedObject {
    /// Returns the to-many of this object, if it has been used.
    fileprivate final nonisolated func relation(like relationship: Entity.Relationship) -> ToManyRelation? {
        if toManys.isEmpty { return nil }
        return toManys.first { $0.relationship === relationship }
    }
}
