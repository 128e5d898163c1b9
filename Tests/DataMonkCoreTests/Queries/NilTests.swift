import DataMonkCore
import DataMonkTesting
import Testing

@Suite("Nil in conditions")
struct NilTests {
    private static let operators: [Condition.Comparison.Operator] = [
        .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
    ]

    @Test func `against nil only equality is true`() throws {
        let expected = [true, false, false, true, false, true]
        let found = try Self.operators.map { try ValueComparison.compare(.null, by: $0, with: .null) }
        #expect(found == expected)
    }

    @Test func `nil differs from every value, and nothing else`() throws {
        let expected = [false, true, false, false, false, false]
        let left = try Self.operators.map { try ValueComparison.compare(.null, by: $0, with: 3) }
        let right = try Self.operators.map { try ValueComparison.compare("a", by: $0, with: .null) }
        #expect(left == expected)
        #expect(right == expected)
    }

    @Test(arguments: [Condition.Comparison.Operator.contains, .beginsWith, .endsWith, .like, .matches])
    func `text operators are false with nil`(_ operation: Condition.Comparison.Operator) throws {
        #expect(try !ValueComparison.compare(.null, by: operation, with: "a"))
        #expect(try !ValueComparison.compare("a", by: operation, with: .null))
    }

    @Test func `nil is in a list that has it, and between nothing`() throws {
        #expect(try ValueComparison.compare(.null, by: .isIn, with: [1, nil]))
        #expect(try !ValueComparison.compare(.null, by: .isIn, with: [1]))
        #expect(try !ValueComparison.compare(.null, by: .between, with: [0, 1]))
    }

    @Test(arguments: [
        (Condition.Comparison.Modifier.any, false), (.all, true), (.none, true),
    ])
    func `over nothing ANY is false, ALL and NONE are true`(
        _ modifier: Condition.Comparison.Modifier, _ expected: Bool
    ) throws {
        let model = try QueryModel.make()
        let person = QueryObject(try #require(model.entitiesByName["Person"]), primaryKey: 1)
        for path in ["friends.age", "friend.friends.age"] {
            let condition = Condition.compare(path, .greaterThan, 1, modifier: modifier)
            let fetch = try ResolvedFetch(FetchRequest(entityName: "Person", condition: condition), model: model)
            #expect(try fetch.matches(person) == expected)
        }
    }

    @Test func `a path over a missing object yields nil`() throws {
        let model = try QueryModel.make()
        let person = QueryObject(try #require(model.entitiesByName["Person"]), primaryKey: 1)
        func matches(_ condition: Condition) throws -> Bool {
            try ResolvedFetch(FetchRequest(entityName: "Person", condition: condition), model: model).matches(person)
        }
        #expect(try matches(.compare("friend.age", .equal, nil)))
        #expect(try matches(.compare("friend.age", .notEqual, 3)))
        #expect(try !matches(.compare("friend.age", .lessThan, 3)))
        #expect(try matches(.compare("friend", .equal, nil)))
    }
}
