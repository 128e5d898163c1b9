import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

@Suite("Rows of values in memory")
struct RowComposerTests {
    let model: ManagedObjectModel
    let directory: ObjectDirectory

    init() throws {
        model = try QueryModel.make()
        directory = ObjectDirectory(model: model)
    }

    private func people(_ values: [[String: ManagedValue]]) throws -> [QueryObject] {
        let entity = try #require(model.entitiesByName["Person"])
        return values.enumerated().map { place, values in
            let person = QueryObject(entity, primaryKey: Int64(place + 1))
            for (name, value) in values { person[name] = value }
            return person
        }
    }

    private func rows(_ people: [QueryObject], _ change: (inout FetchRequest) -> Void) throws -> [[ManagedValue]] {
        var request = FetchRequest(entityName: "Person")
        request.resultType = .dictionaries
        change(&request)
        let fetch = try ResolvedFetch(request, model: model)
        return try RowComposer(fetch) { [directory] in AnyObjectID(key: $0, directory: directory) }.rows(of: people)
    }

    private func figure(
        _ function: FetchRequest.Selection.Function, _ key: String, _ values: [ManagedValue]
    ) throws -> ManagedValue? {
        let people = try people(values.map { [key: $0] })
        return try rows(people) { $0.propertiesToFetch = [.init(function, of: key)] }.first?.first
    }

    @Test func `figures leave nil out`() throws {
        let ages: [ManagedValue] = [1, nil, 2, 6]
        #expect(try figure(.count, "age", ages) == 3)
        #expect(try figure(.sum, "age", ages) == .decimal(9))
        #expect(try figure(.average, "age", ages) == .decimal(3))
        #expect(try figure(.minimum, "age", ages) == 1)
        #expect(try figure(.maximum, "age", ages) == 6)
        #expect(try figure(.median, "age", ages) == 2)
    }

    @Test func `a figure of nothing is nil, a count of nothing 0, in one row`() throws {
        for function in FetchRequest.Selection.Function.allCases {
            #expect(try figure(function, "age", []) == (function == .count ? 0 : .null))
        }
    }

    @Test func `the deviation is that of a population`() throws {
        let values: [ManagedValue] = [2, 4, 4, 4, 5, 5, 7, 9]
        #expect(try figure(.standardDeviation, "age", values) == .decimal(2))
    }

    @Test func `an even median is the mean of the middle, in the property's type`() throws {
        #expect(try figure(.median, "age", [1, 2]) == 1)
        #expect(try figure(.median, "height", [1.0, 2.0]) == 1.5)
        let days: [ManagedValue] = [0, 10].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        #expect(try figure(.median, "born", days) == .date(Date(timeIntervalSinceReferenceDate: 5)))
    }

    @Test func `the median is the middle of the sorted values, in whatever order they come`() throws {
        var generator = SeededGenerator(seed: 31)
        for count in [1, 2, 3, 10, 99, 100, 1_000] {
            let up = (0..<Int64(count)).map { $0 - 5 }
            let few = up.map { $0 % 3 }
            for numbers in [up, up.reversed(), up.shuffled(using: &generator), few, few.shuffled(using: &generator)] {
                let sorted = numbers.sorted()
                let (lower, upper) = (sorted[(count - 1) / 2], sorted[count / 2])
                #expect(try figure(.median, "age", numbers.map { .int($0) }) == .int((lower + upper) / 2))
                let middle = Double(lower) / 2 + Double(upper) / 2
                #expect(try figure(.median, "height", numbers.map { .double(Double($0)) }) == .double(middle))
            }
        }
    }

    @Test func `a median of numbers of several kinds is that of their values`() throws {
        let mixed: [[ManagedValue]] = [
            [.double(2.5), 1, 3], [3, 1, .double(2.5)], [3, .double(2.5), .double(.infinity), 1, -4],
        ]
        for values in mixed {
            var accumulator = AggregateAccumulator(.median)
            for value in values { accumulator.add(value) }
            #expect(accumulator.result == .double(2.5))
        }
        var dates = AggregateAccumulator(.median)
        for second in [3, 1, 2] { dates.add(.date(Date(timeIntervalSinceReferenceDate: Double(second)))) }
        #expect(dates.result == .date(Date(timeIntervalSinceReferenceDate: 2)))
    }

    @Test func `decimals add up exactly`() throws {
        let tenth = try #require(Decimal(string: "0.1"))
        #expect(try figure(.sum, "salary", Array(repeating: .decimal(tenth), count: 10)) == .decimal(1))
        #expect(try figure(.average, "salary", Array(repeating: .decimal(tenth), count: 10)) == .decimal(tenth))
    }

    @Test func `a sum beyond 64 bits is exact`() throws {
        #expect(try figure(.sum, "age", [.int(.max), 1]) == .decimal(Decimal(UInt64(1) << 63)))
        #expect(try figure(.sum, "age", [.int(.max), 1, -2]) == .decimal(Decimal(Int64.max - 1)))
    }

    @Test func `groups, their condition and their order`() throws {
        let people = try people([
            ["location": "Taipei", "age": 20], ["location": "Osaka", "age": 50], ["location": "Taipei", "age": 40],
            ["age": 90],
        ])
        let found = try rows(people) {
            $0.propertiesToFetch = [.init("location"), .init(.average, of: "age")]
            $0.propertiesToGroupBy = ["location"]
            $0.havingCondition = .compare("age", .lessThan, 60)
            $0.sortTerms = [SortTerm("age", ascending: false)]
        }
        #expect(found == [["Osaka", .decimal(50)], ["Taipei", .decimal(30)]])
    }

    @Test func `distinct rows, sorted and cut`() throws {
        let people = try people(["b", "a", "b", "é", "e\u{301}"].map { ["name": .string($0)] })
        let found = try rows(people) {
            $0.propertiesToFetch = [.init("name")]
            $0.sortTerms = [SortTerm("name", ascending: false)]
            $0.returnsDistinctResults = true
            $0.fetchLimit = 3
        }
        // The two spellings are different texts, as they are for a database.
        #expect(found.count == 3)
        #expect(found.last == ["b"])
    }
}
