import DataMonk
import DataMonkTesting

extension GraphSimulation {
    mutating func perform(_ step: GraphStep) throws {
        let index = step.context
        if try performWithoutObjects(step) == false { try performWithObjects(step) }
        if isOver { return }
        if comparesAlways { try compare(index) }
    }

    private mutating func performWithoutObjects(_ step: GraphStep) throws -> Bool {
        let index = step.context
        let context = stage.contexts[index]
        switch step {
        case .insert(_, let kind, let number): try insert(index, kind, number)
        case .save: try save(index)
        case .rollback:
            context.rollback()
            reference.contexts[index].forgetChanges()
        case .refreshAll:
            try context.refreshAllObjects()
            reference.advance(index)
        case .reset:
            context.reset()
            held[index] = [:]
            reference.advance(index)
            reference.contexts[index].forgetChanges()
        case .merge:
            context.mergeCommits()
            reference.advance(index)
        case .endTurn: context.endTurn()
        case .look: try compare(index)
        default: return false
        }
        return true
    }

    private mutating func performWithObjects(_ step: GraphStep) throws {
        let index = step.context
        switch step {
        case .set(_, let number, let key, let value):
            try object(number, index).setValue(value, forKey: key)
            reference.contexts[index].set(number, key, value)
        case .setBehind(_, let number, let key, let value):
            try held[index][number]?.setValue(value, forKey: key)
            reference.contexts[index].set(number, key, value)
        case .point(_, let number, let name, let destination): try point(index, number, name, destination)
        case .hold(_, let number, let name, let members): try hold(index, number, name, members)
        case .delete(_, let number):
            let object = try object(number, index)
            stage.contexts[index].delete(object)
            stage.contexts[index].processPendingChanges()
            reference.contexts[index].delete(number)
        case .refresh(_, let number, let merges):
            let object = try object(number, index)
            try stage.contexts[index].refresh(object, mergeChanges: merges)
            reference.contexts[index].refresh(number, merges: merges)
        default: break
        }
    }

    /// The object with a number, fetched: context and reference advance.
    private mutating func object(_ number: Int, _ index: Int) throws -> ManagedObject {
        reference.advance(index)
        guard let kind = reference.contexts[index].view.rows[number]?.kind else {
            throw Difference("\(number) is not in the reference")
        }
        return try stage.object(number, kind, in: stage.contexts[index])
    }

    private mutating func insert(_ index: Int, _ kind: String, _ number: Int) throws {
        lastNumber = max(lastNumber, number)
        guard let entity = stage.stack.model.entitiesByName[kind] else { throw Difference("no entity \(kind)") }
        let object = try stage.contexts[index].insert(entity)
        try object.setValue(.int(Int64(number)), forKey: "number")
        var values: [String: ManagedValue] = [:]
        for key in schema.attributes[kind] ?? [] {
            // Written by hand: what the model gives as defaults.
            values[key] = key == "a" && kind != "Chest" ? 0 : key == "rank" ? 1 : ManagedValue.null
        }
        reference.contexts[index].insert(number, kind, values: values)
    }

    private mutating func point(_ index: Int, _ number: Int, _ name: String, _ destination: Int?) throws {
        let object = try object(number, index)
        let target = try destination.map { try self.object($0, index) }
        guard let relationship = object.entity.relationship(named: name),
            let relation = schema.relation(object.entity.name, name)
        else { throw Difference("no relationship \(name)") }
        object.setProperty(target, at: relationship.slot)
        reference.contexts[index].point(number, relation, to: destination)
    }

    private mutating func hold(_ index: Int, _ number: Int, _ name: String, _ members: [Int]) throws {
        let object = try object(number, index)
        let targets = try members.map { try self.object($0, index) }
        guard let relationship = object.entity.relationship(named: name),
            let relation = schema.relation(object.entity.name, name)
        else { throw Difference("no relationship \(name)") }
        if relation.isOrdered {
            object.setProperty(targets, at: relationship.slot)
        } else {
            object.setProperty(Set(targets), at: relationship.slot)
        }
        reference.contexts[index].hold(number, relation, members)
    }

    // MARK: Saving

    private mutating func save(_ index: Int) throws {
        // Whether a deletion is denied depends on what the context has read: it reads the newest.
        if !reference.contexts[index].deleted.isEmpty { try compare(index) }
        let unsettled = reference.contexts[index]
        let before = reference.store
        let outcome = reference.save(index)
        let found = saveInEngine(stage.contexts[index])
        if outcome == .unspecified {
            isOver = true
            return
        }
        if found != outcome { throw Difference("context \(index): the save: expected \(outcome), found \(found)") }
        guard outcome == .saved else { return }
        if stage.contexts[index].hasChanges { throw Difference("context \(index) has changes after its save") }
        var settled = unsettled
        settled.advance(to: before)
        try compareStore(uncertain: settled.uncertain, contested: settled.contested)
        reference.contexts[index].advance(to: reference.store)
        try compare(index)
    }

    private func saveInEngine(_ context: ManagedObjectContext) -> ReferenceWorld.Outcome {
        do {
            try context.save()
            return .saved
        } catch let error as SaveError {
            return .refused([error.code])
        } catch {
            return .unspecified
        }
    }
}
