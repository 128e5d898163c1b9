import DataMonk

extension ReferenceContext {
    /// Deletes an object and applies the delete rules, as the end of a user event does.
    mutating func delete(_ number: Int) {
        var going = [number]
        var gone: Set<Int> = []
        while let next = going.popLast() {
            guard gone.insert(next).inserted, let row = view.rows[next] else { continue }
            for relation in schema.relations[row.kind] ?? [] {
                if relation.deleteRule == .cascade { going += others(of: next, relation) }
                // What was never saved is gone at once: nothing may go on pointing at it, whatever the rule.
                if relation.deleteRule == .cascade || relation.deleteRule == .nullify || inserted[next] != nil {
                    for other in others(of: next, relation) { detach(next, relation, from: other) }
                }
            }
        }
        for number in gone { leave(number) }
    }

    private func others(of number: Int, _ relation: GraphRelation) -> [Int] {
        let view = view
        if relation.isToMany { return view.list(number, relation) }
        return [view.destination(number, relation)].compactMap(\.self)
    }

    /// Takes a deleted object out of the other side; its own values stay as they were.
    private mutating func detach(_ number: Int, _ relation: GraphRelation, from other: Int) {
        guard let inverse = schema.inverse(of: relation) else { return }
        if relation.isManyToMany {
            dropLink(relation.link(number, other))
        } else if !inverse.isToMany, view.rows[other]?.toOnes[inverse.name] == number {
            clear(other, inverse)
        }
    }

    /// Takes an object away, and nothing else.
    mutating func leave(_ number: Int) {
        if inserted.removeValue(forKey: number) != nil {
            departed.insert(number)
            return
        }
        guard let row = base.rows[number] else { return }
        deleted[number] = drafts.removeValue(forKey: number)?.base ?? row
    }

    /// Objects that may not go because others still point at them.
    func denied() -> Set<Int> {
        let view = view
        return Set(
            deleted.filter { number, row in
                (schema.relations[row.kind] ?? []).contains { relation in
                    relation.deleteRule == .deny && !view.members(number, relation).isEmpty
                }
            }.keys)
    }
}
