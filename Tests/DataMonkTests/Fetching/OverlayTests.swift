import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Random fetches over random unsaved changes, compared with a list of books that is filtered, sorted and cut by hand.
@Suite struct `Unsaved changes over a store` {
    /// A book as a test knows it.
    fileprivate struct Book: Hashable {
        var title: String?
        var pages: Int64?
        var number: Int64
        var shelf: String?
        var isNovel: Bool
    }

    /// Books by id: what the store has, and what the context shows.
    private struct Reference {
        var stored: [AnyObjectID: Book] = [:]
        var current: [AnyObjectID: Book] = [:]
        /// Of the next new book: no two have one, so every order is total.
        var nextNumber: Int64 = 1_000
    }

    /// A fetch in both forms.
    private struct Question {
        var request: FetchRequest
        let matches: (Book) -> Bool
        let precedes: (Book, Book) -> Bool
    }

    @Test(arguments: ShopPlace.allCases, [0, 1, 2])
    func `fetches, ids, counts and batches are those of a list`(place: ShopPlace, layers: Int) throws {
        let seed: UInt64 = 1
        var generator = SeededGenerator(seed: seed)
        for round in 0..<12 {
            let stage = try ShopStage(place, books: Int.random(in: 0..<40, using: &generator))
            var contexts = [stage.newContext()]
            var reference = Reference()
            try read(contexts[0], into: &reference)
            // A layer is changed before the next one reads through it.
            for layer in 0...layers {
                if layer > 0 { contexts.append(ManagedObjectContext(parent: contexts[layer - 1])) }
                try change(contexts[layer], &reference, using: &generator)
            }
            let context = try #require(contexts.last)
            for _ in 0..<25 {
                let question = Self.question(using: &generator)
                try compare(context, question, reference, "seed \(seed), round \(round): \(question.request)")
            }
            for context in contexts { try context.checkInvariants() }
        }
    }

    @Test(arguments: ShopPlace.allCases)
    func `an object whose row others have changed counts as the context shows it`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 10)
        let (context, other) = (stage.newContext(), stage.newContext())
        func count(_ condition: Condition) throws -> Int {
            try context.count(FetchRequest(entityName: "Book", condition: condition))
        }
        func set(_ pages: Int64, in context: ManagedObjectContext) throws {
            for book in try context.fetch(FetchRequest(entityName: "Book")) {
                try book.setValue(.int(pages), forKey: "pages")
            }
        }
        try set(50, in: other)
        try other.save()
        // Of these, the store decides as long as nobody has committed.
        for book in try context.fetch(FetchRequest(entityName: "Book")) { try book.setValue("new", forKey: "title") }
        #expect(try count(.compare("pages", .lessThan, 100)) == 10)
        try set(250, in: other)
        try other.save()
        #expect(try count(.compare("pages", .lessThan, 100)) == 10)
        #expect(try count(.compare("pages", .greaterThan, 200)) == 0)
        #expect(try count(.compare("title", .greaterThan, "m")) == 10)
        context.rollback()
        #expect(try count(.compare("pages", .greaterThan, 200)) == 10)
    }

    private func read(_ context: ManagedObjectContext, into reference: inout Reference) throws {
        // A context of its own, so that the one that is tested knows nothing.
        let other = ManagedObjectContext(coordinator: context.coordinator)
        for object in try other.fetch(FetchRequest(entityName: "Book")) {
            reference.stored[object.anyObjectID] = try Book(object, other)
        }
        reference.current = reference.stored
    }

    private func change(
        _ context: ManagedObjectContext, _ reference: inout Reference, using generator: inout SeededGenerator
    ) throws {
        let entities = context.coordinator.model.entitiesByName
        let shelves = try context.fetch(FetchRequest(entityName: "Shelf"))
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            // Sorted, so that a seed tells which it is.
            let known = reference.current.sorted { $0.value.number < $1.value.number }.map(\.key)
            let choice = Int.random(in: 0..<6, using: &generator)
            if choice == 0, let id = known.randomElement(using: &generator) {
                context.delete(try context.existingObject(with: id))
                reference.current[id] = nil
                continue
            }
            let isNew = choice < 3 || known.isEmpty
            let name = Bool.random(using: &generator) ? "Novel" : "Book"
            let object =
                if !isNew, let id = known.randomElement(using: &generator) {
                    try context.existingObject(with: id)
                } else { try context.insert(#require(entities[name])) }
            if isNew {
                try object.setValue(.int(reference.nextNumber), forKey: "number")
                reference.nextNumber += 1
            }
            let title = ["b0", "b1", "x", nil].randomElement(using: &generator) ?? nil
            try object.setValue(title.map { .string($0) } ?? .null, forKey: "title")
            let pages = ([nil, 0, 50, 100, 250] as [Int64?]).randomElement(using: &generator) ?? nil
            try object.setValue(pages.map { .int($0) } ?? .null, forKey: "pages")
            let shelf = Int.random(in: 0..<3, using: &generator) == 0 ? nil : shelves.randomElement(using: &generator)
            try object.setValue(shelf.map { .object($0.anyObjectID) } ?? .null, forKey: "shelf")
            reference.current[object.anyObjectID] = try Book(object, context)
        }
    }

    private static func question(using generator: inout SeededGenerator) -> Question {
        let bound = Int64.random(in: -10..<300, using: &generator)
        let conditions: [(Condition?, (Book) -> Bool)] = [
            (nil, { _ in true }),
            (.compare("pages", .greaterThan, .int(bound)), { $0.pages.map { $0 > bound } ?? false }),
            (.compare("title", .equal, "b1"), { $0.title == "b1" }),
            (.compare("title", .equal, nil), { $0.title == nil }),
            (.compare("shelf.name", .equal, "s01"), { $0.shelf == "s01" }),
            (.compare("shelf.room.name", .equal, "r1"), { $0.shelf?.hasPrefix("s1") ?? false }),
            (.compare("shelf", .equal, nil).negated, { $0.shelf != nil }),
        ]
        let (condition, matches) = conditions[Int.random(in: 0..<conditions.count, using: &generator)]
        var request = FetchRequest(entityName: "Book", condition: condition)
        request.includesSubentities = Int.random(in: 0..<4, using: &generator) > 0
        request.includesPendingChanges = Int.random(in: 0..<4, using: &generator) > 0
        let isUp = Bool.random(using: &generator)
        let key = ["pages", "title", "shelf.name"].randomElement(using: &generator) ?? "pages"
        request.sortTerms = [SortTerm(key, ascending: isUp), SortTerm("number")]
        if Bool.random(using: &generator) { request.fetchLimit = Int.random(in: 0..<15, using: &generator) }
        if Bool.random(using: &generator) { request.fetchOffset = Int.random(in: 0..<15, using: &generator) }
        request.fetchBatchSize = Int.random(in: 0..<3, using: &generator) * 3
        let includesNovels = request.includesSubentities
        return Question(
            request: request, matches: { (includesNovels || !$0.isNovel) && matches($0) },
            precedes: { left, right in
                let (one, other) = (left.sortKey(key), right.sortKey(key))
                if one == other { return left.number < right.number }
                return (one.lexicographicallyPrecedes(other)) == isUp
            })
    }

    private func compare(
        _ context: ManagedObjectContext, _ question: Question, _ reference: Reference, _ comment: String
    ) throws {
        let request = question.request
        let books = request.includesPendingChanges ? reference.current : reference.stored
        let sorted = books.filter { question.matches($0.value) }.sorted { question.precedes($0.value, $1.value) }
        let rest = sorted.map(\.key).dropFirst(request.fetchOffset)
        let expected = Array(request.fetchLimit == 0 ? rest : rest.prefix(request.fetchLimit))
        let comment = Comment(rawValue: comment)
        #expect(try context.objectIDs(request) == expected, comment)
        #expect(try context.count(request) == expected.count, comment)
        #expect(try context.fetch(request).map(\.anyObjectID) == expected, comment)
        let batched = try context.fetchBatched(request)
        #expect(batched.objectIDs.map(\.erased) == expected && batched.map(\.anyObjectID) == expected, comment)
    }
}

extension `Unsaved changes over a store`.Book {
    fileprivate init(_ object: ManagedObject, _ context: ManagedObjectContext) throws {
        func text(_ object: ManagedObject, _ key: String) throws -> String? {
            if case .string(let text) = try object.value(forKey: key) { text } else { nil }
        }
        title = try text(object, "title")
        pages = try object.int("pages")
        number = try object.int("number") ?? 0
        isNovel = object.entity.name == "Novel"
        guard case .object(let id) = try object.value(forKey: "shelf") else { return }
        shelf = try text(try context.existingObject(with: id), "name")
    }

    /// Nil before every value; text by its bytes, numbers that are never negative by their digits.
    fileprivate func sortKey(_ key: String) -> [UInt8] {
        let text =
            switch key {
            case "pages": pages.map { String(format: "%08d", $0) }
            case "title": title
            default: shelf
            }
        return text.map { [1] + Array($0.utf8) } ?? [0]
    }
}
