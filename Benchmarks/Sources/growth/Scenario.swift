import DataMonk
import Foundation

/// **Value.** Work on many objects whose cost has to stay in proportion to their number.
enum Scenario: String, CaseIterable {
    case delete, undo, cascade, chain, upsert, edit, find
    /// As many commits whatever the number: of contexts that do nothing.
    case idle
    /// As many commits whatever the number: each moves ten objects of a list in sections.
    case list

    /// Prepares a store, then does the work on `count` objects between the two ends of `clock`.
    func run(_ count: Int, clock: (() throws -> Void) throws -> Void) throws {
        let village = try Village()
        switch self {
        case .delete: try delete(count, village, clock)
        case .undo: try undo(count, village, clock)
        case .cascade: try cascade(count, village, clock)
        case .chain: try chain(count, village, clock)
        case .upsert: try upsert(count, village, clock)
        case .edit: try edit(count, village, clock)
        case .find: try find(count, village, clock)
        case .idle: try idle(count, village, clock)
        case .list: try list(count, village, clock)
        }
        try village.remove()
    }

    private typealias Clock = (() throws -> Void) throws -> Void

    private func delete(_ count: Int, _ village: Village, _ clock: Clock) throws {
        try village.fill(count)
        let context = village.newContext()
        let people = try context.fetch(FetchRequest(entityName: "Person"))
        try clock {
            for person in people { context.delete(person) }
            try context.save()
        }
        try require(context.count(FetchRequest(entityName: "Badge")) == 0)
    }

    private func undo(_ count: Int, _ village: Village, _ clock: Clock) throws {
        try village.fill(count)
        let context = village.newContext()
        context.undoManager = ContextUndoManager()
        let people = try context.fetch(FetchRequest(entityName: "Person"))
        try clock {
            for person in people { context.delete(person) }
            context.processPendingChanges()
            context.undo()
        }
        try require(!context.hasChanges && context.count(FetchRequest(entityName: "Badge")) == count)
    }

    private func cascade(_ count: Int, _ village: Village, _ clock: Clock) throws {
        try village.fill(count)
        let context = village.newContext()
        let departments = try context.fetch(FetchRequest(entityName: "Department"))
        try clock {
            for department in departments { context.delete(department) }
            try context.save()
        }
        try require(context.count(FetchRequest(entityName: "Badge")) == 0)
    }

    private func chain(_ count: Int, _ village: Village, _ clock: Clock) throws {
        try village.fillChain(count)
        let context = village.newContext()
        let request = FetchRequest(entityName: "Link", condition: .compare("previous", .equal, .null))
        let first = try context.fetch(request)
        try clock {
            for link in first { context.delete(link) }
            try context.save()
        }
        try require(context.count(FetchRequest(entityName: "Link")) == 0)
    }

    private func upsert(_ count: Int, _ village: Village, _ clock: Clock) throws {
        try village.fill(count)
        let context = village.newContext(.mergeByPropertyObjectTrump)
        var previous: ManagedObject?
        for number in 0..<count {
            let person = try village.newPerson(number, in: context)
            try person.setValue(.string("again"), forKey: "note")
            if let previous { try person.setValue(.object(previous.anyObjectID), forKey: "mentor") }
            previous = person
        }
        try clock { try context.save() }
        try require(context.count(FetchRequest(entityName: "Person")) == count)
    }

    private func edit(_ count: Int, _ village: Village, _ clock: Clock) throws {
        let context = village.newContext()
        let person = try village.newPerson(0, in: context)
        var text = String(repeating: "x", count: 20_000)
        try clock {
            for _ in 0..<count {
                text += "y"
                try person.setValue(.string(text), forKey: "note")
            }
        }
        try context.save()
    }

    /// Each object is looked for among the unsaved ones before it is inserted.
    private func find(_ count: Int, _ village: Village, _ clock: Clock) throws {
        let context = village.newContext()
        try clock {
            for number in 0..<count {
                let sought = FetchRequest(
                    entityName: "Person", condition: .compare("note", .equal, .string("\(number)")))
                if try context.fetch(sought).isEmpty {
                    try village.newPerson(number, in: context).setValue(.string("\(number)"), forKey: "note")
                }
            }
        }
        try require(context.count(FetchRequest(entityName: "Person")) == count)
    }

    private func idle(_ count: Int, _ village: Village, _ clock: Clock) throws {
        try village.fill(10)
        // Every other one has read something.
        let contexts = try (0..<count).map { number in
            let context = village.newContext()
            if number.isMultiple(of: 2) { _ = try context.fetch(FetchRequest(entityName: "Department")) }
            return context
        }
        let context = village.newContext()
        let person = try village.newPerson(10, in: context)
        try context.save()
        try clock {
            for number in 0..<500 {
                try person.setValue(.string("\(number)"), forKey: "note")
                try context.save()
            }
        }
        try require(contexts.allSatisfy { !$0.hasChanges })
    }

    private func list(_ count: Int, _ village: Village, _ clock: Clock) throws {
        try village.fill(count, sections: 20)
        var request = FetchRequest(entityName: "Person")
        request.sortTerms = [SortTerm("note"), SortTerm("email")]
        let context = village.newContext()
        let results = try FetchedResultsController<ManagedObject>(
            context: context, request: request, sectionNameKeyPath: "note")
        var moves = 0
        let observation = results.observeChanges { changes in moves += changes.objects.count }
        try results.performFetch()
        let people = results.snapshot.objectIDs
        func move(_ passes: ClosedRange<Int>) throws {
            for pass in passes {
                try village.moveTen(of: people, inPass: pass)
                // Any fetch takes the context to the newest commit.
                _ = try context.count(FetchRequest(entityName: "Link"))
            }
        }
        // The first call after a large fetch looks once for objects that are no longer used.
        try move(0...0)
        moves = 0
        try clock { try move(1...40) }
        try require(moves == 400 && results.count == count)
        observation.cancel()
    }

    private func require(_ holds: Bool) throws {
        if !holds { fatalError("\(rawValue) has not done what it says") }
    }
}
