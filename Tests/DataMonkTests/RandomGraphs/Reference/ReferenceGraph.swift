import DataMonk

/// Two objects joined by a many-to-many relationship.
struct ReferenceLink: Hashable, Sendable {
    let name: String
    let first: Int
    let second: Int

    func renamed(_ names: [Int: Int]) -> ReferenceLink {
        let (first, second) = (names[first] ?? first, names[second] ?? second)
        // A link of friends is written with the smaller one first; the other ones have a side each.
        return name == "Member.friends" && second < first
            ? ReferenceLink(name: name, first: second, second: first)
            : ReferenceLink(name: name, first: first, second: second)
    }
}

/// An ordered relationship of one object.
struct ReferenceOrder: Hashable, Sendable {
    let name: String
    let owner: Int
}

/// The values of one object.
struct ReferenceRow: Equatable, Sendable {
    let kind: String
    var values: [String: ManagedValue]
    var toOnes: [String: Int] = [:]
    var version = 0
}

/// A graph as plain values: what a store holds, or what a context shows. Written without any cleverness.
///
/// Objects are called by their identities. An object whose saved deletion was undone is another one with the same number:
/// an identity is a number and, above it, which of those objects it is.
///
/// A to-many that is the other side of a to-one is not kept: it is who points there.
struct ReferenceGraph: Equatable, Sendable {
    var rows: [Int: ReferenceRow] = [:]
    var links: Set<ReferenceLink> = []
    var orders: [ReferenceOrder: [Int]] = [:]

    static func number(of identity: Int) -> Int { identity % 1_000 }
    /// The identity of the nth object that has come back.
    static func identity(_ former: Int, reborn count: Int) -> Int { number(of: former) + 1_000 * count }

    func isVisible(_ identity: Int) -> Bool { rows[identity] != nil }

    /// The objects by number.
    var identities: [Int: Int] { Dictionary(rows.keys.map { (Self.number(of: $0), $0) }) { first, _ in first } }
    /// The object with a number.
    func identity(of number: Int) -> Int? { rows.keys.first { Self.number(of: $0) == number } }

    /// Where a to-one leads; nil if that object is gone.
    func destination(_ owner: Int, _ relation: GraphRelation) -> Int? {
        guard let other = rows[owner]?.toOnes[relation.name], isVisible(other) else { return nil }
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

    /// The same graph under other identities.
    func renamed(_ names: [Int: Int]) -> ReferenceGraph {
        var graph = ReferenceGraph()
        for (identity, row) in rows {
            var row = row
            row.toOnes = row.toOnes.mapValues { names[$0] ?? $0 }
            graph.rows[names[identity] ?? identity] = row
        }
        graph.links = Set(links.map { $0.renamed(names) })
        for (order, list) in orders {
            let owner = names[order.owner] ?? order.owner
            graph.orders[ReferenceOrder(name: order.name, owner: owner)] = list.map { names[$0] ?? $0 }
        }
        return graph
    }
}
