import DataMonk
import DataMonkCore
import Foundation
import Testing

@Suite("Query operators")
struct QueryOperatorTests {
    @Test(arguments: [
        (%"age" == 18, Condition.Comparison.Operator.equal), (%"age" != 18, .notEqual), (%"age" < 18, .lessThan),
        (%"age" <= 18, .lessThanOrEqual), (%"age" > 18, .greaterThan), (%"age" >= 18, .greaterThanOrEqual),
    ])
    func `six operators`(_ query: Query, _ operation: Condition.Comparison.Operator) {
        #expect(query.condition == .compare("age", operation, 18))
    }

    @Test func `values of every kind`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.org"))
        let text: String? = "Taipei"
        let none: String? = nil
        #expect((%"a" == "text").condition == .compare("a", .equal, "text"))
        #expect((%"a" == 1.5).condition == .compare("a", .equal, 1.5))
        #expect((%"a" == true).condition == .compare("a", .equal, true))
        #expect((%"a" < date).condition == .compare("a", .lessThan, .date(date)))
        #expect((%"a" == uuid).condition == .compare("a", .equal, .uuid(uuid)))
        #expect((%"a" == url).condition == .compare("a", .equal, .url(url)))
        #expect((%"a" == Decimal(3)).condition == .compare("a", .equal, .decimal(3)))
        #expect((%"a" == text).condition == .compare("a", .equal, "Taipei"))
        #expect((%"a" == none).condition == .compare("a", .equal, nil))
        #expect((%"a" == nil).condition == .compare("a", .equal, nil))
        #expect((%"a" != nil).condition == .compare("a", .notEqual, nil))
        #expect((%"a" == Rank.abbot).condition == .compare("a", .equal, 1))
    }

    private enum Rank: Int, CaseIterable, ManagedAttribute { case monk, abbot }

    @Test func `a key against a key`() {
        #expect(
            (%"name" == %"location").condition == .comparison(.init(.keyPath("name"), .equal, .keyPath("location"))))
    }

    @Test func `modifiers stand behind the key`() {
        #expect((%"friend.age"%.any > 3).condition == .compare("friend.age", .greaterThan, 3, modifier: .any))
        #expect((%"friend.age"%.all > 3).condition == .compare("friend.age", .greaterThan, 3, modifier: .all))
    }

    @Test func `and, or and not keep chains flat`() {
        let (one, two, three) = (%"a" == 1, %"b" == 2, %"c" == 3)
        #expect((one && two && three).condition == .and([one.condition, two.condition, three.condition]))
        #expect((one || two || three).condition == .or([one.condition, two.condition, three.condition]))
        #expect((!(one && two)).condition == .not(.and([one.condition, two.condition])))
        #expect((!(!one)).condition == one.condition)
    }

    @Test func `order, options and columns join by a bar`() {
        let order: OrderBy = .Ascending("name") | .Descending("age")
        #expect(order.terms == [SortTerm("name"), SortTerm("age", ascending: false)])
        let keys = %"name" | %"location" | %"age"
        #expect(keys.groupingKeyPaths == ["name", "location", "age"])
        #expect((%"name").groupingKeyPaths == ["name"])
        let columns: Select = .Select("name", "age") | .Average("age", alias: "mean") | .Count("self") | .Max("age")
        #expect(columns.selections.map(\.alias) == ["name", "age", "mean", "self", "age"])
        #expect(columns.selections.map(\.function) == [nil, nil, .average, .count, .maximum])
    }

    @Test func `options change the request, the later one last`() {
        var request = FetchRequest(entityName: "Person")
        let options: QueryOptions =
            .NoSubEntities | .NoPendingChanges | .NoPropertyValues | .Limit(5) | .Limit(100) | .Offset(20) | .Batch(10)
            | .Prefetch(["friend"]) | .PropertiesOnly(["name"]) | .Distinct | .Tweak { $0.fetchOffset += 1 }
        options.apply(to: &request)
        #expect(!request.includesSubentities && !request.includesPendingChanges && !request.includesPropertyValues)
        #expect(request.fetchLimit == 100 && request.fetchOffset == 21 && request.fetchBatchSize == 10)
        #expect(request.relationshipKeyPathsForPrefetching == ["friend"])
        #expect(request.propertiesToFetch == [.init("name")])
        #expect(request.returnsDistinctResults)
    }

    @Test func `equalities say what an object must hold`() throws {
        let equalities = try (%"name" == "Knight" && %"age" == 18 && %"nick" == %"name").condition.equalities()
        #expect(equalities.map(\.keyPath) == ["name", "age", "nick"])
        #expect(equalities.map(\.value) == [.value("Knight"), .value(18), .keyPath("name")])
    }

    @Test(arguments: [
        %"age" > 18, %"name" == "a" || %"name" == "b", !(%"name" == "a"), %"friends.age"%.any == 3,
        %"age" == 1 && %"age" == 2, %"age" == 1 && %"name" != "b",
    ])
    func `other conditions do not say how to make an object`(_ query: Query) {
        let error = #expect(throws: FetchError.self) { try query.condition.equalities() }
        #expect(error?.code == .unsupportedCondition)
    }
}
