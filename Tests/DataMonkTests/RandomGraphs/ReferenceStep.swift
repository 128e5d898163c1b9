import DataMonk

/// What differs between two graphs.
struct ReferenceDifference: Sendable {
    /// Objects that one of them lacks, or that have other values.
    var rows: Set<Int> = []
    var links: Set<ReferenceLink> = []
    var orders: Set<ReferenceOrder> = []
    /// Objects that were changed themselves: those in `rows`, and who holds others in one of them and not in the other.
    var changed: Set<Int> = []
    /// Everybody whose presence or relationships differ, from either end.
    var related: Set<Int> = []

    var isEmpty: Bool { rows.isEmpty && links.isEmpty && orders.isEmpty }
    var touched: Set<Int> { rows.union(related) }

    init(_ before: ReferenceGraph, _ after: ReferenceGraph, _ schema: GraphSchema) {
        if before == after { return }
        for identity in Set(before.rows.keys).union(after.rows.keys) {
            add(identity, before.rows[identity], after.rows[identity], schema)
        }
        links = before.links.symmetricDifference(after.links)
        for link in links { changed.formUnion([link.first, link.second]) }
        for (identity, row) in before.rows where after.isVisible(identity) {
            for relation in schema.relations[row.kind] ?? [] where relation.isOrdered {
                if before.list(identity, relation) == after.list(identity, relation) { continue }
                orders.insert(ReferenceOrder(name: relation.name, owner: identity))
                changed.insert(identity)
            }
        }
        related.formUnion(changed.subtracting(rows))
    }

    private mutating func add(
        _ identity: Int, _ before: ReferenceRow?, _ after: ReferenceRow?, _ schema: GraphSchema
    ) {
        if before?.values == after?.values, before?.toOnes == after?.toOnes { return }
        rows.insert(identity)
        changed.insert(identity)
        for relation in schema.relations[(before ?? after)?.kind ?? ""] ?? [] where relation.inverseIsToMany {
            let owners = [before?.toOnes[relation.name], after?.toOnes[relation.name]]
            if owners[0] != owners[1] { changed.formUnion(owners.compactMap(\.self)) }
        }
        if before?.toOnes == after?.toOnes, before != nil, after != nil { return }
        related.insert(identity)
        related.formUnion(before.map { Array($0.toOnes.values) } ?? [])
        related.formUnion(after.map { Array($0.toOnes.values) } ?? [])
    }
}

/// What one undo takes back: a graph before and after a user event.
struct ReferenceStep: Sendable {
    let before: ReferenceGraph
    let after: ReferenceGraph
    let difference: ReferenceDifference
    /// Whether nobody else has touched the relationships that the step is about. If somebody has, what comes of taking it
    /// back is not specified: such a step is never taken back.
    var isSettled = true

    init(_ before: ReferenceGraph, _ after: ReferenceGraph, _ schema: GraphSchema) {
        self.before = before
        self.after = after
        difference = ReferenceDifference(before, after, schema)
    }
}

/// What can be undone and redone in a context.
struct ReferenceHistory: Sendable {
    var undoSteps: [ReferenceStep] = []
    var redoSteps: [ReferenceStep] = []

    /// Others have touched some relationships.
    mutating func unsettle(_ touched: Set<Int>) {
        if touched.isEmpty { return }
        func mark(_ step: inout ReferenceStep) {
            if !step.difference.touched.isDisjoint(with: touched) { step.isSettled = false }
        }
        for index in undoSteps.indices { mark(&undoSteps[index]) }
        for index in redoSteps.indices { mark(&redoSteps[index]) }
    }

    /// Objects have come back: for who remembers them they are the same.
    mutating func rename(_ names: [Int: Int], _ schema: GraphSchema) {
        if names.isEmpty { return }
        func renamed(_ step: ReferenceStep) -> ReferenceStep {
            var renamed = ReferenceStep(step.before.renamed(names), step.after.renamed(names), schema)
            renamed.isSettled = step.isSettled
            return renamed
        }
        undoSteps = undoSteps.map(renamed)
        redoSteps = redoSteps.map(renamed)
    }
}
