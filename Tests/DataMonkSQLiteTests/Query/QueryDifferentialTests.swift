import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

@Suite("Queries in memory and in SQL")
struct QueryDifferentialTests {
    /// How many requests a run compares that asks for more than the usual ones, by `DATAMONK_QUERIES`.
    private static let asked = ProcessInfo.processInfo.environment["DATAMONK_QUERIES"].flatMap { Int($0) }
    private static let requests = asked ?? 5_000
    /// The usual ones are the same each time: what a run finds beyond them must not depend on luck.
    private static let seed: UInt64 = asked == nil ? 2 : .random(in: 0 ... .max)

    @Test func `random conditions choose the same objects in the same order`() throws {
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        let graph = try QueryGraph(people: 24, using: &generator)
        let database = try QueryDatabase(graph)
        var queries = QueryGenerator(seed: seed, ids: graph.ids)
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        var compared = 0
        while compared < Self.requests {
            var request = FetchRequest(entityName: queries.int(6) == 0 ? "Monk" : "Person")
            request.condition = queries.condition()
            request.sortTerms = queries.sortTerms()
            request.includesSubentities = queries.int(4) > 0
            // Without an order a page is any page.
            if !request.sortTerms.isEmpty {
                request.fetchLimit = queries.int(3) == 0 ? queries.int(10) : 0
                request.fetchOffset = queries.int(3) == 0 ? queries.int(5) : 0
            }
            guard let fetch = try? ResolvedFetch(request, model: graph.model) else { continue }
            compared += 1
            let keys = try database.keys(fetch)
            let inMemory = try expected(fetch, people)
            let sql = try database.compiler.keys(fetch).sql
            #expect((request.sortTerms.isEmpty ? keys.sorted() : keys) == inMemory, "seed \(seed): \(request)\n\(sql)")
            #expect(try database.count(fetch) == Int64(keys.count), "seed \(seed): \(request)")
        }
    }

    @Test func `random columns, figures and groups give the same rows`() throws {
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        let graph = try QueryGraph(people: 24, using: &generator)
        let database = try QueryDatabase(graph)
        var queries = QueryGenerator(seed: seed, ids: graph.ids)
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        var compared = 0
        while compared < Self.requests / 5 {
            let request = queries.rowsRequest()
            guard let fetch = try? ResolvedFetch(request, model: graph.model) else { continue }
            compared += 1
            let composer = RowComposer(fetch) { AnyObjectID(key: $0, directory: graph.directory) }
            let sql = try database.compiler.values(fetch).sql
            var inMemory = try texts(fetch.selections) { try composer.rows(of: people) }
            var inSQL = try texts(fetch.selections) { try database.values(fetch) }
            if request.sortTerms.isEmpty {
                inMemory.sort()
                inSQL.sort()
            }
            #expect(inSQL == inMemory, "seed \(seed): \(request)\n\(sql)")
        }
    }

    /// The rows as texts; of a sum that 64 bits do not hold the refusal.
    private func texts(
        _ columns: [ResolvedSelection], _ rows: () throws -> [[ManagedValue]]
    ) throws -> [String] {
        do {
            return try rows().map { row in
                zip(columns, row).map { Self.text($1, isRounded: $0.isRounded) }.joined(separator: " | ")
            }
        } catch let failure {
            let error = failure as? FetchError ?? (failure as? SQLiteFailure)?.underlyingError as? FetchError
            guard let error, error.code == .overflow else { throw failure }
            return ["overflow"]
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
