import DataMonk
import DataMonkTesting

extension GraphSimulation {
    /// How many objects of a kind a context makes at most: few, so that they meet often.
    private static let limit = 3

    func randomStep(using random: inout SeededGenerator) -> GraphStep? {
        if isOver { return nil }
        for _ in 0..<200 {
            let step = anyStep(Int.random(in: stage.contexts.indices, using: &random), &random)
            if let step, isEnabled(step) { return step }
        }
        return nil
    }

    private func anyStep(_ index: Int, _ random: inout SeededGenerator) -> GraphStep? {
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<8: return anyInsert(index, &random)
        case 8..<13: return anySet(index, &random)
        case 13..<19: return anyPoint(index, &random)
        case 19..<26: return anyHold(index, &random)
        case 26..<28: return anyNumber(index, &random).map { .delete(index, number: $0) }
        case 28..<32: return .save(index)
        case 32: return .rollback(index)
        case 33, 34:
            let merges = Bool.random(using: &random)
            return anyNumber(index, &random).map { .refresh(index, number: $0, merges: merges) }
        case 35: return .refreshAll(index)
        case 36: return Int.random(in: 0..<4, using: &random) == 0 ? .reset(index) : .endTurn(index)
        case 37: return .merge(index)
        case 38: return .endTurn(index)
        default: return .look(index)
        }
    }

    private func anyNumber(_ index: Int, _ random: inout SeededGenerator) -> Int? {
        reference.contexts[index].view.rows.keys.sorted().randomElement(using: &random)
    }

    private func anyInsert(_ index: Int, _ random: inout SeededGenerator) -> GraphStep? {
        guard let kind = schema.relations.keys.sorted().randomElement(using: &random) else { return nil }
        return .insert(index, kind: kind, number: lastNumber + 1)
    }

    private func anySet(_ index: Int, _ random: inout SeededGenerator) -> GraphStep? {
        guard let number = anyNumber(index, &random), let row = reference.contexts[index].view.rows[number],
            let key = row.values.keys.sorted().randomElement(using: &random)
        else { return nil }
        let texts: [ManagedValue] = [nil, "", "x", "a longer text that has to find a place of its own", "é"]
        let small = ManagedValue.int(Int64.random(in: 0..<3, using: &random))
        let value = key == "text" ? texts.randomElement(using: &random) ?? .null : small
        return Int.random(in: 0..<3, using: &random) == 0
            ? .setBehind(index, number: number, key: key, to: value) : .set(index, number: number, key: key, to: value)
    }

    private func anyRelation(
        _ index: Int, isToMany: Bool, _ random: inout SeededGenerator
    ) -> (Int, GraphRelation, [Int])? {
        guard let number = anyNumber(index, &random) else { return nil }
        let rows = reference.contexts[index].view.rows
        guard let kind = rows[number]?.kind,
            let relation = schema.relations[kind]?.filter({ $0.isToMany == isToMany }).randomElement(using: &random)
        else { return nil }
        return (number, relation, rows.filter { schema.isKind($0.value.kind, of: relation.destination) }.keys.sorted())
    }

    private func anyPoint(_ index: Int, _ random: inout SeededGenerator) -> GraphStep? {
        guard let (number, relation, others) = anyRelation(index, isToMany: false, &random) else { return nil }
        let destination = Int.random(in: 0..<4, using: &random) == 0 ? nil : others.randomElement(using: &random)
        return .point(index, number: number, relation.name, to: destination)
    }

    private func anyHold(_ index: Int, _ random: inout SeededGenerator) -> GraphStep? {
        guard let (number, relation, others) = anyRelation(index, isToMany: true, &random) else { return nil }
        let members = others.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
        return .hold(index, number: number, relation.name, relation.isOrdered ? members : members.sorted())
    }

    // MARK: What may happen

    func isEnabled(_ step: GraphStep) -> Bool {
        if isOver { return false }
        let context = reference.contexts[step.context]
        // Before a step its objects are fetched, so they must be there in what is committed now.
        var advanced = context
        advanced.advance(to: reference.store)
        let rows = advanced.view.rows
        switch step {
        case .insert(_, let kind, let number):
            return number > lastNumber && rows.values.count { $0.kind == kind } < Self.limit
        case .set(_, let number, let key, _): return rows[number]?.values[key] != nil
        case .setBehind(_, let number, _, _): return canSetBehind(number, step.context)
        case .point(_, let number, let name, let destination):
            return leads(rows, number, name, destination.map { [$0] } ?? [])
        case .hold(_, let number, let name, let members):
            return leads(rows, number, name, members) && canHold(rows[number], name, advanced)
        case .delete(_, let number): return rows[number] != nil
        case .refresh(_, let number, let merges): return rows[number] != nil && canRefresh(number, merges, advanced)
        case .save, .rollback, .refreshAll, .reset, .merge, .endTurn, .look: return true
        }
    }

    private func leads(_ rows: [Int: ReferenceRow], _ number: Int, _ name: String, _ others: [Int]) -> Bool {
        guard let kind = rows[number]?.kind, let relation = schema.relation(kind, name) else { return false }
        return others.allSatisfy { rows[$0].map { schema.isKind($0.kind, of: relation.destination) } ?? false }
    }

    /// Who belongs to a to-many is not settled while others have changed its members as well.
    private func canHold(_ row: ReferenceRow?, _ name: String, _ context: ReferenceContext) -> Bool {
        guard let row, let relation = schema.relation(row.kind, name), relation.isOneToMany else { return true }
        return context.stale.allSatisfy { number in
            context.drafts[number].map { !relation.destinationKinds.contains($0.base.kind) } ?? true
        }
    }

    /// An object that is held, is no fault, and is what the reference says it is.
    private func canSetBehind(_ number: Int, _ index: Int) -> Bool {
        guard let object = held[index][number], reference.contexts[index].view.isVisible(number) else { return false }
        return !object.isFault && !object.isDeleted
    }

    /// What becomes of an unsaved relationship when one of its sides is refreshed alone is not specified.
    private func canRefresh(_ number: Int, _ merges: Bool, _ context: ReferenceContext) -> Bool {
        if context.inserted[number] != nil { return false }
        if merges { return true }
        let isLinked = context.linkChanges.keys.contains { $0.first == number || $0.second == number }
        let isPointing = context.drafts.values.contains { draft in
            draft.base.toOnes != draft.now.toOnes
                && (draft.base.toOnes.values.contains(number) || draft.now.toOnes.values.contains(number))
        }
        let isPointed = context.inserted.values.contains { $0.toOnes.values.contains(number) }
        let moves = context.drafts[number].map { $0.base.toOnes != $0.now.toOnes } ?? false
        let isOrdered = context.orderChanges.keys.contains { $0.owner == number }
        return !isLinked && !isPointing && !isPointed && !moves && !isOrdered
    }
}
