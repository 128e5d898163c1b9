import DataMonk
import DataMonkTesting

extension GraphSimulation {
    mutating func perform(_ step: GraphStep) throws {
        let index = step.context
        if try performWithoutObjects(step) == false { try performWithObjects(step) }
        if isOver { return }
        if setup.comparesAlways { try compare(index) }
    }

    private mutating func performWithoutObjects(_ step: GraphStep) throws -> Bool {
        let index = step.context
        let context = stage.contexts[index]
        switch step {
        case .insert(_, let kind, let number, let owner): try insert(index, kind, number, at: owner)
        case .save: try save(index)
        case .failSave(_, let place): try failSave(index, place)
        case .failReading: try failReading(index)
        case .rollback:
            // What a child takes back is what its parent has now; of the rest it shows what it has read.
            if index == GraphSetup.child { try advance(index) }
            rollBack(index)
        case .undo, .redo: try takeBack(step)
        case .endEvent: endEvent(index)
        case .forgetSteps:
            endEvent(index)
            context.undoManager?.removeAllActions()
            reference.contexts[index].history = ReferenceHistory()
        case .refreshAll:
            try advance(index)
            try context.refreshAllObjects()
        case .reset: try reset(index)
        case .merge:
            try advance(index)
            context.mergeCommits()
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
            let (object, identity) = try self.object(number, index)
            try object.setValue(value, forKey: key)
            reference.contexts[index].beginEvent()
            reference.contexts[index].set(identity, key, value)
        case .setBehind(_, let number, let key, let value):
            guard let identity = reference.contexts[index].view.identity(of: number) else { return }
            try held[index][number]?.setValue(value, forKey: key)
            reference.contexts[index].beginEvent()
            reference.contexts[index].set(identity, key, value)
        case .point(_, let number, let name, let destination): try point(index, number, name, destination)
        case .hold(_, let number, let name, let members): try hold(index, number, name, members)
        case .delete(_, let number):
            let (object, identity) = try self.object(number, index)
            stage.contexts[index].delete(object)
            reference.contexts[index].beginEvent()
            reference.contexts[index].delete(identity)
            endEvent(index)
        case .refresh(_, let number, let merges):
            let (object, identity) = try self.object(number, index)
            endEvent(index)
            try stage.contexts[index].refresh(object, mergeChanges: merges)
            reference.contexts[index].refresh(identity, merges: merges)
        default: break
        }
    }

    /// The object with a number, fetched: context and reference advance.
    private mutating func object(_ number: Int, _ index: Int) throws -> (ManagedObject, Int) {
        try advance(index)
        let rows = reference.contexts[index].view
        guard let identity = rows.identity(of: number), let kind = rows.rows[identity]?.kind else {
            throw Difference("\(number) is not in the reference")
        }
        return (try stage.object(number, kind, in: stage.contexts[index]), identity)
    }

    private mutating func insert(_ index: Int, _ kind: String, _ number: Int, at owner: Int?) throws {
        lastNumber = max(lastNumber, number)
        let target = try owner.map { try self.object($0, index) }
        let entity = try stage.entity(kind)
        reference.contexts[index].beginEvent()
        let object = try stage.contexts[index].insert(entity)
        try object.setValue(.int(Int64(number)), forKey: "number")
        reference.contexts[index].insert(
            number, kind, values: GraphRules.defaults(kind, schema.attributes[kind] ?? []))
        if let (other, identity) = target, let name = GraphRules.mandatoryRelation(kind) {
            try point(object, number, name, (other, identity), index)
        }
    }

    private mutating func point(_ index: Int, _ number: Int, _ name: String, _ destination: Int?) throws {
        let (object, identity) = try self.object(number, index)
        let target = try destination.map { try self.object($0, index) }
        try point(object, identity, name, target, index)
    }

    private mutating func point(
        _ object: ManagedObject, _ identity: Int, _ name: String, _ target: (ManagedObject, Int)?, _ index: Int
    ) throws {
        guard let relationship = object.entity.relationship(named: name),
            let relation = schema.relation(object.entity.name, name)
        else { throw Difference("no relationship \(name)") }
        object.setProperty(target?.0, at: relationship.slot)
        reference.contexts[index].beginEvent()
        reference.contexts[index].point(identity, relation, to: target?.1)
    }

    private mutating func hold(_ index: Int, _ number: Int, _ name: String, _ members: [Int]) throws {
        let (object, identity) = try self.object(number, index)
        let targets = try members.map { try self.object($0, index) }
        guard let relationship = object.entity.relationship(named: name),
            let relation = schema.relation(object.entity.name, name)
        else { throw Difference("no relationship \(name)") }
        if relation.isOrdered {
            object.setProperty(targets.map(\.0), at: relationship.slot)
        } else {
            object.setProperty(Set(targets.map(\.0)), at: relationship.slot)
        }
        reference.contexts[index].beginEvent()
        reference.contexts[index].hold(identity, relation, targets.map(\.1))
    }

    // MARK: Taking back

    private mutating func takeBack(_ step: GraphStep) throws {
        let index = step.context
        try advance(index)
        stage.contexts[index].mergeCommits()
        let isSettled = isSettled(step)
        if case .redo = step { stage.contexts[index].redo() } else { stage.contexts[index].undo() }
        if !isSettled { return try end(at: index) }
        if case .redo = step { reference.undo(index, redoes: true) } else { reference.undo(index, redoes: false) }
    }

    private mutating func reset(_ index: Int) throws {
        stage.contexts[index].reset()
        held[index] = [:]
        reference.contexts[index].rollBack()
        let root = GraphSetup.root(of: index)
        if root == index { reference.contexts[index].advance(to: reference.store) }
        // What a child holds is of the objects that were: it has to begin anew as well.
        if index == 0 { try reset(GraphSetup.child) }
    }

    // MARK: Saving

    private mutating func save(_ index: Int) throws {
        // Whether a deletion is denied depends on what the context has read: it reads the newest.
        if !reference.contexts[index].deleted.isEmpty { try compare(index) }
        if index == GraphSetup.child {
            try advance(index)
            // What it saves is an event of its own there.
            endEvent(0)
        }
        endEvent(index)
        if index == 0, setup.childFollows { endEvent(GraphSetup.child) }
        let unsettled = reference.contexts[index]
        let before = reference.store
        let outcome = reference.save(index)
        let found = saveInEngine(stage.contexts[index])
        if outcome == .unspecified {
            if found == .saved { try end(at: index) }
            isOver = true
            return
        }
        if found != outcome { throw Difference("context \(index): the save: expected \(outcome), found \(found)") }
        guard outcome == .saved else { return }
        // No event is under way: what a merge policy does is nobody's step.
        stage.contexts[index].processPendingChanges()
        if stage.contexts[index].hasChanges { throw Difference("context \(index) has changes after its save") }
        if index != GraphSetup.child {
            var settled = unsettled
            settled.advance(to: before)
            try compareStore(uncertain: settled.uncertain, contested: settled.contested)
            reference.contexts[index].advance(to: reference.store)
        }
        try compare(index)
    }

    /// After a failed save every change is still there; that a later save writes them is what the run goes on to show.
    private mutating func failSave(_ index: Int, _ place: FaultInjectingStore.Place) throws {
        if !reference.contexts[index].deleted.isEmpty { try compare(index) }
        endEvent(index)
        let error = StoreError(.writeFailed, "The disk is on fire.")
        stage.store.fail(place, with: error)
        let found = saveInEngine(stage.contexts[index])
        if found != .failed { throw Difference("context \(index): a save that fails at \(place): \(found)") }
        if !stage.contexts[index].hasChanges { throw Difference("context \(index) has lost what it could not save") }
        try check()
        try compareStore(uncertain: [], contested: [])
        try compare(index)
    }

    /// A save that has to read and cannot fails as a whole; one that has not is done.
    private mutating func failReading(_ index: Int) throws {
        endEvent(index)
        stage.store.fail(.read)
        var found = saveInEngine(stage.contexts[index])
        stage.store.heal()
        if found == .refused([.unreadValues]) {
            // Validation has counted members that it could not read; nothing was computed from them.
            stage.contexts[index].disregardFailedReads()
            found = .failed
        }
        try check()
        if found == .failed {
            if !stage.contexts[index].hasChanges {
                throw Difference("context \(index) has lost what it could not save")
            }
            try compareStore(uncertain: [], contested: [])
        } else {
            let outcome = reference.save(index)
            if found != outcome { throw Difference("context \(index): the save: expected \(outcome), found \(found)") }
            try compareStore(uncertain: [], contested: [])
        }
        try compare(index)
    }

    func saveInEngine(_ context: ManagedObjectContext) -> ReferenceWorld.Outcome {
        do {
            try context.save()
            return .saved
        } catch let error as SaveError {
            return .refused([error.code])
        } catch is StoreError {
            return .failed
        } catch {
            return .unspecified
        }
    }
}
