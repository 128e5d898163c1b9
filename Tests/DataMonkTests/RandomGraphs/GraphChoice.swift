import DataMonk
import DataMonkTesting

/// Makes up steps of one context from what it shows.
struct GraphChoice {
    let index: Int
    let schema: GraphSchema
    let rows: [Int: ReferenceRow]

    func number(_ random: inout SeededGenerator) -> Int? {
        rows.keys.sorted().randomElement(using: &random).map(ReferenceGraph.number)
    }

    private func object(_ random: inout SeededGenerator) -> (Int, ReferenceRow)? {
        guard let identity = rows.keys.sorted().randomElement(using: &random), let row = rows[identity] else {
            return nil
        }
        return (ReferenceGraph.number(of: identity), row)
    }

    /// The numbers of the objects that a relationship may lead to.
    private func numbers(_ relation: GraphRelation) -> [Int] {
        rows.filter { schema.isKind($0.value.kind, of: relation.destination) }.keys.map(ReferenceGraph.number).sorted()
    }

    func insert(_ number: Int, _ random: inout SeededGenerator) -> GraphStep? {
        guard let kind = schema.relations.keys.sorted().randomElement(using: &random) else { return nil }
        let relation = GraphRules.mandatoryRelation(kind).flatMap { schema.relation(kind, $0) }
        let owner = relation.flatMap { numbers($0).randomElement(using: &random) }
        return .insert(index, kind: kind, number: number, at: owner)
    }

    func set(_ random: inout SeededGenerator) -> GraphStep? {
        guard let (number, row) = object(&random), let key = row.values.keys.sorted().randomElement(using: &random)
        else { return nil }
        let value = value(row.kind, key, &random)
        return Int.random(in: 0..<3, using: &random) == 0
            ? .setBehind(index, number: number, key: key, to: value) : .set(index, number: number, key: key, to: value)
    }

    private func value(_ kind: String, _ key: String, _ random: inout SeededGenerator) -> ManagedValue {
        let texts: [ManagedValue] = [nil, "", "x", "a longer text that has to find a place of its own", "é"]
        if key == "text" { return texts.randomElement(using: &random) ?? .null }
        let number = Int64.random(in: 0..<3, using: &random)
        if key == "code" { return Bool.random(using: &random) ? nil : .string("\(number)") }
        // Now and then one that may not be saved.
        let isTooLarge = kind == "Seal" && Int.random(in: 0..<4, using: &random) == 0
        return .int(isTooLarge ? GraphRules.largest + 1 : number)
    }

    private func relation(isToMany: Bool, _ random: inout SeededGenerator) -> (Int, GraphRelation)? {
        guard let (number, row) = object(&random),
            let relation = schema.relations[row.kind]?.filter({ $0.isToMany == isToMany }).randomElement(using: &random)
        else { return nil }
        return (number, relation)
    }

    func point(_ random: inout SeededGenerator) -> GraphStep? {
        guard let (number, relation) = relation(isToMany: false, &random) else { return nil }
        let isMandatory = GraphRules.mandatoryRelation(relation.entity) == relation.name
        let toNobody = Int.random(in: 0..<(isMandatory ? 16 : 4), using: &random) == 0
        let destination = toNobody ? nil : numbers(relation).randomElement(using: &random)
        return .point(index, number: number, relation.name, to: destination)
    }

    func hold(_ random: inout SeededGenerator) -> GraphStep? {
        guard let (number, relation) = relation(isToMany: true, &random) else { return nil }
        let members = numbers(relation).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
        return .hold(index, number: number, relation.name, relation.isOrdered ? members : members.sorted())
    }
}
