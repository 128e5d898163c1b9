import DataMonk
import DataMonkTesting

extension GraphSimulation {
    /// How many objects of a kind a context makes at most: few, so that they meet often.
    private static let limit = 3

    func randomStep(using random: inout SeededGenerator) -> GraphStep? {
        if isOver { return nil }
        for _ in 0..<20 {
            let index = Int.random(in: stage.contexts.indices, using: &random)
            let context = reference.advanced(index)
            for _ in 0..<10 {
                let step = anyStep(index, context.view.rows, &random)
                if let step, isEnabled(step, context) { return step }
            }
        }
        return nil
    }

    func isEnabled(_ step: GraphStep) -> Bool { isEnabled(step, reference.advanced(step.context)) }

    private func anyStep(
        _ index: Int, _ rows: [Int: ReferenceRow], _ random: inout SeededGenerator
    ) -> GraphStep? {
        let choice = GraphChoice(index: index, schema: schema, rows: rows)
        switch Int.random(in: 0..<48, using: &random) {
        case 0..<8: return choice.insert(lastNumber + 1, &random)
        case 8..<13: return choice.set(&random)
        case 13..<19: return choice.point(&random)
        case 19..<26: return choice.hold(&random)
        case 26..<28: return choice.number(&random).map { .delete(index, number: $0) }
        case 28..<32: return .save(index)
        case 32: return .rollback(index)
        case 33, 34:
            let merges = Bool.random(using: &random)
            return choice.number(&random).map { .refresh(index, number: $0, merges: merges) }
        case 35: return .refreshAll(index)
        case 36: return Int.random(in: 0..<4, using: &random) == 0 ? .reset(index) : .endTurn(index)
        case 37: return .merge(index)
        case 38: return .endTurn(index)
        case 39 where Bool.random(using: &random): return .failReading(index)
        case 39: return .failSave(index, FaultInjectingStore.Place.ofSaves.randomElement(using: &random) ?? .begin)
        case 40..<43: return .undo(index)
        case 43: return .redo(index)
        case 44, 45: return .endEvent(index)
        case 46: return Int.random(in: 0..<4, using: &random) == 0 ? .forgetSteps(index) : .redo(index)
        default: return .look(index)
        }
    }

    // MARK: What may happen

    /// - Parameter context: the acting context as it will be when it acts.
    private func isEnabled(_ step: GraphStep, _ context: ReferenceContext) -> Bool {
        if isOver { return false }
        let index = step.context
        let rows = context.view
        func identity(_ number: Int) -> Int? { rows.identity(of: number) }
        switch step {
        case .insert(_, let kind, let number, let owner):
            return number > lastNumber && rows.rows.values.count { $0.kind == kind } < Self.limit
                && (owner == nil) == (GraphRules.mandatoryRelation(kind) == nil)
                && (owner.map { identity($0) != nil } ?? true)
        case .set(_, let number, let key, _): return identity(number).flatMap { rows.rows[$0]?.values[key] } != nil
        case .setBehind(_, let number, _, _): return canSetBehind(number, index)
        case .point(_, let number, let name, let destination):
            return leads(rows, number, name, destination.map { [$0] } ?? [])
        case .hold(_, let number, let name, let members):
            return leads(rows, number, name, members) && canHold(identity(number), name, context, index)
        case .delete(_, let number):
            // Whom a deletion takes along is not settled while others have changed who belongs to whom.
            return identity(number) != nil && context.stale.isEmpty
                && (index < 2 || reference.advanced(0).stale.isEmpty)
        case .refresh(_, let number, _): return identity(number).map { context.inserted[$0] == nil } ?? false
        case .save: return canSave(index)
        case .failSave, .failReading: return canFail(index)
        case .undo: return keepsNumbers(index) && canTakeBack(step)
        case .redo:
            return keepsNumbers(index) && reference.contexts[index].eventStart == nil && canTakeBack(step)
        case .endEvent, .forgetSteps: return reference.contexts[index].history != nil
        case .rollback, .reset: return keepsNumbers(index)
        case .refreshAll, .merge, .endTurn, .look: return true
        }
    }

    /// An object that came back in the child while its parent was to delete it would meet its former self, with the same
    /// number, if the parent took the deletion back.
    private func keepsNumbers(_ index: Int) -> Bool {
        index != 0
            || reference.contexts[GraphSetup.child].inserted.keys.allSatisfy { $0 == ReferenceGraph.number(of: $0) }
    }

    private func canSave(_ index: Int) -> Bool {
        if setup.mayEnd { return true }
        var world = reference
        return world.save(index) != .unspecified
    }

    /// A save that would be done if the store did not fail, without conflicts to settle before.
    private func canFail(_ index: Int) -> Bool {
        var context = reference.contexts[index]
        if index == GraphSetup.child || !context.stale.isEmpty { return false }
        context.history = nil
        context.advance(to: reference.store)
        let changes = context.drafts.values.contains { $0.base != $0.now }
        if !context.stale.isEmpty || (context.deleted.isEmpty && !changes) { return false }
        var world = reference
        return world.save(index) == .saved
    }

    private func canTakeBack(_ step: GraphStep) -> Bool {
        guard let last = lastStep(step) else { return false }
        if isSettled(step) { return true }
        let context = reference.advanced(step.context)
        return setup.mayEnd
            && last.difference.rows.allSatisfy { identity in
                // One that comes back under a new identity may meet its former self.
                !last.before.isVisible(identity) || last.after.isVisible(identity) || context.deleted[identity] != nil
            }
    }

    /// What comes of undo where others have changed the same relationships is not specified.
    func isSettled(_ step: GraphStep) -> Bool {
        guard let last = lastStep(step), last.isSettled else { return false }
        return last.difference.touched.isDisjoint(with: reference.advanced(step.context).stale)
    }

    /// What a step would take back, unless there are changes that will be rolled back. Advancing may unsettle it.
    private func lastStep(_ step: GraphStep) -> ReferenceStep? {
        var context = reference.contexts[step.context]
        context.endEvent()
        context.advance(to: step.context == GraphSetup.child ? reference.advanced(0).view : reference.store)
        if context.hasLostObjects && step.context == GraphSetup.child { return nil }
        if case .redo = step { return context.history?.redoSteps.last }
        return context.history?.undoSteps.last
    }

    private func leads(_ graph: ReferenceGraph, _ number: Int, _ name: String, _ others: [Int]) -> Bool {
        func kind(_ number: Int) -> String? { graph.identity(of: number).flatMap { graph.rows[$0]?.kind } }
        guard let relation = kind(number).flatMap({ schema.relation($0, name) }) else { return false }
        return others.allSatisfy { kind($0).map { schema.isKind($0, of: relation.destination) } ?? false }
    }

    /// Who belongs to a to-many is not settled while others have changed its members as well.
    private func canHold(_ owner: Int?, _ name: String, _ context: ReferenceContext, _ index: Int) -> Bool {
        guard let row = owner.flatMap({ context.view.rows[$0] }), let relation = schema.relation(row.kind, name),
            relation.isOneToMany
        else { return true }
        var stale = context.stale
        if index == GraphSetup.child { stale.formUnion(reference.advanced(0).stale) }
        return stale.allSatisfy { identity in
            let row = context.drafts[identity]?.base ?? context.view.rows[identity]
            return row.map { !relation.destinationKinds.contains($0.kind) } ?? true
        }
    }

    /// An object that is held, is no fault, and is what the reference says it is.
    private func canSetBehind(_ number: Int, _ index: Int) -> Bool {
        let context = reference.contexts[index]
        guard let object = held[index][number], let identity = context.view.identity(of: number) else { return false }
        if object.isFault || object.isDeleted { return false }
        if index == GraphSetup.child { return context.base == reference.ground(of: index) }
        // One that has gone and come back meanwhile is another one.
        return context.inserted[identity] != nil || reference.store.isVisible(identity)
            || reference.store.identity(of: number) == nil
    }
}
