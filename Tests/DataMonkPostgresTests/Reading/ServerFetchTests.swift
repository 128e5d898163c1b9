#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Fetches from a server beside the same fetches in memory.
    @Suite struct ServerFetchTests {
        private let stored: StoredQueryGraph
        private let store: ServerStore

        init() throws {
            stored = try StoredQueryGraph(people: 40)
            store = try stored.store()
        }

        private func expected(_ fetch: ResolvedFetch) throws -> [QueryObject] {
            let matching = try stored.graph.objects(of: fetch.entity).filter {
                try fetch.includes($0.entity) && fetch.matches($0)
            }
            return fetch.page(fetch.sorted(matching))
        }

        private func read<Result>(_ body: (ServerReader) throws -> Result) throws -> Result {
            let reader = try #require(try store.openReader() as? ServerReader)
            defer { reader.end() }
            return try body(reader)
        }

        private func values(of row: Row, _ entity: Entity) -> [ManagedValue] {
            entity.properties.map { property in
                switch property {
                case .attribute(let attribute): attribute.value(in: row.pointer)
                case .relationship(let relationship):
                    .int(Int64(bitPattern: RowFormat.word(in: row.pointer, at: relationship.slot)))
                }
            }
        }

        // MARK: Random requests

        private func randomRequest(_ queries: inout QueryGenerator) -> FetchRequest {
            var request = FetchRequest(entityName: queries.int(6) == 0 ? "Monk" : "Person")
            request.condition = queries.int(5) == 0 ? nil : queries.condition()
            request.sortTerms = queries.sortTerms()
            request.includesSubentities = queries.int(4) > 0
            request.fetchLimit = queries.int(3) == 0 ? queries.int(10) : 0
            request.fetchOffset = queries.int(3) == 0 ? queries.int(5) : 0
            return request
        }

        @Test func `random fetches find the same objects in the same order as in memory`() throws {
            var queries = QueryGenerator(seed: testSeed, ids: stored.ids)
            var (count, wholeCount) = (0, 0)
            while count < 1_000 * testEffort {
                let request = randomRequest(&queries)
                // Not every request makes sense.
                guard let fetch = try? ResolvedFetch(request, model: stored.graph.model) else { continue }
                count += 1
                if store.query(fetch)?.isWhole == true { wholeCount += 1 }
                let expected = try expected(fetch)
                let comment: Comment = "seed \(testSeed): \(request)"
                try read { reader in
                    #expect(try reader.keys(fetch) == expected.map(\.objectKey), comment)
                    #expect(try reader.count(fetch) == expected.count, comment)
                    let found = RowCollector()
                    try reader.fetch(fetch, into: found)
                    #expect(found.rows.map(\.key) == expected.map(\.objectKey), comment)
                }
            }
            #expect(wholeCount > count / 20, "\(wholeCount)")
        }

        @Test func `a page counts rows of values and not the objects that they are made of`() throws {
            var request = FetchRequest(entityName: "Person")
            request.resultType = .dictionaries
            request.propertiesToFetch = [.init(.count, of: "name", alias: "count")]
            request.fetchLimit = 1
            let fetch = try ResolvedFetch(request, model: stored.graph.model)
            let named = stored.graph.objects(of: fetch.entity).filter { fetch.includes($0.entity) }
            #expect(try read { try $0.values(fetch) }.makeArrays().count == 1)
            let all = try RowComposer(fetch) { AnyObjectID(key: $0, directory: stored.graph.directory) }.rows(of: named)
            #expect(try read { try $0.values(fetch) }.makeArrays() == all)
        }

        @Test func `random columns, figures and groups give the same rows as in memory`() throws {
            var queries = QueryGenerator(seed: testSeed, ids: stored.ids)
            var count = 0
            while count < 300 * testEffort {
                var request = queries.rowsRequest()
                request.fetchLimit = queries.int(2) == 0 ? queries.int(10) : 0
                request.fetchOffset = queries.int(3) == 0 ? queries.int(3) : 0
                guard let fetch = try? ResolvedFetch(request, model: stored.graph.model) else { continue }
                count += 1
                let expected = try RowComposer(fetch) { AnyObjectID(key: $0, directory: stored.graph.directory) }
                    .rows(of: stored.graph.objects(of: fetch.entity).filter { fetch.includes($0.entity) })
                let found = try read { try $0.values(fetch) }.makeArrays()
                #expect(found.map { "\($0)" } == expected.map { "\($0)" }, "seed \(testSeed): \(request)")
            }
        }

        // MARK: Objects

        @Test func `rows have the values that were written`() throws {
            var arena = RowArena()
            let written = stored.graph.objects.map { ($0.objectKey, stored.row(of: $0, in: &arena), $0.entity) }
            try read { reader in
                let found = RowCollector()
                try reader.rows(of: written.map(\.0).shuffled(), into: found)
                let rows = Dictionary(found.rows.map { ($0.key, $0.row) }, uniquingKeysWith: { first, _ in first })
                #expect(rows.count == written.count && found.rows.count == written.count)
                for (key, row, entity) in written {
                    let single = try #require(try reader.row(of: key, in: &arena))
                    #expect(values(of: single, entity) == values(of: row, entity))
                    #expect(rows[key].map { values(of: $0, entity) } == values(of: row, entity))
                    #expect(try reader.version(of: key) == 1)
                }
            }
        }

        @Test func `an id of another entity, and one that no object has, have no row`() throws {
            let monk = try #require(stored.graph.objects(of: stored.entity("Monk")).first).objectKey
            let keys = [
                ObjectKey(store: 0, entity: try stored.entity("Person").index, primaryKey: monk.primaryKey),
                ObjectKey(store: 0, entity: try stored.entity("Team").index, primaryKey: 99),
            ]
            try read { reader in
                let found = RowCollector()
                try reader.rows(of: keys, into: found)
                #expect(found.rows.isEmpty)
                for key in keys {
                    var arena = RowArena()
                    #expect(try reader.row(of: key, in: &arena) == nil)
                    #expect(try reader.version(of: key) == nil)
                }
            }
        }

        @Test(arguments: ["Person", "Department", "Team"])
        func `to-manys lead where they were linked, in their order`(name: String) throws {
            let objects = try stored.graph.objects(of: stored.entity(name))
            for relationship in try stored.entity(name).relationships where relationship.isToMany {
                let keys = objects.map(\.objectKey)
                func expected(_ object: QueryObject) -> [ObjectKey] {
                    let keys = object.links[relationship.slot].map(\.objectKey)
                    return relationship.isOrdered ? keys : keys.sorted { $0.primaryKey < $1.primaryKey }
                }
                try read { reader in
                    let found = RowCollector()
                    try reader.destinations(of: relationship, from: keys, into: found)
                    #expect(found.rows.map(\.key) == objects.flatMap(expected), "\(relationship.name)")
                    #expect(found.ends.count == keys.count)
                    for object in objects.prefix(5) {
                        let single = RowCollector()
                        try reader.destinations(of: relationship, from: object.objectKey, into: single)
                        #expect(single.rows.map(\.key) == expected(object), "\(relationship.name)")
                    }
                }
            }
        }
    }
#endif
