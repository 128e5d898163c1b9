/// One-to-manys without an inverse.
///
/// In a store a member's row points at its one owner; in memory nothing but the owners says who is whose. So when an owner
/// takes an object, the other owners are looked through: a look at each registered object, which is the price of a
/// relationship without an inverse.
extension ManagedObjectContext {
    /// Takes objects out of the to-manys of all owners but the one that they come to.
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

    /// An owner no longer takes what it had taken and not saved: whoever had it in the store has it again, and is read
    /// anew.
    func giveBack(_ members: Set<ManagedObject>, of relationship: Entity.Relationship, from owner: ManagedObject) {
        if relationship.isOwnedByOneSideAlone { rereadOwners(of: relationship, except: owner) }
    }

    /// The members of other owners may be others now.
    func rereadOwners(of relationship: Entity.Relationship, except owner: ManagedObject? = nil) {
        forEachOwner(of: relationship, except: owner) { _, relation in relation.unload() }
    }

    /// What a to-many has in the store, without what other owners have taken since.
    func withoutTaken(
        _ stored: [ManagedObject], from relation: ToManyRelation, of owner: ManagedObject
    ) -> [ManagedObject] {
        if changed.isEmpty || !relation.relationship.isOwnedByOneSideAlone { return stored }
        var taken: Set<ManagedObject> = []
        for other in changed where other !== owner {
            if let relation = other.relation(like: relation.relationship) { taken.formUnion(relation.added) }
        }
        // What was taken out here as well has to be taken out of the store, whoever comes to have it.
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

extension Entity.Relationship {
    /// Whether it is a one-to-many whose members do not know their owner.
    var isOwnedByOneSideAlone: Bool { inverse == nil && isToMany && !isTransient }
}

extension ManagedObject {
    /// The to-many of this object, if it has been touched.
    fileprivate final nonisolated func relation(like relationship: Entity.Relationship) -> ToManyRelation? {
        if toManys.isEmpty { return nil }
        return toManys.first { $0.relationship === relationship }
    }
}
