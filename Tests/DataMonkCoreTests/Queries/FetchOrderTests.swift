import DataMonkCore
import DataMonkTesting
import Testing

@Suite("Order and pages in memory")
struct FetchOrderTests {
    let model: ManagedObjectModel

    init() throws { model = try QueryModel.make() }

    private func people(_ names: [ManagedValue]) throws -> [QueryObject] {
        let entity = try #require(model.entitiesByName["Person"])
        return names.enumerated().map { place, name in
            let person = QueryObject(entity, primaryKey: Int64(place + 1))
            person["name"] = name
            return person
        }
    }

    private func fetch(_ terms: [SortTerm], limit: Int = 0, offset: Int = 0) throws -> ResolvedFetch {
        var request = FetchRequest(entityName: "Person")
        request.sortTerms = terms
        request.fetchLimit = limit
        request.fetchOffset = offset
        return try ResolvedFetch(request, model: model)
    }

    private func names(_ people: [QueryObject]) -> [ManagedValue] { people.map { $0["name"] } }

    @Test func `nil comes first, and last backwards`() throws {
        let people = try people(["b", nil, "a"])
        #expect(names(try fetch([SortTerm("name")]).sorted(people)) == [nil, "a", "b"])
        #expect(names(try fetch([SortTerm("name", ascending: false)]).sorted(people)) == ["b", "a", nil])
    }

    @Test func `text is ordered by scalars, or as its comparator says`() throws {
        let people = try people(["b", "B", "a10", "a9"])
        #expect(names(try fetch([SortTerm("name")]).sorted(people)) == ["B", "a10", "a9", "b"])
        let folded = try fetch([SortTerm("name", comparator: .caseInsensitive)]).sorted(people)
        #expect(names(folded) == ["a10", "a9", "b", "B"])
        let localized = try fetch([SortTerm("name", comparator: .localizedStandard)]).sorted(people)
        #expect(names(localized).prefix(2) == ["a9", "a10"])
    }

    @Test func `two ordered lists merge, of equals the first list's first`() throws {
        let first = try people(["a", "c", "c"])
        let second = try people(["b", "c", "d"])
        let merged = try fetch([SortTerm("name")]).merged(first, with: second)
        #expect(names(merged) == ["a", "b", "c", "c", "c", "d"])
        #expect(merged[4] === second[1])
    }

    @Test func `a page is cut after the order, and widened for what may fall away`() throws {
        let page = try fetch([SortTerm("name")], limit: 2, offset: 1)
        #expect(page.page(["a", "b", "c", "d"]) == ["b", "c"])
        #expect(page.page(["a"]) == [])
        let widened = page.widened(by: 3)
        #expect(widened.offset == 0)
        #expect(widened.limit == 6)
        #expect(try fetch([]).widened(by: 3).limit == nil)
    }

    @Test(arguments: ["mood", "friend.mood", "friends.@max.mood", "mood.length"])
    func `what no store has is refused by every store, and taken in memory`(keyPath: String) throws {
        let condition = Condition.compare(keyPath, .equal, nil)
        var request = FetchRequest(entityName: "Person", condition: condition)
        let failure = #expect(throws: FetchError.self) { try ResolvedFetch(request, model: model) }
        #expect(failure?.code == .unsupportedByStore)
        #expect(failure?.keyPath == keyPath)
        request.condition = nil
        request.resultType = .dictionaries
        request.propertiesToFetch = [.init(keyPath)]
        #expect(throws: FetchError.self) { try ResolvedFetch(request, model: model) }
        request.propertiesToFetch = [.init(.count, of: "self", alias: "count")]
        request.propertiesToGroupBy = [keyPath]
        #expect(throws: FetchError.self) { try ResolvedFetch(request, model: model) }
        if keyPath != "mood.length" {
            #expect(throws: FetchError.self) { try fetch([SortTerm(keyPath)]) }
        }
    }
}
