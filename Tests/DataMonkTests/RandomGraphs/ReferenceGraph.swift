import DataMonk

/// Two objects joined by a many-to-many relationship.
struct ReferenceLink: Hashable, Sendable {
    let name: String
    let first: Int
    let second: Int
}

/// An ordered relationship of one object.
struct ReferenceOrder: Hashable, Sendable {
    let name: String
    let owner: Int
}

/// The values of one object. Objects are called by their numbers.
struct ReferenceRow: Equatable, Sendable {
    let kind: String
    var values: [String: ManagedValue]
    var toOnes: [String: Int] = [:]
    var version = 0
}

/// A graph as plain values: what a store holds, or what a context shows. Written without any cleverness.
///
/// A to-many that is the other side of a to-one is not kept: it is who points there.
struct ReferenceGraph: Equatable, Sendable {
    var rows: [Int: ReferenceRow] = [:]
    var links: Set<ReferenceLink> = []
    var orders: [ReferenceOrder: [Int]] = [:]

    func isVisible(_ number: Int) -> Bool { rows[number] != nil }

    /// Where a to-one leads; nil if that object is gone.
    func destination(_ number: Int, _ relation: GraphRelation) -> Int? {
        guard let other = rows[number]?.toOnes[relation.name], isVisible(other) else { return nil }
        return other
    }

    func members(_ owner: Int, _ relation: GraphRelation) -> Set<Int> {
        if relation.isManyToMany {
            return Set(links.compactMap { relation.other($0, from: owner) }.filter(isVisible))
        }
        guard let inverse = relation.inverseName else { return [] }
        // Another relationship may have an inverse of the same name.
        return Set(
            rows.filter { $0.value.toOnes[inverse] == owner && relation.destinationKinds.contains($0.value.kind) }.keys)
    }

    /// The members in their order; those of which no order is known come last.
    func list(_ owner: Int, _ relation: GraphRelation) -> [Int] {
        let members = members(owner, relation)
        let known = (orders[ReferenceOrder(name: relation.name, owner: owner)] ?? []).filter(members.contains)
        return known + members.subtracting(known).sorted()
    }
}
