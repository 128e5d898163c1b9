extension ChangeSet {
    /// Calls a block with the source, the relationship and the destination of each reference that the changes set. For
    /// links of relationships without an inverse, the block is also called with the owner as source and destination and
    /// the relationship `nil`, because the owner must exist.
    func forEachReference(
        layouts: [EntityLayout], _ body: (ObjectKey, Entity.Relationship?, ObjectKey) -> Void
    ) {
        func visit(_ change: ObjectChange, layout: EntityLayout, slot: Int) {
            guard let destination = ObjectKey(slot: RowFormat.word(in: change.row.pointer, at: slot)),
                let relationship = layout.entity.properties[slot].relationship, !relationship.isTransient
            else { return }
            body(change.key, relationship, destination)
        }
        for change in inserted {
            let layout = layouts[change.key.entityIndex]
            for slot in layout.toOneSlots { visit(change, layout: layout, slot: slot) }
        }
        for change in updated {
            let layout = layouts[change.key.entityIndex]
            for slot in layout.toOneSlots where change.changed.contains(slot) {
                visit(change, layout: layout, slot: slot)
            }
        }
        // The members of a one-to-many refer to their owner themselves.
        for link in links where link.relationship.hasOwnLinks && !link.added.isEmpty {
            if link.relationship.inverse == nil { body(link.owner, nil, link.owner) }
            for destination in link.added {
                body(link.owner, link.relationship, destination)
                if let inverse = link.relationship.inverse { body(destination, inverse, link.owner) }
            }
        }
    }

    /// The one-to-ones that the changes set on one side and not on the other, which may agree all the same: by relationship,
    /// the objects with what they are to lead to.
    func oneSidedReferences(layouts: [EntityLayout]) -> [Entity.Relationship: [ObjectKey: ObjectKey?]] {
        var sides: [OneToOneSide: (old: ObjectKey?, new: ObjectKey?)] = [:]
        func add(_ change: ObjectChange) {
            let layout = layouts[change.key.entityIndex]
            for slot in layout.toOneSlots where change.base == nil || change.changed.contains(slot) {
                guard let relationship = layout.entity.properties[slot].relationship, !relationship.isTransient,
                    let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient
                else { continue }
                let old = change.base.flatMap { ObjectKey(slot: RowFormat.word(in: $0.pointer, at: slot)) }
                sides[OneToOneSide(key: change.key, relationship: relationship)] = (
                    old, ObjectKey(slot: RowFormat.word(in: change.row.pointer, at: slot))
                )
            }
        }
        inserted.forEach(add)
        updated.forEach(add)
        var references: [Entity.Relationship: [ObjectKey: ObjectKey?]] = [:]
        for (side, (old, new)) in sides {
            guard let inverse = side.relationship.inverse else { continue }
            func destination(_ key: ObjectKey) -> ObjectKey?? {
                sides[OneToOneSide(key: key, relationship: inverse)].map(\.new)
            }
            let isTaken = new.map { destination($0) == .some(side.key) } ?? true
            let isLeft = old.map { $0 == new || destination($0).map { $0 != side.key } ?? false } ?? true
            if !isTaken || !isLeft { references[side.relationship, default: [:]][side.key] = .some(new) }
        }
        return references
    }

    /// **Value.** One side of a one-to-one.
    private struct OneToOneSide: Hashable {
        let key: ObjectKey
        let relationship: Entity.Relationship
    }

    /// Returns whether the changes end a link of a deleted object.
    func endLink(_ link: StoredLink, of relationship: Entity.Relationship) -> Bool {
        (links + unlinked).contains { change in
            if change.relationship === relationship, change.owner == link.owner {
                return change.removed.contains(link.destination)
            }
            guard change.relationship === relationship.inverse, change.owner == link.destination else { return false }
            return change.removed.contains(link.owner)
        }
    }
}

extension Entity.Relationship {
    /// Indicates whether it is a to-many that is not recorded by a to-one of its members.
    var hasOwnLinks: Bool { isToMany && !isTransient && inverse?.isToMany ?? true }

    /// Indicates whether the delete rule affects objects or links that refer to the owner. Links are deleted with the
    /// object, so a rule that nullifies has nothing to do for them.
    var ruleConcernsReferrers: Bool {
        if isTransient || deleteRule == .noAction { return false }
        return hasOwnLinks ? deleteRule != .nullify : inverse?.isToMany == false
    }
}

/// **Value.** The other ends of broken references, by object and relationship, in the order of their detection.
struct BrokenReferences {
    private struct Place: Hashable {
        let key: ObjectKey
        let relationship: Entity.Relationship
    }

    private var places: [Place] = []
    private var others: [Place: [ObjectKey]] = [:]

    mutating func add(_ other: ObjectKey, at key: ObjectKey, in relationship: Entity.Relationship) {
        let place = Place(key: key, relationship: relationship)
        if others[place] == nil { places.append(place) }
        others[place, default: []].append(other)
    }

    func conflicts(_ make: (Entity.Relationship, [ObjectKey]) -> BrokenReference) -> [StoredVersion] {
        places.map { place in
            StoredVersion(key: place.key, row: nil, reference: make(place.relationship, others[place] ?? []))
        }
    }
}
