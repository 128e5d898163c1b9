/// **Value.** A relationship that a save would leave with an end that does not exist, or does not lead back.
package enum BrokenReference: Sendable {
    /// The object has destinations that are not in the store.
    case missing(Entity.Relationship, destinations: [ObjectKey])
    /// The object is deleted, but its delete rule has not reached these objects, which refer to it.
    case unreached(Entity.Relationship, referrers: [ObjectKey])
    /// A one-to-one of the object was changed, and its two sides disagree about these objects: it leads to them and they do
    /// not lead back, or they lead to it and it does not lead to them.
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

    /// Returns the same reference with keys replaced where `keys` contains them.
    func renamed(_ keys: [ObjectKey: ObjectKey]) -> BrokenReference {
        let others = others.map { keys[$0] ?? $0 }
        return switch self {
        case .missing(let relationship, _): .missing(relationship, destinations: others)
        case .unreached(let relationship, _): .unreached(relationship, referrers: others)
        case .oneSided(let relationship, _): .oneSided(relationship, others: others)
        }
    }
}

/// **Value.** Two objects linked by a relationship, as stored.
package struct StoredLink: Hashable, Sendable {
    package let owner: ObjectKey
    package let destination: ObjectKey

    package init(owner: ObjectKey, destination: ObjectKey) {
        self.owner = owner
        self.destination = destination
    }
}
