import DataMonk
import Testing

/// MATCHES and text of several lines, as Apple's predicates have it: anchors match at lines, and a point takes a line
/// separator.
@Suite struct `MATCHES over several lines` {
    private static let patterns: [(pattern: String, text: String, isMatch: Bool)] = [
        ("a.b", "a\nb", true), (".*", "a\nb", true), (".*^b$", "a\nb", true), ("^a$.*", "a\nb", true),
        ("^a$\\n^b$", "a\nb", true), ("a$\\nb", "a\nb", true), (".*todo.*", "first\ntodo\nlast", true),
        ("^a$", "a\nb", false), ("a", "a\nb", false), ("a\\Z", "a\n", false), ("a.b", "a\r\nb", true),
        ("[^\\n]*", "a\nb", false),
    ]

    @Test(arguments: ShopPlace.allCases) func `is the same in memory and in SQL`(place: ShopPlace) throws {
        // Holds the store\'s folder.
        let stage = try ShopStage(place, books: 1)
        defer { withExtendedLifetime(stage) {} }
        let context = stage.context
        let book = try #require(try context.fetch(FetchRequest(entityName: "Book")).first)
        for (pattern, text, isMatch) in Self.patterns {
            try book.setValue(.string(text), forKey: "title")
            try context.save()
            let condition = try Condition(format: "title MATCHES %@", pattern)
            #expect(try condition.evaluate(with: book) == isMatch, "\(pattern)")
            #expect(
                try context.count(FetchRequest(entityName: "Book", condition: condition)) == (isMatch ? 1 : 0),
                "\(pattern)")
            #expect(try Condition(format: "SELF MATCHES %@", pattern).evaluate(with: .string(text)) == isMatch)
        }
    }
}
