import DataMonkCore
import DataMonkSQL
import DataMonkTesting
import Foundation
import Testing

@Suite("Queries in memory and in SQL")
struct QueryDifferentialTests {
    /// How many requests a run compares that asks for more than the usual ones, by `DATAMONK_QUERIES`.
    private static let asked = number("DATAMONK_QUERIES").map { Int($0) }
    private static let requests = asked ?? 5_000
    /// The usual ones are the same each time: what a run finds beyond them must not depend on luck. `DATAMONK_QUERY_SEED`
    /// repeats a run.
    private static let seed = number("DATAMONK_QUERY_SEED") ?? (asked == nil ? 2 : .random(in: 0 ... .max))

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    init() { if Self.asked != nil { print("Compares queries of the seed \(Self.seed)") } }

    @Test func `random conditions choose the same objects in the same order`() throws {
        try compareConditions(Self.requests) { _ in true }
    }

    @Test func `random conditions on members of JSON choose the same objects in the same order`() throws {
        // Looking into conditions takes its time: 5,000 are for a run that asks for them.
        try compareConditions(Self.asked ?? 500) { $0.condition.map { "\($0)".contains("facts") } ?? false }
    }

    /// Compares the results of random conditions, those that are wanted.
    private func compareConditions(_ requests: Int, _ isWanted: (FetchRequest) -> Bool) throws {
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        let graph = try QueryGraph(people: 24, using: &generator)
        let database = try QueryDatabase(graph)
        var queries = QueryGenerator(seed: seed, ids: graph.ids)
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        var (compared, refused) = (0, 0)
        while compared < requests {
            var request = FetchRequest(entityName: queries.int(6) == 0 ? "Monk" : "Person")
            request.condition = queries.condition()
            guard isWanted(request) else { continue }
            request.sortTerms = queries.sortTerms()
            request.includesSubentities = queries.int(4) > 0
            // Without an order a page is any page.
            if !request.sortTerms.isEmpty {
                request.fetchLimit = queries.int(3) == 0 ? queries.int(10) : 0
                request.fetchOffset = queries.int(3) == 0 ? queries.int(5) : 0
            }
            guard let fetch = try? ResolvedFetch(request, model: graph.model) else { continue }
            guard let sql = try statement({ try database.compiler.keys(fetch) }) else {
                refused += 1
                continue
            }
            compared += 1
            let keys = try database.keys(fetch)
            let inMemory = try expected(fetch, people)
            #expect((request.sortTerms.isEmpty ? keys.sorted() : keys) == inMemory, "seed \(seed): \(request)\n\(sql)")
            #expect(try database.count(fetch) == Int64(keys.count), "seed \(seed): \(request)")
        }
        // Paths into JSON nest deeper than others.
        #expect(refused <= compared / 100)
    }

    @Test func `random columns, figures and groups give the same rows`() throws {
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        let graph = try QueryGraph(people: 24, using: &generator)
        let database = try QueryDatabase(graph)
        var queries = QueryGenerator(seed: seed, ids: graph.ids)
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        var (compared, refused) = (0, 0)
        while compared < Self.requests / 5 {
            let request = queries.rowsRequest()
            guard let fetch = try? ResolvedFetch(request, model: graph.model) else { continue }
            guard let sql = try statement({ try database.compiler.values(fetch) }) else {
                refused += 1
                continue
            }
            compared += 1
            let composer = RowComposer(fetch) { AnyObjectID(key: $0, directory: graph.directory) }
            var inMemory = try texts(fetch.selections) { try composer.rows(of: people) }
            var inSQL = try texts(fetch.selections) { try database.values(fetch) }
            if request.sortTerms.isEmpty {
                inMemory.sort()
                inSQL.sort()
            }
            #expect(inSQL == inMemory, "seed \(seed): \(request)\n\(sql)")
        }
        #expect(refused <= compared / 1_000)
    }

    /// The statement; nil for what is nested deeper than the database's parser follows, which is refused before it is asked.
    private func statement(_ compile: () throws -> SQLQuery) throws -> String? {
        do {
            return try compile().sql
        } catch let error as FetchError where error.code == .unsupportedByStore {
            return nil
        }
    }

    /// The rows as texts.
    private func texts(
        _ columns: [ResolvedSelection], _ rows: () throws -> [[ManagedValue]]
    ) rethrows -> [String] {
        try rows().map { row in
            zip(columns, row).map { Self.text($1, isRounded: $0.isRounded) }.joined(separator: " | ")
        }
    }

    /// A value as text. Sums of doubles depend on their order in the last digits, which are left out; and a database knows no
    /// negative zero.
    private static func text(_ value: ManagedValue, isRounded: Bool) -> String {
        switch value {
        case .double(let number) where isRounded: String(format: "%.12g", number)
        case .double(0): "double(0)"
        case .decimal(let number) where isRounded: String(format: "decimal %.12g", number.doubleValue)
        default: "\(value)"
        }
    }

    private func expected(_ fetch: ResolvedFetch, _ people: [QueryObject]) throws -> [Int64] {
        // Equal objects follow their keys, backwards where the last term goes backwards.
        let isBackwards = fetch.sortTerms.last?.ascending == false
        let candidates = people.filter { fetch.includes($0.entity) }
        let matching = try (isBackwards ? candidates.reversed() : candidates).filter { try fetch.matches($0) }
        return fetch.page(fetch.sorted(matching)).map(\.objectKey.primaryKey)
    }
}

extension ResolvedSelection {
    /// Whether its last digits depend on the order of its values.
    fileprivate var isRounded: Bool {
        switch function {
        case nil, .count, .minimum, .maximum, .median: false
        case .sum, .average, .standardDeviation: true
        }
    }
}

extension QueryGraph {
    var ids: [AnyObjectID] { objects.map { AnyObjectID(key: $0.objectKey, directory: directory) } }
}
