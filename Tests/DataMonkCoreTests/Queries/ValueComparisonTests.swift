import DataMonkCore
import Foundation
import Testing

@Suite("Comparing values")
struct ValueComparisonTests {
    private func holds(
        _ left: ManagedValue, _ operation: Condition.Comparison.Operator, _ right: ManagedValue,
        _ options: Condition.Comparison.Options = []
    ) throws -> Bool {
        try ValueComparison.compare(left, by: operation, with: right, options: options)
    }

    @Test func `numbers of different kinds compare by value, exactly`() throws {
        #expect(try holds(1, .equal, 1.0))
        #expect(try holds(true, .equal, 1))
        #expect(try holds(.int(9_007_199_254_740_993), .greaterThan, .double(9_007_199_254_740_992)))
        #expect(try holds(.int(.max), .lessThan, .double(0x1p63)))
        #expect(try holds(-1, .greaterThan, -1.5))
        #expect(try holds(.decimal(Decimal(1) / 10), .equal, 0.1))
        #expect(try holds(.double(1e300), .greaterThan, .decimal(5)))
        #expect(try holds(.int(3), .lessThan, .double(.infinity)))
    }

    @Test func `a text is no number`() throws {
        #expect(try !holds("1", .equal, 1))
        #expect(try holds("1", .notEqual, 1))
        #expect(throws: FetchError.self) { try holds("1", .lessThan, 2) }
    }

    @Test func `text compares by its scalars without options, and by meaning with them`() throws {
        #expect(try !holds("é", .equal, "e\u{301}"))
        #expect(try holds("é", .equal, "e\u{301}", .caseInsensitive))
        #expect(try holds("\u{FFFD}", .lessThan, "\u{1F600}"))
        #expect(try holds("STRASSE", .equal, "straße", .caseInsensitive))
        #expect(try holds("ΣΑΣ", .equal, "σας", .caseInsensitive))
        #expect(try holds("Zoë", .equal, "ZOE", [.caseInsensitive, .diacriticInsensitive]))
        #expect(try !holds("Zoë", .equal, "ZOE", .diacriticInsensitive))
        #expect(try holds("Été", .contains, "te", [.caseInsensitive, .diacriticInsensitive]))
    }

    @Test(arguments: [
        ("*", "", true), ("?", "", false), ("?", "é", true), ("a*c", "abbc", true), ("a*c", "abb", false),
        ("*b*b*", "abab", true), ("a\\*c", "a*c", true), ("a\\*c", "abc", false), ("a\\", "a\\", true),
        ("%_", "ab", false),
        ("", "", true), ("", "a", false), ("**a", "ba", true), ("a?", "a😀", true),
    ])
    func `LIKE knows star, question mark and backslash`(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(try holds(.string(text), .like, .string(pattern)) == expected)
    }

    @Test(arguments: [Condition.Comparison.Operator.contains, .beginsWith, .endsWith])
    func `no text has the empty one in it`(_ operation: Condition.Comparison.Operator) throws {
        #expect(try !holds("a", operation, ""))
        #expect(try !holds("", operation, ""))
        #expect(try !holds("a", operation, "", .caseInsensitive))
    }

    @Test func `LIKE does not explode`() throws {
        let text = String(repeating: "a", count: 20_000)
        #expect(try !holds(.string(text), .like, .string(String(repeating: "a*", count: 200) + "b")))
    }

    @Test(arguments: ["ü", "u\u{308}"])
    func `a letter with its mark is one, unless marks do not count`(letter: String) throws {
        let text = ManagedValue.string("t\(letter)v")
        #expect(try !holds(text, .contains, "U", .caseInsensitive))
        #expect(try holds(text, .contains, "Ü", .caseInsensitive))
        #expect(try holds(text, .contains, "u", .diacriticInsensitive))
        #expect(try !holds(text, .beginsWith, "TU", .caseInsensitive))
        #expect(try holds(text, .like, "T?V", .caseInsensitive))
        #expect(try !holds(text, .like, "tu*v", .caseInsensitive))
    }

    @Test func `data compares by its bytes`() throws {
        let (abc, upper) = (ManagedValue.data(Data("abc".utf8)), ManagedValue.data(Data("ABC".utf8)))
        #expect(try holds(abc, .beginsWith, .data(Data("ab".utf8))) && holds(abc, .endsWith, .data(Data("bc".utf8))))
        #expect(try holds(abc, .contains, .data(Data("b".utf8))) && !holds(abc, .contains, .data(Data())))
        #expect(try holds(abc, .like, .data(Data("a*".utf8))))
        #expect(try !holds(abc, .equal, upper) && holds(abc, .equal, upper, .caseInsensitive))
        #expect(try holds(abc, .isIn, .list([upper]), .caseInsensitive))
        #expect(throws: FetchError.self) { try holds(abc, .matches, "abc") }
        #expect(throws: FetchError.self) { try holds(abc, .contains, "b") }
    }

    @Test func `nil is like nil, and nothing else is true of it`() throws {
        #expect(try holds(nil, .like, nil) && !holds(nil, .like, "*") && !holds("a", .like, nil))
        #expect(try !holds(nil, .beginsWith, nil) && !holds(nil, .contains, nil) && !holds(nil, .matches, nil))
    }

    @Test func `text is in the text that contains it`() throws {
        #expect(
            try holds("on", .isIn, "Monk") && !holds("x", .isIn, "Monk") && holds("ON", .isIn, "Monk", .caseInsensitive)
        )
    }

    @Test func `long parts are found`() throws {
        let text = String(repeating: "ab", count: 500)
        #expect(try holds(.string(text + "c"), .contains, .string(String(repeating: "ab", count: 100) + "c")))
        #expect(try !holds(.string(text), .contains, .string(String(repeating: "ab", count: 100) + "c")))
    }

    @Test func `MATCHES takes the whole text`() throws {
        #expect(try holds("Knight", .matches, "K.*t"))
        #expect(try !holds("Knights", .matches, "K.*t"))
        #expect(try holds("ab", .matches, "a|ab"))
        #expect(try holds("KNIGHT", .matches, "k.*t", .caseInsensitive))
    }

    @Test func `an expression that tries too much throws, it does not say no`() throws {
        let error = #expect(throws: FetchError.self) {
            try holds(.string(String(repeating: "a", count: 40)), .matches, "(a+)+b")
        }
        #expect(error?.code == .patternTooExpensive)
        let long = ManagedValue.string(String(repeating: "a", count: 1_000_000))
        #expect(throws: FetchError.self) { try holds(long, .matches, "(?:a|b)*") }
        let broken = #expect(throws: FetchError.self) { try holds("a", .matches, "a)(b") }
        #expect(broken?.code == .invalidPattern)
    }

    @Test func `BETWEEN has both bounds`() throws {
        #expect(try holds(1, .between, [1, 2]))
        #expect(try holds(2, .between, [1, 2]))
        #expect(try !holds(3, .between, [1, 2]))
    }
}
