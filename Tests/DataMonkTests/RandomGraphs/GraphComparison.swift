import DataMonk

/// Compares what a context shows with what it must show.
struct GraphComparison {
    let found: GraphReading
    let expected: ReferenceGraph
    let schema: GraphSchema
    /// Objects that others have changed as well: to which to-many they belong is not settled before the next save.
    var stale: Set<Int> = []
    var contested: Set<ReferenceLink> = []
    var uncertain: Set<ReferenceOrder> = []
    /// The identities of what is expected, by number.
    private let identities: [Int: Int]

    init(_ found: GraphReading, _ expected: ReferenceGraph, _ schema: GraphSchema) {
        self.found = found
        self.expected = expected
        self.schema = schema
        identities = expected.identities
    }

    func check() throws {
        if identities.count != expected.rows.count { throw Difference("two objects have the same number") }
        let numbers = Set(found.rows.keys)
        if numbers != Set(identities.keys) {
            throw Difference("objects: expected \(identities.keys.sorted()), found \(numbers.sorted())")
        }
        for (number, identity) in identities.sorted(by: { $0.key < $1.key }) { try checkRow(number, identity) }
        for (membership, members) in found.members { try check(membership, members) }
    }

    private func checkRow(_ number: Int, _ identity: Int) throws {
        guard let found = found.rows[number], let row = expected.rows[identity] else { return }
        if found.kind != row.kind { throw Difference("\(number) is a \(found.kind), expected a \(row.kind)") }
        for key in schema.attributes[row.kind] ?? [] where found.values[key] != row.values[key] {
            throw Difference("\(number).\(key): expected \(text(row.values[key])), found \(text(found.values[key]))")
        }
        for relation in schema.relations[row.kind] ?? [] where !relation.isToMany {
            let destination = expected.destination(identity, relation).map(ReferenceGraph.number)
            if found.toOnes[relation.name] != destination {
                throw Difference(
                    "\(number).\(relation.name): expected \(text(destination)), found \(text(found.toOnes[relation.name]))"
                )
            }
        }
    }

    private func check(_ membership: GraphReading.Membership, _ members: [Int]) throws {
        let relation = membership.relation
        guard let owner = identities[membership.owner] else { return }
        let order = ReferenceOrder(name: relation.name, owner: owner)
        let list = expected.list(owner, relation).map(ReferenceGraph.number)
        let wanted = (relation.isOrdered ? list : list.sorted()).filter { isSettled($0, owner, relation) }
        let there = (relation.isOrdered ? members : members.sorted()).filter { isSettled($0, owner, relation) }
        let isEqual =
            relation.isOrdered && uncertain.contains(order) ? Set(wanted) == Set(there) : wanted == there
        if !isEqual || Set(members).count != members.count {
            throw Difference("\(membership.owner).\(relation.name): expected \(wanted), found \(there)")
        }
    }

    private func isSettled(_ number: Int, _ owner: Int, _ relation: GraphRelation) -> Bool {
        guard let identity = identities[number] else {
            return !relation.isManyToMany && !stale.contains { ReferenceGraph.number(of: $0) == number }
        }
        return relation.isManyToMany
            ? !contested.contains(relation.link(owner, identity)) : !stale.contains(identity)
    }

    private func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "none" }
}
