import DataMonkCore
import Foundation
import Testing

struct FormatParserTests {
    private static func compare(
        _ left: ConditionExpression, _ operation: Condition.Comparison.Operator, _ right: ConditionExpression,
        _ modifier: Condition.Comparison.Modifier = .direct, _ options: Condition.Comparison.Options = []
    ) -> Condition {
        .comparison(.init(left, operation, right, modifier: modifier, options: options))
    }

    private static let a = compare(.keyPath("a"), .equal, .value(1))
    private static let b = compare(.keyPath("b"), .equal, .value(2))
    private static let c = compare(.keyPath("c"), .equal, .value(3))

    @Test(arguments: [
        ("a == 1", a), ("a = 1", a), ("1 = 1", compare(.value(1), .equal, .value(1))),
        (
            "name ==[cd] 'Monk'",
            compare(.keyPath("name"), .equal, .value("Monk"), .direct, [.caseInsensitive, .diacriticInsensitive])
        ),
        ("a <> 1", compare(.keyPath("a"), .notEqual, .value(1))),
        ("a =< 1", compare(.keyPath("a"), .lessThanOrEqual, .value(1))),
        ("a => 1", compare(.keyPath("a"), .greaterThanOrEqual, .value(1))),
        ("a beginswith[C] \"x\"", compare(.keyPath("a"), .beginsWith, .value("x"), .direct, .caseInsensitive)),
        ("a IN {1, 2}", compare(.keyPath("a"), .isIn, .value([1, 2]))),
        ("a IN {}", compare(.keyPath("a"), .isIn, .value([]))),
        ("a BETWEEN {low, 9}", compare(.keyPath("a"), .between, .list([.keyPath("low"), .value(9)]))),
        ("ANY friends.age > 5", compare(.keyPath("friends.age"), .greaterThan, .value(5), .any)),
        ("SOME friends.age > 5", compare(.keyPath("friends.age"), .greaterThan, .value(5), .any)),
        ("NONE friends.age > 5", compare(.keyPath("friends.age"), .greaterThan, .value(5), .none)),
        ("self == nil", compare(.object, .equal, .value(.null))),
        ("10. = -.034", compare(.value(10.0), .equal, .value(-0.034))),
        ("a == .5", compare(.keyPath("a"), .equal, .value(0.5))),
        ("a IN {.5, 1., 2.25}", compare(.keyPath("a"), .isIn, .value([0.5, 1.0, 2.25]))),
        ("age == min({21, 42})", compare(.keyPath("age"), .equal, .function(.minimum, [.value([21, 42])]))),
        ("MAX.a == 1", compare(.keyPath("MAX.a"), .equal, .value(1))),
        ("flag == YES", compare(.keyPath("flag"), .equal, .value(true))),
        ("SELF.friend.age == -5", compare(.keyPath("friend.age"), .equal, .value(-5))),
        ("#first == #any.end", compare(.keyPath("first"), .equal, .keyPath("any.end"))),
        ("friends.@count == 0", compare(.keyPath("friends.@count"), .equal, .value(0))),
        ("$person.age == $limit", compare(.path(.variable("person"), "age"), .equal, .variable("limit"))),
        ("TRUEPREDICATE", .constant(true)),
    ])
    func `a comparison is read`(format: String, expected: Condition) throws {
        #expect(try Condition(format: format) == expected)
    }

    @Test(arguments: [
        ("a == 1 AND b == 2 OR c == 3", Condition.or([.and([a, b]), c])),
        ("a == 1 OR b == 2 AND c == 3", .or([a, .and([b, c])])),
        ("a == 1 && b == 2 && c == 3", .and([a, b, c])), ("(a == 1 AND b == 2) AND c == 3", .and([.and([a, b]), c])),
        ("NOT a == 1 AND b == 2", .and([.not(a), b])), ("!(a == 1 || b == 2)", .not(.or([a, b]))),
        ("NOT NOT a == 1", .not(.not(a))),
        ("((a == 1))", a),
    ])
    func `AND binds tighter than OR, and NOT tighter than AND`(format: String, expected: Condition) throws {
        #expect(try Condition(format: format) == expected)
    }

    @Test(arguments: [
        ("4 + 5 - 2**3", "(4 + 5) - (2 ** 3)"), ("1 + 2 * 3", "1 + (2 * 3)"), ("(1 + 2) * 3", "(1 + 2) * 3"),
        ("-a", "0 - a"), ("2 - -3", "2 - -3"), ("max:(a, )", nil), ("max:({1, 2})", "max:({1, 2})"),
        ("max({1, 2})", "max:({1, 2})"), ("count(tags)", "count:(tags)"), ("sqrt(a) + now:()", "sqrt:(a) + now()"),
        ("add:to:(1, b)", "1 + b"), ("now()", "now()"), ("tags[FIRST]", "tags[FIRST]"),
        ("tags[2].name", "tags[2].name"),
        ("SUBQUERY(friends, $f, $f.age > age).@count", "SUBQUERY(friends, $f, $f.age > age).@count"),
        ("TERNARY(a == 1, b, 'x')", "TERNARY(a == 1, b, \"x\")"), ("A UNION B", "A UNION B"),
        ("CAST(12.5, 'NSDate')", "CAST(12.5, \"NSDate\")"),
    ])
    func `an expression is read and written`(format: String, written: String?) throws {
        guard let written else {
            #expect(throws: FetchError.self) { try ConditionExpression(format: format) }
            return
        }
        #expect(try ConditionExpression(format: format).format == written)
    }

    @Test func `placeholders take their arguments in order`() throws {
        let condition = try Condition(
            format: "%K.%K BEGINSWITH %@ AND age > %ld AND size < %f", "friend", "name", "M", 18, 2.5)
        #expect(
            condition
                == .and([
                    Self.compare(.keyPath("friend.name"), .beginsWith, .value("M")),
                    Self.compare(.keyPath("age"), .greaterThan, .value(18)),
                    Self.compare(.keyPath("size"), .lessThan, .value(2.5)),
                ]))
        #expect(try Condition(format: "name == '%@'") == Self.compare(.keyPath("name"), .equal, .value("%@")))
    }

    @Test(
        arguments: [
            ("a == %@", [], "placeholder 1"), ("a == 1", [5], "0 placeholders"),
            ("a == %d", ["x"], "requires an integer"),
            ("a == %f", ["x"], "requires a number"), ("%K == 1", [5], "requires a key path"),
            ("a == %s", [5], "requires a String"),
            ("a == %q", [5], "no such placeholder"),
        ] as [(String, [ManagedValue], String)])
    func `arguments that do not fit are refused`(format: String, arguments: [ManagedValue], message: String) {
        let error = #expect(throws: FetchError.self) { try Condition(format: format, arguments: arguments) }
        #expect(error?.code == .invalidFormat)
        #expect(error?.message.contains(message) == true)
    }

    @Test(arguments: [
        ("", 1), ("age", 1), ("age * 25", 1), ("age === 25", 7), (",", 1), ("()", 2), ("a == 'x", 6),
        ("a == 1 b == 2", 8),
        ("a == 1 AND", 11), ("(a == 1", 8), ("a == b == c", 1), ("a IN {1, 2", 11), ("FUNCTION(a, 'b')", 1),
        ("foo:(a) == 1", 1), ("a ==[x] 1", 6), ("a == \u{1}", 6), ("a == 12abc", 6), ("NOT 5", 5), ("a AND b == 1", 1),
        ("a == 1.2.3", 9), (".a == 1", 1), ("foo({1}) == 1", 1), ("(a & 4) != 0", 4), ("a | b", 3),
        ("SUBQUERY(a, b, c == 1).@count == 0", 13), ("#", 2), ("$ == 1", 2), ("a == AND", 6), ("ANYKEY == 1", 1),
    ])
    func `what is no condition is refused at its place`(format: String, position: Int) {
        let error = #expect(throws: FetchError.self) { try Condition(format: format) }
        #expect(error?.code == .invalidFormat)
        #expect(error?.message.contains("at character \(position):") == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("(a & 4) != 0", "bitwiseAnd:with:"), ("a | 4 == 4", "bitwiseOr:with:"), ("a ^ 2 == 4", "bitwiseXor:with:"),
        ("~a == 4", "onesComplement:"), ("summ({1}) == 1", "Did you mean sum:?"),
    ])
    func `a message names what the dialect has instead`(format: String, remedy: String) {
        let error = #expect(throws: FetchError.self) { try Condition(format: format) }
        #expect(error?.code == .invalidFormat)
        #expect(error?.message.contains(remedy) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["(", "NOT ", "!", "1 + ", "a.", "-", "{", "abs:(", "TERNARY("])
    func `depth is limited`(part: String) {
        let format = String(repeating: part, count: 10_000) + "a == 1"
        #expect(throws: FetchError.self) { try Condition(format: format) }
    }

    @Test func `long chains are flat`() throws {
        let format = Array(repeating: "a == 1", count: 10_000).joined(separator: " OR ")
        guard case .or(let parts) = try Condition(format: format) else {
            Issue.record("The chain is nested.")
            return
        }
        #expect(parts.count == 10_000)
    }

    @Test func `what is written reads as the same`() throws {
        let odd = Self.compare(.keyPath("any.odd name.@count"), .notEqual, .value("q\"\\\n\0é"))
        let values: [ManagedValue] = [
            .int(.min), .int(.max), .double(-0.1), .double(.infinity),
            .decimal(Decimal(string: "12345678901234567890.125")!),
            .date(Date(timeIntervalSinceReferenceDate: 0.1)), .data(Data([0, 255, 16])), .uuid(UUID()),
            .url(URL(string: "https://example.org/a?b=c")!), .bool(false), .null, [1, "x", .null],
        ]
        let all = Condition.or(
            [odd] + values.map { Self.compare(.keyPath("x"), .equal, .value($0)) } + [.not(.and([Self.a, Self.b]))])
        #expect(try Condition(format: all.format) == all)
    }
}
