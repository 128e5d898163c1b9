import DataMonk
import DataMonkTesting
import Testing

/// Fetches for equal values between random changes of the same context, its parent and another context: an index over
/// unsaved values must never lack an object. A failure prints its seed.
@Suite struct `Fetches for equal values` {
    /// A context under test, and those that change objects beneath and beside it.
    private struct Stage {
        let context: ManagedObjectContext
        let parent: ManagedObjectContext?
        let other: ManagedObjectContext

        init(isChild: Bool) throws {
            let shop = try ShopStage(.memory, books: 12)
            let root = shop.newContext()
            root.mergePolicy = .mergeByPropertyObjectTrump
            root.undoManager = ContextUndoManager()
            other = shop.newContext()
            other.mergePolicy = .mergeByPropertyObjectTrump
            parent = isChild ? root : nil
            context = isChild ? ManagedObjectContext(parent: root, mergePolicy: .mergeByPropertyObjectTrump) : root
        }
    }

    @Test(arguments: [false, true])
    func `find what a condition finds in each object`(isChild: Bool) throws {
        let seed: UInt64 = 1
        var generator = SeededGenerator(seed: seed)
        for round in 0..<20 {
            let stage = try Stage(isChild: isChild)
            for step in 0..<40 {
                try change(stage, using: &generator)
                // A child keeps the values that it has read until it is refreshed; a fetch goes by those of the parent.
                if isChild { try stage.context.refreshAllObjects() }
                for context in [stage.parent, stage.context].compactMap(\.self) {
                    try compare(context, "seed \(seed), round \(round), step \(step)", using: &generator)
                    try context.checkInvariants()
                }
            }
        }
    }

    private func compare(
        _ context: ManagedObjectContext, _ comment: String, using generator: inout SeededGenerator
    ) throws {
        let title = ManagedValue.string(["b0", "b1", "x"].randomElement(using: &generator) ?? "x")
        let pages = ManagedValue.int([0, 1, 50].randomElement(using: &generator) ?? 0)
        let conditions: [Condition] = [
            .compare("title", .equal, title),
            .compare("pages", .equal, pages),
            .and([.compare("pages", .equal, pages), .compare("title", .equal, title)]),
            .and([.compare("title", .equal, title), .compare("number", .greaterThan, .int(3))]),
        ]
        let all = try context.fetch(.books())
        for condition in conditions {
            let expected = try all.filter { try condition.evaluate(with: $0) }.map(\.anyObjectID)
            let comment = Comment(rawValue: "\(comment): \(condition)")
            #expect(try context.fetch(.books { $0.condition = condition }).map(\.anyObjectID) == expected, comment)
            #expect(try context.count(.books { $0.condition = condition }) == expected.count, comment)
            let first = FetchRequest.books {
                $0.condition = condition
                $0.fetchLimit = 1
            }
            #expect(try context.fetch(first).first?.anyObjectID == expected.first, comment)
        }
    }

    private func change(_ stage: Stage, using generator: inout SeededGenerator) throws {
        let changer = [stage.context, stage.context, stage.parent ?? stage.context, stage.other]
            .randomElement(using: &generator)
        let context = try #require(changer)
        for _ in 0..<Int.random(in: 0..<4, using: &generator) {
            do {
                try changeOne(in: context, using: &generator)
            } catch let error as FetchError {
                // Others have deleted the object.
                #expect([.objectNotFound, .objectIsDeleted].contains(error.code), "\(error)")
            }
        }
        switch Int.random(in: 0..<16, using: &generator) {
        case 0: try saveAll(context)
        case 1: try saveAll(stage.other)
        case 2: context.rollback()
        case 3: context.undo()
        case 4: context.redo()
        case 5: try context.refreshAllObjects()
        case 6: context.processPendingChanges()
        case 7: context.endTurn()
        case 8: try context.obtainPermanentIDs(for: context.insertedObjects)
        default: if context === stage.other { try saveAll(context) }
        }
    }

    /// Saves, or discards the changes if others have deleted what they change.
    private func saveAll(_ context: ManagedObjectContext) throws {
        do {
            try context.save()
        } catch is SaveError {
            context.rollback()
        }
    }

    private func changeOne(in context: ManagedObjectContext, using generator: inout SeededGenerator) throws {
        let books = try context.fetch(.books())
        let title = ManagedValue.string(["b0", "b1", "x"].randomElement(using: &generator) ?? "x")
        let pages = ManagedValue.int([0, 1, 50].randomElement(using: &generator) ?? 0)
        guard let book = books.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) > 0 else {
            let new = try context.insert(#require(context.coordinator.model.entitiesByName["Novel"]))
            try new.setValue(.int(Int64.random(in: 100..<1_000_000, using: &generator)), forKey: "number")
            try new.setValue(title, forKey: "title")
            return
        }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: context.delete(book)
        case 1: try context.refresh(book, mergeChanges: Bool.random(using: &generator))
        case 2: try book.setPrimitiveValue(title, forKey: "title")
        case 3: if try book.int("pages") != nil { try book.incrementValue(forKey: "pages", by: .int(1)) }
        case 4: try book.setValue(.null, forKey: "shelf")
        case 5: try book.setValue(pages, forKey: "pages")
        default: try book.setValue(title, forKey: "title")
        }
    }
}
