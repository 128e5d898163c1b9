/// **Confined.** What an object was before the first change of the running user event.
///
/// An object whose row was clean has no `row` here: what it was is what the store gave, wherever the row in the meantime
/// was taken from. So rows that a merge brings during the event never look like changes.
struct ObjectImage {
    let object: ManagedObject
    let presence: ObjectPresence
    /// The unsaved values it had; nil for an object that had none.
    var row: Row?
    /// What of those values was incremented.
    var increments: Increments?
    /// The to-manys that the event has changed.
    var relations: [RelationImage] = []

    /// The row to compare with; nil for a fault, and for an object that was not inserted yet.
    var rowBefore: Row? { row ?? object.storedRow }
}

/// **Confined.** What a to-many was before its first change in the running user event.
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

    /// What came in since, and what went out; found from the differences to the store, which hold in a fault too.
    var arrived: Set<ManagedObject> {
        relation.added.subtracting(added).union(removed.subtracting(relation.removed))
    }

    var left: Set<ManagedObject> {
        relation.removed.subtracting(removed).union(added.subtracting(relation.added))
    }

    /// The order it had, if that is known and is another one now.
    var orderBefore: [ManagedObject]? {
        guard relation.relationship.isOrdered, isLoaded, relation.isLoaded, order != relation.order else { return nil }
        return order
    }

    var isChanged: Bool { !arrived.isEmpty || !left.isEmpty || orderBefore != nil }
}

@available(*, unavailable)
extension ObjectImage: Sendable {}

@available(*, unavailable)
extension RelationImage: Sendable {}
