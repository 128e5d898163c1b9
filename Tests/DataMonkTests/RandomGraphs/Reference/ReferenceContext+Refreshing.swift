import DataMonk

extension ReferenceContext {
    /// Lays an object's changes over the newest row, or gives them up.
    mutating func refresh(_ number: Int, merges: Bool) {
        let before = history == nil ? base : view
        defer { if history != nil { unsettle(before, view) } }
        guard deleted[number] == nil, let row = base.rows[number] else { return }
        if !merges { return discard(number, row) }
        guard let draft = drafts[number] else { return }
        var now = row
        for (key, value) in draft.now.values where draft.base.values[key] != value { now.values[key] = value }
        for key in Set(draft.now.toOnes.keys).union(draft.base.toOnes.keys)
        where draft.base.toOnes[key] != draft.now.toOnes[key] {
            now.toOnes[key] = draft.now.toOnes[key]
        }
        drafts[number] = Draft(base: row, now: now)
    }

    /// The object's changes are gone, and relationships on both sides. Others that nothing is left of to save follow the
    /// others again.
    private mutating func discard(_ number: Int, _ row: ReferenceRow) {
        var others: Set<Int> = []
        let draft = drafts.removeValue(forKey: number)
        let toOnes = (schema.relations[row.kind] ?? []).filter { relation in
            !relation.isToMany && draft?.base.toOnes[relation.name] != draft?.now.toOnes[relation.name]
        }
        if let draft { for toOne in toOnes { giveBack(number, toOne, draft, row, &others) } }
        for link in linkChanges.keys where link.first == number || link.second == number {
            giveBack(link, to: number, &others)
        }
        for relation in schema.relations[row.kind] ?? [] where relation.isOrdered { dropOrder(number, relation) }
        for other in others where drafts[other].map({ $0.base == $0.now }) == true { drafts[other] = nil }
        for toOne in toOnes { applyRule(of: toOne, to: number) }
    }

    private mutating func giveBack(
        _ number: Int, _ relation: GraphRelation, _ draft: Draft, _ row: ReferenceRow, _ others: inout Set<Int>
    ) {
        let name = relation.name
        guard let inverse = schema.inverse(of: relation) else { return }
        let (mine, stored) = (draft.now.toOnes[name], row.toOnes[name])
        others.formUnion([draft.base.toOnes[name], mine, stored].compactMap(\.self))
        if inverse.isToMany {
            if let mine { leave(mine, inverse, number) }
            if let stored { comeBack(stored, inverse) }
            return
        }
        if let mine, view.rows[mine]?.toOnes[inverse.name] == number { clear(mine, inverse) }
        guard let stored, let other = view.rows[stored] else { return }
        if let previous = other.toOnes[inverse.name], previous != number {
            others.insert(previous)
            if view.rows[previous]?.toOnes[name] == stored { clear(previous, relation) }
        }
        change(stored) { $0.toOnes[inverse.name] = number }
    }

    private mutating func giveBack(_ link: ReferenceLink, to number: Int, _ others: inout Set<Int>) {
        let other = link.first == number ? link.second : link.first
        // The other one goes, and its links with it.
        if deleted[other] != nil { return }
        others.insert(other)
        let isAdded = linkChanges.removeValue(forKey: link) == true
        for relation in schema.relations[view.rows[other]?.kind ?? ""] ?? []
        where relation.isOrdered && relation.other(link, from: other) != nil {
            if isAdded { leave(other, relation, number) } else { comeBack(other, relation) }
        }
    }

    /// Where a wished order does not say where the member stands is not specified.
    private mutating func comeBack(_ owner: Int, _ relation: GraphRelation) {
        let order = ReferenceOrder(name: relation.name, owner: owner)
        if orderChanges[order] != nil { uncertain.insert(order) }
    }

    /// The order is the stored one; those who have come stand behind the others.
    private mutating func dropOrder(_ number: Int, _ relation: GraphRelation) {
        let order = ReferenceOrder(name: relation.name, owner: number)
        guard orderChanges[order] != nil else { return }
        let stored = base.list(number, relation)
        let now = view.list(number, relation)
        let arrived = now.filter { !stored.contains($0) }
        orderChanges[order] = arrived.isEmpty ? nil : stored.filter(now.contains) + arrived
    }

    /// What the object leads to again may be about to go.
    private mutating func applyRule(of relation: GraphRelation, to number: Int) {
        guard let other = view.rows[number]?.toOnes[relation.name], deleted[other] != nil,
            let inverse = schema.inverse(of: relation)
        else { return }
        switch inverse.deleteRule {
        case .cascade: delete(number)
        case .nullify: clear(number, relation)
        case .deny, .noAction: return
        }
    }
}
