import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// A decimal is one number wherever it is looked at: in the object that it was given to, in other contexts, in stores of
/// either kind, in conditions in memory and in SQL, and after the file was opened anew.
@Suite struct `A decimal of many digits` {
    private static let operators: [Condition.Comparison.Operator] = [
        .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
    ]

    private func decimal(_ text: String) throws -> Decimal {
        try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
    }

    @Test(
        arguments: ShopPlace.allCases,
        [
            ("0.12345678901234567890", "0.12345678901234567899"), ("1234567890123.4567", "1234567890123.45671"),
            ("123456.78", "123456.78000000001"), ("12345678901234567890", "12345678901234567891"),
            ("9007199254740993", "9007199254740992.7"), ("0.07", "0.06999999999999999"),
        ])
    func `is the same in every place`(place: ShopPlace, texts: (String, String)) throws {
        let stage = try ShopStage(place, books: 1)
        let (value, other) = (try decimal(texts.0), try decimal(texts.1))
        let book = try #require(try stage.context.fetch(FetchRequest(entityName: "Book")).first)
        try book.setValue(.decimal(value), forKey: "price")
        let shown = try book.value(forKey: "price")
        try stage.context.save()
        #expect(try book.value(forKey: "price") == shown)
        var contexts = [stage.context, stage.newContext()]
        let stack = place == .file ? try stage.newStack() : stage.stack
        contexts.append(ManagedObjectContext(coordinator: stack.coordinator))
        for context in contexts {
            let book = try #require(try context.fetch(FetchRequest(entityName: "Book")).first)
            #expect(try book.value(forKey: "price") == shown)
            for constant in [value, other, -other, value + 1] {
                for operation in Self.operators {
                    let condition = Condition.compare("price", operation, .decimal(constant))
                    let found = try context.count(FetchRequest(entityName: "Book", condition: condition)) == 1
                    #expect(try condition.evaluate(with: book) == found, "\(condition)")
                }
                let list = Condition.compare("price", .isIn, .list([.decimal(constant)]))
                #expect(
                    try list.evaluate(with: book)
                        == (context.count(FetchRequest(entityName: "Book", condition: list)) == 1), "\(list)")
            }
            context.endTurn()
        }
        let equal = Condition.compare("price", .equal, .decimal(value))
        #expect(try equal.evaluate(with: book))
    }

    /// SQLite's own conversion of text was off in the last digit for one number in some thousands.
    @Test func `comes back as it was written`() throws {
        var generator = SeededGenerator(seed: 7)
        let count = 2_000
        let stage = try ShopStage(.file, books: count)
        var expected: [ManagedValue] = []
        var request = FetchRequest(entityName: "Book")
        request.sortTerms = [SortTerm("number")]
        for book in try stage.context.fetch(request) {
            let digits = Decimal(Int64.random(in: 0..<1_000_000_000_000_000, using: &generator))
            let number = Decimal(sign: .plus, exponent: -Int.random(in: 0...15, using: &generator), significand: digits)
            try book.setValue(.decimal(number), forKey: "price")
            expected.append(.decimal(number))
        }
        try stage.context.save()
        let context = ManagedObjectContext(coordinator: try stage.newStack().coordinator)
        #expect(try context.fetch(request).map { try $0.value(forKey: "price") } == expected)
    }

    @Test func `beyond what a store can keep is refused`() throws {
        let stage = try ShopStage(.memory, books: 1)
        let book = try #require(try stage.context.fetch(FetchRequest(entityName: "Book")).first)
        let large = Decimal(sign: .plus, exponent: 101, significand: 1)
        let error = #expect(throws: FetchError.self) { try book.setValue(.decimal(large), forKey: "price") }
        #expect(error?.code == .typeMismatch)
    }
}
