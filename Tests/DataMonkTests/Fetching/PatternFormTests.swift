import DataMonk
import Testing

/// The pattern of MATCHES as the engine of regular expressions reads it: scalar by scalar, in every mode.
@Suite struct `Patterns of MATCHES` {
    private let stage: ShopStage
    private let book: ManagedObject

    init() throws {
        stage = try ShopStage(.file, books: 1)
        book = try #require(try stage.context.fetch(FetchRequest(entityName: "Book")).first)
    }

    /// Returns `true` if a title matches, in memory and in SQL alike.
    private func matches(_ title: String, _ pattern: String) throws -> Bool {
        try book.setValue(.string(title), forKey: "title")
        try stage.context.save()
        let condition = try Condition(format: "title MATCHES %@", pattern)
        let isMatch = try condition.evaluate(with: book)
        #expect(try stage.context.count(FetchRequest(entityName: "Book", condition: condition)) == (isMatch ? 1 : 0))
        return isMatch
    }

    @Test func `two spellings of a letter are two patterns`() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        for pattern in [composed, decomposed, composed] {
            for title in [composed, decomposed] {
                #expect(try matches(title, pattern) == title.utf8.elementsEqual(pattern.utf8))
            }
        }
    }

    @Test(arguments: [
        ("(?x) a b c # letters", "abc"), ("(?x) a # one\n | b # two", "b"), ("a(?x) b # letter", "ab"),
        ("\\Qa+b", "a+b"), ("(?x) \\Q#", "#"),
    ])
    func `a comment or a quotation at the end does not swallow the end`(pattern: String, title: String) throws {
        #expect(try matches(title, pattern))
        #expect(try !matches("\(title)x", pattern))
        #expect(try !matches("\(title)\n", pattern))
    }

    @Test(arguments: ["(?x) a ) # b", "a)(b", "(?x) ( # )"]) func `an unbalanced pattern is refused`(
        pattern: String
    ) throws {
        let error = #expect(throws: FetchError.self) { try matches("a", pattern) }
        #expect(error?.code == .invalidPattern)
    }
}
