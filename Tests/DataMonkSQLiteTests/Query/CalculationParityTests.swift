import DataMonkCore
import DataMonkSQL
import DataMonkTesting
import Foundation
import Testing

/// What is worked out is the same in memory and in SQL, to the last digit: one kind of edge each.
@Suite struct `Calculations at the edges, in memory and in SQL` {
    private typealias Expression = ConditionExpression
    private let graph: QueryGraph

    init() throws {
        var generator = SeededGenerator(seed: 1)
        graph = try QueryGraph(people: 4, using: &generator)
    }

    /// The first person, alone with what a test says of it.
    private func person() throws -> QueryObject {
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        return try #require(people.first)
    }

    /// Whether the condition is true of the first person: the same in the database and in memory.
    private func isTrue(
        _ condition: Condition, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Bool {
        let fetch = try ResolvedFetch(FetchRequest(entityName: "Person", condition: condition), model: graph.model)
        let inMemory = try fetch.matches(person())
        let inSQL = try QueryDatabase(graph).keys(fetch).contains(person().objectKey.primaryKey)
        #expect(inSQL == inMemory, sourceLocation: sourceLocation)
        return inMemory
    }

    private func isTrue(
        _ left: Expression, _ operation: Condition.Comparison.Operator, _ right: Expression,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Bool {
        try isTrue(.comparison(.init(left, operation, right)), sourceLocation: sourceLocation)
    }

    /// The columns of the first person, or of everybody's figures: the same in the database and in memory.
    private func row(
        _ columns: [(FetchRequest.Selection.Function?, Expression)], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [ManagedValue] {
        var request = FetchRequest(entityName: "Person")
        request.resultType = .dictionaries
        request.condition = columns.contains { $0.0 != nil } ? nil : .compare("self", .equal, .object(try id()))
        request.propertiesToFetch = columns.enumerated().map { .init($1.0, of: $1.1, alias: "c\($0)") }
        let fetch = try ResolvedFetch(request, model: graph.model)
        let people = graph.objects(of: fetch.entity)
        let inMemory = try RowComposer(fetch) { AnyObjectID(key: $0, directory: graph.directory) }.rows(of: people)
        let inSQL = try QueryDatabase(graph).values(fetch)
        #expect(inSQL == inMemory, sourceLocation: sourceLocation)
        return try #require(inMemory.first)
    }

    private func id() throws -> AnyObjectID { AnyObjectID(key: try person().objectKey, directory: graph.directory) }

    @Test(arguments: ["0.07", "123456.789", "0.30000000000000004", "-0.123456789012345"])
    func `a decimal constant finds the decimal that is stored`(digits: String) throws {
        let decimal = try #require(Decimal(string: digits))
        try person()["salary"] = .decimal(decimal)
        #expect(decimal.doubleValue == Double(digits))
        #expect(try isTrue(.compare("salary", .equal, .decimal(decimal))))
        #expect(try isTrue(.function(.add, [.keyPath("salary"), .value(0)]), .equal, .value(.decimal(decimal))))
    }

    @Test func `a decimal is handed on as the nearest double`() throws {
        try person()["level"] = 18
        let power = Expression.function(.power, [.value(.decimal(0.1)), .keyPath("level")])
        let rest = Expression.function(.remainder, [.value(.double(0.5)), power])
        _ = try row([(nil, power), (nil, rest), (nil, .function(.multiply, [power, .keyPath("salary")]))])
    }

    @Test func `a flag that is worked out is a flag`() throws {
        try person()["isActive"] = .bool(false)
        let isGrown = Condition.compare("age", .greaterThan, -9)
        let row = try row([
            (nil, .conditional(isGrown, then: .keyPath("isActive"), else: .value(.bool(true)))),
            (nil, .function(.minimum, [.list([.value(.null), .keyPath("isActive")])])),
        ])
        #expect(row == [.bool(false), .bool(false)])
    }

    @Test func `the smallest of whole numbers and decimals keeps its digits`() throws {
        try person()["points"] = .int(.max - 1)
        try person()["salary"] = .null
        let smallest = Expression.function(.minimum, [.list([.keyPath("points"), .keyPath("salary")])])
        #expect(try isTrue(smallest, .equal, .keyPath("points")))
        #expect(try isTrue(smallest, .lessThan, .value(.double(0x1p63))))
        #expect(try row([(nil, smallest)]) == [.decimal(Decimal(Int64.max - 1))])
    }

    @Test func `a decimal beside two to the power of 63 is what a double is`() throws {
        try person()["points"] = .int(.max)
        let sum = Expression.function(.add, [.keyPath("points"), .value(.decimal(1))])
        #expect(try isTrue(sum, .equal, .value(.double(0x1p63))))
        #expect(try isTrue(sum, .equal, .value(.decimal(Decimal(UInt64(1) << 63)))))
        #expect(try isTrue(sum, .greaterThan, .keyPath("points")))
    }

    @Test func `a sum with the smallest whole number is exact, whatever it passes on the way`() throws {
        try person()["points"] = .int(.min)
        let sum = Expression.function(.sum, [.list([.keyPath("points"), .value(-1), .value(1)])])
        #expect(try isTrue(sum, .equal, .keyPath("points")))
        let withFlags = Expression.function(.sum, [.list([.keyPath("points"), .value(.double(0.5))])])
        #expect(try isTrue(withFlags, .lessThanOrEqual, .keyPath("points")))
    }

    @Test func `the median of an even number of whole numbers has its fraction`() throws {
        try person()["points"] = 4
        try person()["age"] = 1
        let keys = Expression.function(.median, [.list([.keyPath("points"), .keyPath("age"), .value(2), .value(3)])])
        #expect(try isTrue(keys, .equal, .value(.double(2.5))))
        #expect(try row([(nil, keys)]) == [.double(2.5)])
        let constants = try Expression(format: "median:({1, 2, 3, 4})")
        #expect(try isTrue(constants, .equal, .value(.double(2.5))))
        #expect(try Expression(format: "median({1, 2, 4})").value(with: .null) == 2)
        #expect(try isTrue(.function(.median, [.list([.keyPath("points"), .value(2)])]), .equal, .value(3)))
    }

    @Test func `a power beyond decimals stays a double`() throws {
        try person()["salary"] = .decimal(18)
        let power = Expression.function(.power, [.keyPath("salary"), .value(200)])
        let larger = Expression.function(.multiply, [power, .value(.decimal(2))])
        #expect(try isTrue(larger, .greaterThan, power))
        #expect(try isTrue(power, .greaterThan, .value(.double(1e250))))
        _ = try row([(nil, power), (nil, larger)])
    }

    @Test func `both branches are handed on alike`() throws {
        try person()["salary"] = .decimal(try #require(Decimal(string: "0.07")))
        try person()["points"] = .int(9_007_199_254_740_993)
        let isGrown = Condition.compare("age", .equal, .int(-77))
        let decimal = Expression.conditional(isGrown, then: .keyPath("points"), else: .keyPath("salary"))
        let double = Expression.conditional(isGrown, then: .keyPath("height"), else: .keyPath("points"))
        #expect(try isTrue(decimal, .equal, .value(.double(0.07))))
        #expect(try isTrue(double, .equal, .keyPath("points")))
        _ = try row([(nil, decimal), (nil, double)])
    }

    @Test func `a sum of doubles does not depend on their order`() throws {
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        for order in [[0.1, 0.2, 0.7], [0.7, 0.2, 0.1], [1e300, 1, -1e300], [1, 1e300, -1e300]] {
            for (other, height) in zip(people.dropFirst(), order) {
                other.links[try slot("friend")] = []
                other["height"] = .double(height)
            }
            for other in people {
                (other.links[try slot("friend")], other.links[try slot("friends")]) = ([], [])
            }
            for other in people.dropFirst() { other.link("friend", to: try person()) }
            #expect(try isTrue(.compare("friends.@sum.height", .equal, 1)), "\(order)")
            #expect(try isTrue(.compare("friends.@avg.height", .equal, .double(1.0 / 3))), "\(order)")
        }
    }

    private func slot(_ name: String) throws -> Int { try #require(try person().entity.propertiesByName[name]).slot }

    @Test func `figures about calculations are those of what they show`() throws {
        try person()["points"] = .int(9_007_199_254_740_993)
        let tenth = Expression.function(.multiply, [.keyPath("age"), .value(.decimal(0.1))])
        let double = Expression.function(.maximum, [.list([.keyPath("points"), .value(.double(0.5))])])
        let moved = Expression.function(.add, [.keyPath("born"), .value(.double(0.5))])
        _ = try row([
            (.sum, tenth), (.average, tenth), (.median, tenth), (.maximum, tenth), (.median, double), (.sum, double),
            (.median, moved), (.maximum, moved), (.median, .keyPath("born")),
        ])
    }

    @Test func `groups and middles take numbers by their value`() throws {
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        for person in people { person.links[try slot("friends")] = [] }
        for person in people { person.links[try slot("friend")] = [] }
        for (person, score) in zip(people, [0, 0, 0.5]) { person["score"] = .double(score) }
        // One sum is the double 0, three are the 0 of nothing.
        people[0].link("friend", to: people[1])
        var request = FetchRequest(entityName: "Person")
        request.resultType = .dictionaries
        request.propertiesToFetch = [.init(.count, of: "self", alias: "count")]
        request.propertiesToGroupBy = ["friends.@sum.score"]
        let fetch = try ResolvedFetch(request, model: graph.model)
        let composer = RowComposer(fetch) { AnyObjectID(key: $0, directory: graph.directory) }
        #expect(try composer.rows(of: graph.objects(of: fetch.entity)) == [[.int(Int64(people.count))]])
        #expect(try QueryDatabase(graph).values(fetch) == [[.int(Int64(people.count))]])
        people[0]["salary"] = 4
        people[2]["salary"] = 5
        people[2].link("friend", to: people[3])
        #expect(try row([(.median, .keyPath("friends.@avg.salary"))]) == [.double(4.5)])
    }

    @Test func `a deviation that has no square is none`() throws {
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        for (person, height) in zip(people, [1e300, -1e300, 1, 2]) { person["height"] = .double(height) }
        _ = try row([(.standardDeviation, .keyPath("height"))])
    }

    @Test func `a sum beyond 64 bits is exact, and no group's harms another's`() throws {
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        for (person, points) in zip(people, [Int64.max, 1, .max, .max]) { person["points"] = .int(points) }
        for (person, name) in zip(people, ["a", "a", "b", "b"]) { person["name"] = .string(name) }
        #expect(try row([(.sum, .keyPath("points"))]) == [.decimal(Decimal(Int64.max) * 3 + 1)])
        var request = FetchRequest(entityName: "Person")
        request.resultType = .dictionaries
        request.propertiesToFetch = [.init(.sum, of: "points", alias: "sum")]
        request.propertiesToGroupBy = ["name"]
        request.havingCondition = .compare("name", .equal, "a")
        let fetch = try ResolvedFetch(request, model: graph.model)
        let expected: [[ManagedValue]] = [[.decimal(Decimal(UInt64(1) << 63))]]
        #expect(
            try RowComposer(fetch) { AnyObjectID(key: $0, directory: graph.directory) }.rows(of: people) == expected)
        #expect(try QueryDatabase(graph).values(fetch) == expected)
    }

    @Test func `a condition on groups compares the figures that rows show`() throws {
        for person in graph.objects(of: try #require(graph.model.entitiesByName["Person"])) {
            person["location"] = "Taipei"
            person["height"] = .double(0.1)
            person["salary"] = .decimal(try #require(Decimal(string: "0.07")))
        }
        var request = FetchRequest(entityName: "Person")
        request.resultType = .dictionaries
        request.propertiesToFetch = [
            .init(.average, of: "height", alias: "mean"), .init(.sum, of: "salary", alias: "sum"),
            .init(.average, of: "salary", alias: "wage"),
        ]
        request.propertiesToGroupBy = ["location"]
        for condition in [
            Condition.compare("mean", .equal, .double(0.1)), .compare("sum", .equal, .double(0.28)),
            .compare("wage", .equal, .decimal(try #require(Decimal(string: "0.07")))),
        ] {
            request.havingCondition = condition
            let fetch = try ResolvedFetch(request, model: graph.model)
            let composer = RowComposer(fetch) { AnyObjectID(key: $0, directory: graph.directory) }
            #expect(try composer.rows(of: graph.objects(of: fetch.entity)).count == 1, "\(condition)")
            #expect(try QueryDatabase(graph).values(fetch).count == 1, "\(condition)")
        }
    }

    @Test func `a date beyond all dates is none`() throws {
        try person()["born"] = .date(Date(timeIntervalSinceReferenceDate: 1.5))
        let far = Expression.function(.add, [.keyPath("born"), .value(.double(.greatestFiniteMagnitude))])
        let further = Expression.function(.add, [far, .value(.double(.greatestFiniteMagnitude))])
        #expect(try isTrue(further, .equal, .value(.null)))
        #expect(try row([(nil, further)]) == [.null])
    }
}
