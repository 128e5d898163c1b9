import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

@Suite("Compiled queries in SQLite")
struct QueryPlanTests {
    let graph: QueryGraph
    let database: QueryDatabase

    init() throws {
        var generator = SeededGenerator(seed: 7)
        graph = try QueryGraph(people: 20, using: &generator)
        database = try QueryDatabase(graph)
    }

    private func plan(_ change: (inout FetchRequest) -> Void) throws -> String {
        var request = FetchRequest(entityName: "Person")
        change(&request)
        return try database.plan(database.compiler.objects(ResolvedFetch(request, model: graph.model)))
    }

    @Test(arguments: [
        Condition.compare("name", .equal, "Monk"), .compare("name", .beginsWith, "Mo"),
        .compare("name", .isIn, ["Monk", "Knight", "Zoë"]), .compare("name", .between, ["A", "K"]),
        .compare("name", .equal, nil),
    ])
    func `an index over the attribute serves the condition`(_ condition: Condition) throws {
        let plan = try plan { $0.condition = condition }
        #expect(plan.contains("USING INDEX Z_Person_byName"))
    }

    @Test(arguments: [true, false])
    func `an index over the attribute serves the order, the key at its end included`(_ ascending: Bool) throws {
        let plan = try plan {
            $0.sortTerms = [SortTerm("name", ascending: ascending)]
            $0.fetchLimit = 10
        }
        #expect(plan.contains("USING INDEX Z_Person_byName"))
        #expect(!plan.contains("TEMP B-TREE"))
    }

    @Test func `the index of a to-one serves its inverse`() throws {
        let plan = try plan { $0.condition = .compare("friends.age", .greaterThan, 3, modifier: .all) }
        #expect(plan.contains("USING INDEX ZPERSON_ZFRIEND_INDEX"))
    }

    @Test func `ANY begins with the objects that the index over the attribute finds`() throws {
        let plan = try plan { $0.condition = .compare("friends.name", .equal, "Monk", modifier: .any) }
        #expect(plan.contains("SEARCH t0 USING INTEGER PRIMARY KEY"))
        #expect(plan.contains("SEARCH t1 USING INDEX Z_Person_byName"))
    }

    @Test func `a list too long for parameters finds the same objects`() throws {
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        let padding = (0..<5_000).map { ManagedValue.string("nobody \"\($0)\" \\ \u{1F600}\n") }
        let names: [ManagedValue] = ["Monk", "it's", "\"quoted\"; DROP", "line\nbreak", "\u{1F600}"]
        func fetch(_ values: [ManagedValue]) throws -> ResolvedFetch {
            try ResolvedFetch(
                FetchRequest(entityName: "Person", condition: .compare("name", .isIn, .list(values))),
                model: graph.model)
        }
        let expected = try people.filter { try fetch(names).matches($0) }.map(\.objectKey.primaryKey)
        #expect(!expected.isEmpty)
        #expect(try database.keys(fetch(names + padding)).sorted() == expected)
    }

    @Test func `an expression that tries too much fails the query`() throws {
        try database.connection.execute("UPDATE ZPERSON SET ZNAME = '\(String(repeating: "a", count: 40))'")
        let fetch = try ResolvedFetch(
            FetchRequest(entityName: "Person", condition: .compare("name", .matches, "(a+)+b")), model: graph.model)
        let failure = failure { _ = try database.keys(fetch) }
        #expect((failure?.underlyingError as? FetchError)?.code == .patternTooExpensive)
    }
}
