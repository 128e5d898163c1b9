/// **Value.** A relationship that a save would leave with an end that does not exist, or does not lead back.
package enum BrokenReference: Sendable {
    /// The object was given destinations that are not in the store.
    case missing(Entity.Relationship, destinations: [ObjectKey])
    /// The object is deleted, and its delete rule has not reached these objects, which refer to it.
    case unreached(Entity.Relationship, referrers: [ObjectKey])
    /// A one-to-one of the object was changed, and the other side says something else: those that it leads to and that do
    /// not lead back, or those that lead to it and that it does not lead to.
    case oneSided(Entity.Relationship, others: [ObjectKey])

    package var relationship: Entity.Relationship {
        switch self {
        case .missing(let relationship, _), .unreached(let relationship, _), .oneSided(let relationship, _):
            relationship
        }
    }

    /// The keys at the other end.
    package var others: [ObjectKey] {
        switch self {
        case .missing(_, let keys), .unreached(_, let keys), .oneSided(_, let keys): keys
        }
    }

    /// The same with other keys, where there are some.
    func renamed(_ keys: [ObjectKey: ObjectKey]) -> BrokenReference {
        let others = others.map { keys[$0] ?? $0 }
        return switch self {
        case .missing(let relationship, _): .missing(relationship, destinations: others)
        case .unreached(let relationship, _): .unreached(relationship, referrers: others)
        case .oneSided(let relationship, _): .oneSided(relationship, others: others)
        }
    }
}

/// **Value.** An object and one at the other end of a relationship, as a store has them.
package struct StoredLink: Hashable, Sendable {
    package let owner: ObjectKey
    package let destination: ObjectKey

    package init(owner: ObjectKey, destination: ObjectKey) {
        self.owner = owner
        self.destination = destination
    }
}
