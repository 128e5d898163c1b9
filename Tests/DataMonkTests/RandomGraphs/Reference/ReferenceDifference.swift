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
