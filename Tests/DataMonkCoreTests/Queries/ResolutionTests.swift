import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

@Suite("Resolving fetches")
struct ResolutionTests {
    let model: ManagedObjectModel

    init() throws { model = try QueryModel.make() }

    private func error(_ change: (inout FetchRequest) -> Void) -> FetchError? {
        var request = FetchRequest(entityName: "Person")
        change(&request)
        do {
            _ = try ResolvedFetch(request, model: model)
            return nil
        } catch {
            return error
        }
    }

    private func error(_ condition: Condition) -> FetchError? { error { $0.condition = condition } }

    @Test func `an unknown key is refused with the nearest right one`() {
        let unknown = error(.compare("friend.nmae", .equal, "x"))
        #expect(unknown?.code == .unknownKey)
        #expect(unknown?.keyPath == "friend.nmae")
        #expect(unknown?.message == #"Person has no property "nmae" (in "friend.nmae"). Did you mean "name"?"#)
        let entity = error { $0.entityName = "Persn" }
        #expect(entity?.code == .unknownEntity)
        #expect(entity?.message.contains(#"Did you mean "Person"?"#) == true)
    }

    @Test func `the nearest name is said wherever a key can stand`() {
        func isSaid(_ error: FetchError?) -> Bool {
            error?.code == .unknownKey && error?.message.contains("Did you mean \"age\"?") == true
        }
        let wrong = ConditionExpression.keyPath("agee")
        #expect(isSaid(error(.comparison(.init(.value(1), .equal, wrong)))))
        #expect(isSaid(error(.comparison(.init(.function(.add, [wrong, .value(1)]), .equal, .value(1))))))
        #expect(isSaid(error(.comparison(.init(.keyPath("age"), .isIn, .list([wrong, .value(1)]))))))
        #expect(isSaid(error(.compare("friends.@sum.agee", .equal, 1))))
        #expect(isSaid(error(.compare("friends.agee", .equal, 1, modifier: .any))))
        #expect(
            isSaid(
                error(.comparison(.init(.path(.element(.first, of: .keyPath("mentors")), "agee"), .equal, .value(1))))))
        let members = ConditionExpression.subquery(
            .keyPath("friends"), variable: "x", .comparison(.init(.path(.variable("x"), "agee"), .equal, .value(1))))
        #expect(isSaid(error(.comparison(.init(.path(members, "@count"), .equal, .value(1))))))
        #expect(isSaid(error { $0.sortTerms = [SortTerm("agee")] }))
        #expect(isSaid(error { $0.propertiesToFetch = [.init("agee")] }))
        #expect(isSaid(error { $0.relationshipKeyPathsForPrefetching = ["agee"] }))
        #expect(
            isSaid(
                error {
                    $0.resultType = .dictionaries
                    $0.propertiesToFetch = [.init(.count, of: "name")]
                    $0.propertiesToGroupBy = ["agee"]
                }))
        #expect(
            isSaid(
                error {
                    $0.resultType = .dictionaries
                    $0.propertiesToFetch = [.init(.count, of: "name", alias: "n")]
                    $0.propertiesToGroupBy = ["age"]
                    $0.havingCondition = .compare("agee", .equal, 1)
                }))
    }

    @Test func `a comparison with NaN is refused as such`() {
        for value in [ManagedValue.double(.nan), .decimal(.nan), .list([1, .double(.nan)])] {
            let isList = if case .list = value { true } else { false }
            let mismatch = error(.compare("age", isList ? .isIn : .equal, value))
            #expect(mismatch?.code == .typeMismatch && mismatch?.message.contains("NaN") == true)
        }
    }

    @Test func `a path that starts at a constant is refused as such`() throws {
        for format in ["{1, 2}.@count == 2", "'a'.length.x == 1", "{1, 2}[FIRST] == 1", "'abc'[1] == 'b'"] {
            let refused = error(try Condition(format: format))
            #expect(refused?.code == .unsupportedCondition, "\(format)")
            #expect(refused?.message.hasPrefix("A constant, a") == true, "\(format): \(refused?.message ?? "")")
            #expect(refused?.message.contains("…") == false)
        }
    }

    @Test func `a request of thousands of terms is refused before a store is asked`() {
        let many = (0..<5_000).map { "c\($0)" }
        let requests = [
            error { $0.sortTerms = many.map { _ in SortTerm("age") } },
            error {
                $0.resultType = .dictionaries
                $0.propertiesToFetch = many.map { .init("age", alias: $0) }
            },
            error {
                $0.resultType = .dictionaries
                $0.propertiesToFetch = [.init("age")]
                $0.propertiesToGroupBy = many.map { _ in "age" }
            },
        ]
        for refused in requests {
            #expect(refused?.code == .invalidRequest && refused?.message.contains("at most 1000") == true)
        }
    }

    @Test(arguments: [
        ("born", ManagedValue.int(3)), ("born", "2020-01-01"), ("age", "18"), ("name", 3), ("tag", "not a UUID"),
        ("site", "https://a.example"), ("photo", "bytes"), ("age", .date(Date())), ("age", .double(.nan)),
        ("friend", "Monk"), ("friend", 3),
    ])
    func `a value of another type is refused, its own value unsaid`(_ key: String, _ value: ManagedValue) {
        let mismatch = error(.compare(key, .equal, value))
        #expect(mismatch?.code == .typeMismatch)
        #expect(mismatch?.message.contains("Person.\(key) is ") == true)
        #expect(mismatch?.message.contains("2020") == false)
    }

    @Test(arguments: [
        ("height", ManagedValue.int(2)), ("age", 2.5), ("isActive", 1), ("isActive", true), ("salary", 2),
        ("score", 0.1),
        ("age", nil), ("friend", nil), ("name", nil),
    ])
    func `a value that fits is taken`(_ key: String, _ value: ManagedValue) {
        #expect(error(.compare(key, .equal, value)) == nil)
    }

    @Test func `what cannot be compared is refused`() {
        #expect(error(.compare("secret", .equal, .data(Data())))?.code == .notComparable)
        #expect(error(.compare("secret", .notEqual, nil)) == nil)
        #expect(error(.compare("friend", .lessThan, nil))?.code == .notComparable)
        #expect(error(.compare("age", .like, "1*"))?.code == .notComparable)
        #expect(error(.compare("age", .equal, 3, options: .caseInsensitive))?.code == .notComparable)
        #expect(error(.comparison(.init(.keyPath("age"), .equal, .keyPath("name"))))?.code == .typeMismatch)
        #expect(error(.compare("friends.age", .equal, 3))?.code == .invalidKeyPath)
        #expect(error(.compare("age.name", .equal, 3))?.code == .invalidKeyPath)
        #expect(error(.compare("friend.@count", .equal, 3))?.code == .invalidKeyPath)
        #expect(error(.compare("friends.@sum.name", .equal, 3))?.code == .notComparable)
        #expect(error(.compare("age", .between, [1, 2, 3]))?.code == .invalidRequest)
        #expect(error(.compare("name", .matches, "("))?.code == .invalidPattern)
    }

    @Test func `a constant on the left exchanges the sides`() throws {
        let condition = Condition.comparison(.init(.value(18), .lessThan, .keyPath("age")))
        let fetch = try ResolvedFetch(FetchRequest(entityName: "Person", condition: condition), model: model)
        guard case .comparison(let comparison)? = fetch.condition else { return #expect(Bool(false), "no comparison") }
        #expect(comparison.operation == .greaterThan)
    }

    @Test func `a modifier over a single value says nothing more`() {
        #expect(error(.compare("friend.age", .equal, 3, modifier: .any)) == nil)
        #expect(error(.compare("age", .equal, 3, modifier: .none)) == nil)
    }

    @Test func `depth is capped, length is not`() {
        var deep = Condition.compare("age", .equal, 1)
        for _ in 0..<10_000 { deep = .not(deep) }
        #expect(error(deep)?.code == .invalidRequest)
        #expect(error(.and((0..<10_000).map { .compare("age", .notEqual, .int($0)) })) == nil)
    }

    @Test func `order, prefetching and numbers are checked`() {
        #expect(error { $0.sortTerms = [SortTerm("friends.age")] }?.code == .notComparable)
        #expect(error { $0.sortTerms = [SortTerm("friend")] }?.code == .notComparable)
        #expect(error { $0.sortTerms = [SortTerm("age", comparator: .caseInsensitive)] }?.code == .notComparable)
        #expect(error { $0.sortTerms = [SortTerm("friend.name"), SortTerm("friends.@count")] } == nil)
        #expect(error { $0.relationshipKeyPathsForPrefetching = ["name"] }?.code == .invalidKeyPath)
        #expect(error { $0.relationshipKeyPathsForPrefetching = ["friends.department"] } == nil)
        #expect(error { $0.fetchLimit = -1 }?.code == .invalidRequest)
    }

    @Test func `columns and groups must go together`() {
        func rows(
            _ selections: [FetchRequest.Selection], groupBy: [String] = [], having: Condition? = nil,
            orderBy: [SortTerm] = [], distinct: Bool = false
        ) -> FetchError? {
            error {
                $0.resultType = .dictionaries
                $0.propertiesToFetch = selections
                $0.propertiesToGroupBy = groupBy
                $0.havingCondition = having
                $0.sortTerms = orderBy
                $0.returnsDistinctResults = distinct
            }
        }
        #expect(rows([])?.code == .invalidRequest)
        #expect(rows([.init("age"), .init(.average, of: "age")])?.code == .invalidRequest)
        #expect(rows([.init("location"), .init(.average, of: "age")])?.keyPath == "location")
        #expect(rows([.init("location"), .init(.average, of: "age")], groupBy: ["location"]) == nil)
        #expect(rows([.init(.sum, of: "name")])?.code == .notComparable)
        #expect(rows([.init("friends")])?.code == .invalidKeyPath)
        #expect(rows([.init(.count, of: "age")], having: .constant(true))?.code == .invalidRequest)
        let groups = [FetchRequest.Selection("location"), .init(.average, of: "age", alias: "mean")]
        #expect(rows(groups, groupBy: ["location"], having: .compare("mean", .greaterThan, 3)) == nil)
        #expect(rows(groups, groupBy: ["location"], having: .compare("age", .greaterThan, 3))?.keyPath == "age")
        #expect(rows(groups, groupBy: ["location"], orderBy: [SortTerm("mean")]) == nil)
        #expect(rows([.init("name")], orderBy: [SortTerm("age")]) == nil)
        #expect(rows([.init("name")], orderBy: [SortTerm("age")], distinct: true)?.code == .invalidRequest)
    }
}
