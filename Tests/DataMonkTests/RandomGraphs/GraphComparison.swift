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

    init(_ found: GraphReading, _ expected: ReferenceGraph, _ schema: GraphSchema) {
        self.found = found
        self.expected = expected
        self.schema = schema
    }

    func check() throws {
        let numbers = Set(found.rows.keys)
        let expectedNumbers = Set(expected.rows.keys)
        if numbers != expectedNumbers {
            throw Difference("objects: expected \(expectedNumbers.sorted()), found \(numbers.sorted())")
        }
        for number in numbers.sorted() { try checkRow(number) }
        for (membership, members) in found.members { try check(membership, members) }
    }

    private func checkRow(_ number: Int) throws {
        guard let found = found.rows[number], let row = expected.rows[number] else { return }
        if found.kind != row.kind { throw Difference("\(number) is a \(found.kind), expected a \(row.kind)") }
        for key in schema.attributes[row.kind] ?? [] where found.values[key] != row.values[key] {
            throw Difference("\(number).\(key): expected \(text(row.values[key])), found \(text(found.values[key]))")
        }
        for relation in schema.relations[row.kind] ?? [] where !relation.isToMany {
            let destination = expected.destination(number, relation)
            if found.toOnes[relation.name] != destination {
                throw Difference(
                    "\(number).\(relation.name): expected \(text(destination)), found \(text(found.toOnes[relation.name]))"
                )
            }
        }
    }

    private func check(_ membership: GraphReading.Membership, _ members: [Int]) throws {
        let (owner, relation) = (membership.owner, membership.relation)
        let order = ReferenceOrder(name: relation.name, owner: owner)
        let list = relation.isOrdered ? expected.list(owner, relation) : expected.members(owner, relation).sorted()
        let isSettled = { (number: Int) in
            relation.isManyToMany
                ? !contested.contains(relation.link(owner, number)) && expected.isVisible(number)
                : !stale.contains(number)
        }
        let wanted = list.filter(isSettled)
        let there = (relation.isOrdered ? members : members.sorted()).filter(isSettled)
        let isEqual =
            relation.isOrdered && uncertain.contains(order) ? Set(wanted) == Set(there) : wanted == there
        if !isEqual || Set(members).count != members.count {
            throw Difference("\(owner).\(relation.name): expected \(wanted), found \(there)")
        }
    }

    private func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "none" }
}
