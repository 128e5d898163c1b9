import DataMonk
import DataMonkTesting
import Testing

/// Large rows are saved in the memory in which they were changed.
@Suite struct `Large rows` {
    private func text(_ letter: Character) -> ManagedValue { .string(String(repeating: letter, count: 20_000)) }

    @Test(arguments: ShopPlace.allCases)
    func `what is changed after a save leaves the saved row as it is`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 1)
        let book = try #require(try stage.context.fetch(.books()).first)
        for letter in ["a", "b"] as [Character] {
            try book.setValue(text(letter), forKey: "title")
            try stage.context.save()
            #expect(!book.hasChanges)
        }
        let other = stage.newContext()
        let same = try other.existingObject(with: book.anyObjectID)
        #expect(try same.value(forKey: "title") == text("b"))
        try book.setValue(text("c"), forKey: "title")
        #expect(try same.value(forKey: "title") == text("b"))
        stage.context.rollback()
        #expect(try book.value(forKey: "title") == text("b"))
    }

    @Test(arguments: ShopPlace.allCases)
    func `a save that conflicts leaves the changes, and the version that they began with`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 1)
        let (first, second) = (stage.newContext(followsCommits: false), stage.newContext(followsCommits: false))
        let book = try #require(try second.fetch(.books()).first)
        try book.setValue(text("a"), forKey: "title")
        try #require(try first.fetch(.books()).first).setValue(text("b"), forKey: "title")
        try first.save()
        for _ in 0..<2 {
            let error = #expect(throws: SaveError.self) { try second.save() }
            #expect(error?.conflicts.first?.baseVersion == 1 && error?.conflicts.first?.storedVersion == 2)
            #expect(try book.value(forKey: "title") == text("a"))
        }
        second.mergePolicy = .mergeByPropertyObjectTrump
        try second.save()
        let third = stage.newContext()
        #expect(try #require(try third.fetch(.books()).first).value(forKey: "title") == text("a"))
    }
}
