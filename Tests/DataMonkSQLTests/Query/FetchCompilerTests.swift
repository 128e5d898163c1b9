import DataMonkCore
import DataMonkSQL
import DataMonkTesting
import Testing

@Suite("Fetches to SQL")
struct FetchCompilerTests {
    let model: ManagedObjectModel
    let compiler: QueryCompiler

    init() throws {
        model = try QueryModel.make()
        compiler = QueryCompiler(schema: try StoreSchema(model: model), storeIndex: 0)
    }

    private func resolve(_ entity: String, _ change: (inout FetchRequest) -> Void = { _ in }) throws -> ResolvedFetch {
        var request = FetchRequest(entityName: entity)
        change(&request)
        return try ResolvedFetch(request, model: model)
    }

    @Test func `objects come with key, version and their columns in slot order`() throws {
        let query = try compiler.objects(try resolve("Team"))
        #expect(query.sql == "SELECT t0.Z_PK, t0.Z_OPT, t0.ZTITLE, t0.ZSIZE FROM ZTEAM t0")
        guard case .objects(let plan) = query.result else { return #expect(Bool(false), "no plan for rows") }
        #expect(plan.key.entityColumn == nil)
        #expect(plan.versionColumn == 1)
        #expect(plan.entities[0].columns.map(\.position) == [2, 3])
        #expect(plan.entities[0].columns.map(\.slot) == [0, 1])
    }

    @Test func `rows of a family share the columns of the root`() throws {
        guard case .objects(let plan) = try compiler.objects(try resolve("Person")).result else {
            return #expect(Bool(false), "no plan for rows")
        }
        #expect(plan.key.entityColumn == 1)
        #expect(plan.key.entities.map(\.entity.name) == ["Person", "Monk"])
        let (person, monk) = (plan.entities[0], plan.entities[1])
        #expect(monk.columns.prefix(person.columns.count).map(\.position) == person.columns.map(\.position))
        #expect(monk.columns.count == person.columns.count + 1)
        let friend = try #require(person.entity.relationship(named: "friend")).slot
        let column = try #require(person.columns.first { $0.slot == friend })
        #expect(column.form == .toAnyOne)
        #expect(column.width == 2)
        #expect(Int(column.destination) == person.entity.index)
    }

    @Test func `keys alone are asked for where values are not wanted`() throws {
        let query = try compiler.objects(try resolve("Person") { $0.includesPropertyValues = false })
        #expect(query.sql == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0")
    }

    @Test func `order ends with the key in the direction of the last term`() throws {
        let query = try compiler.keys(
            try resolve("Team") { $0.sortTerms = [SortTerm("title"), SortTerm("size", ascending: false)] })
        #expect(query.sql == "SELECT t0.Z_PK FROM ZTEAM t0 ORDER BY t0.ZTITLE, t0.ZSIZE DESC, t0.Z_PK DESC")
        let folded = try compiler.keys(
            try resolve("Team") { $0.sortTerms = [SortTerm("title", comparator: .caseInsensitive)] })
        #expect(folded.sql == "SELECT t0.Z_PK FROM ZTEAM t0 ORDER BY t0.ZTITLE COLLATE DATAMONK_C, t0.Z_PK")
    }

    @Test func `a page is bound, and counted as a page`() throws {
        let page = try resolve("Team") {
            $0.fetchLimit = 100
            $0.fetchOffset = 20
        }
        let query = try compiler.keys(page)
        #expect(query.sql == "SELECT t0.Z_PK FROM ZTEAM t0 LIMIT ? OFFSET ?")
        #expect(query.bindings == [.integer(100), .integer(20)])
        #expect(
            try compiler.count(page).sql == "SELECT COUNT(*) FROM (SELECT 1 FROM ZTEAM t0 LIMIT ? OFFSET ?)")
    }

    @Test func `requests of one shape have one text`() throws {
        func sql(_ age: Int64, _ names: [ManagedValue], _ limit: Int) throws -> String {
            try compiler.objects(
                try resolve("Person") {
                    $0.condition = Condition.compare("age", .equal, .int(age)).and(
                        .compare("name", .isIn, .list(names)))
                    $0.fetchLimit = limit
                }
            ).sql
        }
        #expect(try sql(1, ["a", "b", "c"], 10) == sql(2, ["x", "y", "z", "w"], 20))
    }

    @Test func `figures of groups`() throws {
        let query = try compiler.values(
            try resolve("Person") {
                $0.resultType = .dictionaries
                $0.propertiesToFetch = [
                    .init("location"), .init(.average, of: "age"), .init(.count, of: "self", alias: "people"),
                    .init(.sum, of: "salary"), .init(.standardDeviation, of: "height"), .init(.median, of: "born"),
                ]
                $0.propertiesToGroupBy = ["location"]
                $0.havingCondition = .compare("age", .greaterThan, 30).and(.compare("salary", .lessThan, 9))
                $0.sortTerms = [SortTerm("age", ascending: false)]
            })
        #expect(
            query.sql == """
                SELECT t0.ZLOCATION, AVG(t0.ZAGE), COUNT(*), datamonk_sum(t0.ZSALARY, 'd'), \
                datamonk_stddev(t0.ZHEIGHT, 'f'), datamonk_median(t0.ZBORN, 'e') FROM ZPERSON t0 GROUP BY t0.ZLOCATION \
                HAVING datamonk_compared_average(t0.ZAGE, 'i') > ? AND datamonk_compared_sum(t0.ZSALARY, 'd') < ? \
                ORDER BY AVG(t0.ZAGE) DESC
                """)
        #expect(query.bindings == [.integer(30), .integer(9)])
    }

    @Test func `objects in rows come with their entity`() throws {
        let query = try compiler.values(
            try resolve("Person") {
                $0.resultType = .dictionaries
                $0.propertiesToFetch = [.init("self"), .init("friend"), .init("department")]
                $0.returnsDistinctResults = true
            })
        #expect(
            query.sql
                == "SELECT DISTINCT t0.Z_PK, t0.Z_ENT, t0.ZFRIEND, t0.Z2_FRIEND, t0.ZDEPARTMENT FROM ZPERSON t0")
        guard case .values(let columns) = query.result else { return #expect(Bool(false), "no columns") }
        #expect(columns.map(\.position) == [0, 2, 4])
        #expect(columns.map(\.entityColumn) == [1, 3, nil])
    }

    @Test func `data in a file of its own is no column`() throws {
        let fetch = try resolve("Person") {
            $0.resultType = .dictionaries
            $0.propertiesToFetch = [.init("portrait")]
        }
        let error = #expect(throws: FetchError.self) { try compiler.values(fetch) }
        #expect(error?.code == .unsupportedByStore)
    }
}
