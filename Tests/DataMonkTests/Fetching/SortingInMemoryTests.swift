import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Sorting in memory, which goes by ranks of the values, against the order of a store. A failure prints its seed.
@Suite struct `Sorting in memory` {
    @Test func `is the order of a store`() throws {
        let seed: UInt64 = 1
        var generator = SeededGenerator(seed: seed)
        let stage = try ShopStage(.file, books: 0)
        let context = stage.newContext()
        let book = try #require(context.coordinator.model.entitiesByName["Book"])
        for number in 0..<300 {
            let object = try context.insert(book)
            try object.setValue(.int(Self.number(number, using: &generator)), forKey: "number")
            try object.setValue(Self.title(using: &generator), forKey: "title")
            try object.setValue(Self.weight(using: &generator), forKey: "weight")
            let hasDate = Bool.random(using: &generator)
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &generator))
            try object.setValue(hasDate ? .date(date) : .null, forKey: "issued")
            try object.setValue(.decimal(Decimal(Int.random(in: -9...9, using: &generator)) / 10), forKey: "price")
        }
        try context.save()
        var objects = try context.fetch(FetchRequest(entityName: "Book"))
        for comparator in [SortTerm.Comparator.standard, .caseInsensitive] {
            for ascending in [true, false] {
                for key in ["number", "title", "weight", "issued", "price"] {
                    if comparator != .standard, key != "title" { continue }
                    let terms = [
                        SortTerm(key, ascending: ascending, comparator: comparator), SortTerm("price"),
                        SortTerm("number"),
                    ]
                    objects.shuffle(using: &generator)
                    var request = FetchRequest(entityName: "Book")
                    request.sortTerms = terms
                    let expected = try context.objectIDs(request)
                    let comment = Comment(rawValue: "seed \(seed): \(key), \(comparator), ascending: \(ascending)")
                    #expect(try objects.sorted(using: terms).map(\.anyObjectID) == expected, comment)
                }
            }
        }
    }

    /// Numbers that are all different, the least and the greatest among them.
    private static func number(_ number: Int, using generator: inout SeededGenerator) -> Int64 {
        switch number {
        case 0: .min
        case 1: .max
        default: Int64(number) * (Bool.random(using: &generator) ? 1 : -1)
        }
    }

    /// Texts with equal starts, among them some without a letter, with NUL, and with letters of several bytes.
    private static func title(using generator: inout SeededGenerator) -> ManagedValue {
        let parts = ["", "a", "A", "ä", "é", "\u{0}", "abcdefg", "z", "Ж", "1", "10"]
        let length = Int.random(in: 0..<4, using: &generator)
        if length == 3 { return .null }
        return .string((0...length).map { _ in parts.randomElement(using: &generator) ?? "" }.joined())
    }

    private static func weight(using generator: inout SeededGenerator) -> ManagedValue {
        let special = [0.0, -0.0, 1, -1, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return .null
        case 1: return .double(special.randomElement(using: &generator) ?? 0)
        default: return .double(Double.random(in: -10...10, using: &generator))
        }
    }
}
