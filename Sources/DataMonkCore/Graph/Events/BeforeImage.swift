/// **Confined.** The state of an object before its first change in the current user event.
///
/// The image of an object with a clean row has no `row`: its former values are those of the store, even if its row has
/// been replaced in the meantime. Thus rows that a merge brings during the event never look like changes.
struct BeforeImage {
    let object: ManagedObject
    let presence: ObjectPresence
    /// Indicates whether a delete rule had deleted it.
    let wasCascaded: Bool
    /// The former unsaved values; `nil` if there were none.
    var row: Row?
    /// The increments among those values.
    var increments: Increments?
    /// The to-manys that the event has changed.
    var relations: [RelationImage] = []

    /// The row to compare with; `nil` for a fault, and for an object that had not been inserted yet.
    var rowBefore: Row? { row ?? object.storedRow }
}

/// **Confined.** The state of a to-many before its first change in the current user event.
struct RelationImage {
    let relation: ToManyRelation
    let isLoaded: Bool
    let added: Set<ManagedObject>
    let removed: Set<ManagedObject>
    let order: [ManagedObject]

    init(_ relation: ToManyRelation) {
        self.relation = relation
        isLoaded = relation.isLoaded
        added = relation.added
        removed = relation.removed
        order = relation.order
    }

    /// The members added since; `left` has those removed since. Computed from the differences to the store, which are
    /// also valid in a fault.
    var arrived: Set<ManagedObject> {
        relation.added.subtracting(added).union(removed.subtracting(relation.removed))
    }

    var left: Set<ManagedObject> {
        relation.removed.subtracting(removed).union(added.subtracting(relation.added))
    }

    /// The former order, if it is known and has changed.
    var orderBefore: [ManagedObject]? {
        guard relation.relationship.isOrdered, isLoaded, relation.isLoaded, order != relation.order else { return nil }
        return order
    }

    var isChanged: Bool { !arrived.isEmpty || !left.isEmpty || orderBefore != nil }
}

@available(*, unavailable)
extension BeforeImage: Sendable {}

@available(*, unavailable)
extension RelationImage: Sendable {}
