import DataMonkCore
import Foundation
import Testing

@Suite("Conditions of plain data")
struct PlainDataTests {
    private let monk: ManagedValue = [
        "name": "Monk", "age": 41, "born": .date(Date(timeIntervalSinceReferenceDate: 0)), "note": nil,
        "friend": ["name": "Abbot", "age": 60],
        "friends": [["name": "Abbot", "tags": ["old", "wise"]], ["name": "Cook", "tags": ["loud"]], ["tags": []]],
        "scores": [3, 1.5, 2], "words": ["b", "a"], "rooms": ["cell": 1, "hall": 2],
    ]

    private func holds(_ format: String, _ variables: [String: ManagedValue] = [:]) throws -> Bool {
        try Condition(format: format).evaluate(with: monk, substitutionVariables: variables)
    }

    @Test(arguments: [
        "friend.age > age", "note == nil", "nothing.at.all == nil", "friends.@count == 3", "ANY friends.name == 'Cook'",
        "ANY friends.name == nil", "ALL friends.tags.@count == nil OR TRUEPREDICATE", "ANY friends.tags == 'wise'",
        "scores.@sum == 6.5", "scores.@max.self == 3", "max:(scores) == 3", "average:({age, 43}) == 42",
        "words[FIRST] == 'b'", "words[LAST] == 'a'", "words[1] == 'a'", "words[9] == nil", "words[SIZE] == 2",
        "rooms['hall'] == 2", "rooms[SIZE] == 2", "2 IN rooms", "'a' IN words", "words CONTAINS 'b'", "'on' IN name",
        "words == {'b', 'a'}", "words != {'a', 'b'}", "(words UNION {'c', 'a'})[SIZE] == 3",
        "(words INTERSECT {'c', 'a'}) == {'a'}", "(words MINUS {'a'}) == {'b'}", "name.length == 4",
        "SUBQUERY(friends, $f, $f.name != nil AND age == 41).@count == 2", "SELF == SELF",
        "friend == {} OR friend != {}",
        "NONE friends.name LIKE 'X*'", "ALL nothing == 1", "NOT (ANY nothing == 1)", "age + 1 == 42", "1 / 0 == nil",
        "TERNARY(age > 40, 'old', 'young') == 'old'", "now() > born", "age IN {18, 41}", "age BETWEEN {41, 41}",
        "'1' != 1", "note LIKE nil", "NOT (note BEGINSWITH nil)",
    ])
    func `a condition is true`(format: String) throws { #expect(try holds(format)) }

    @Test(
        arguments: [
            ("name < 5", FetchError.Code.notComparable), ("age.year == 1", .unknownKey),
            ("uppercase:(age) == 'X'", .notComparable),
            ("words.@sum == 1", .notComparable), ("age.@count == 1", .invalidKeyPath),
            ("words.@odd == 1", .invalidKeyPath),
            ("words[-1] == 'a'", .unsupportedCondition), ("words['a'] == 1", .unsupportedCondition),
            ("rooms[FIRST] == 1", .unsupportedCondition), ("name == $unknown", .unsupportedCondition),
            ("SUBQUERY(age, $x, $x == 1).@count == 1", .unsupportedCondition), ("age UNION words == 1", .notComparable),
            ("rooms < 3", .notComparable), ("name MATCHES '('", .invalidPattern),
            ("age BETWEEN {1, 2, 3}", .typeMismatch),
        ] as [(String, FetchError.Code)])
    func `what means nothing is refused`(format: String, code: FetchError.Code) {
        let error = #expect(throws: FetchError.self) { try holds(format) }
        #expect(error?.code == code, "\(format): \(error?.message ?? "")")
    }

    @Test func `variables have the values they are given`() throws {
        #expect(try holds("age > $limit AND ANY friends.name IN $names", ["limit": 40, "names": ["Cook"]]))
    }

    @Test func `lists are filtered`() throws {
        let people: [ManagedValue] = [["age": 1], ["age": 20], [:], ["age": 18]]
        #expect(try people.filtered(using: .compare("age", .greaterThan, 17)) == [["age": 20], ["age": 18]])
    }

    @Test func `expressions have values`() throws {
        #expect(try ConditionExpression(format: "price * amount").value(with: ["price": 3, "amount": 14]) == 42)
    }
}
