#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Conditions that the server says, and their rest in memory.
    @Suite struct ServerConditionTests {
        private let stored: StoredQueryGraph
        private var graph: QueryGraph { stored.graph }
        private var schema: ServerSchema { stored.schema }

        init() throws { stored = try StoredQueryGraph(people: 40) }

        private func entity(_ name: String) throws -> Entity { try stored.entity(name) }

        private func split(_ condition: ResolvedCondition, of entity: Entity) throws -> ServerConditionCompiler.Split {
            ServerConditionCompiler(
                try #require(schema.place(of: entity)), in: schema, alias: "t0", storeIndex: 0
            ).split(condition)
        }

        private func statement(_ sql: ServerSQL, of entity: Entity) throws -> PostgresStatement {
            let numbers = try #require(schema.place(of: entity)).familyNumbers.map { "\($0)" }.joined(separator: ", ")
            return PostgresStatement(
                """
                SELECT t0."_id" FROM \(try stored.table(of: entity)) t0 WHERE t0."_entity" IN (\(numbers)) AND \(sql.text)
                ORDER BY 1
                """, sql.parameters)
        }

        private func found(_ sql: ServerSQL, of entity: Entity) throws -> Set<Int64> {
            Set(try stored.connection.run(statement(sql, of: entity), until: farDeadline).column(of: Int64.self))
        }

        // MARK: Random conditions

        @Test func `random conditions choose the same objects as in memory`() throws {
            var queries = QueryGenerator(seed: testSeed, ids: stored.ids)
            var (saidCount, wholeCount, resolvedCount) = (0, 0, 0)
            while resolvedCount < 1_500 * testEffort {
                let entity = try entity(queries.int(6) == 0 ? "Monk" : "Person")
                var request = FetchRequest(entityName: entity.name)
                request.condition = queries.condition()
                // Not every condition makes sense.
                guard let condition = (try? ResolvedFetch(request, model: graph.model))?.condition else { continue }
                resolvedCount += 1
                let split = try split(condition, of: entity)
                guard let sql = split.sql else { continue }
                saidCount += 1
                if split.rest == nil { wholeCount += 1 }
                let found = try found(sql, of: entity)
                let objects = graph.objects(of: entity)
                let chosen = try objects.filter { object in
                    try found.contains(object.objectKey.primaryKey) && split.rest?.isTrue(of: object) ?? true
                }
                let expected = try objects.filter { try condition.isTrue(of: $0) }
                #expect(
                    chosen.map(\.objectKey) == expected.map(\.objectKey),
                    "seed \(testSeed): \(request.condition.map { "\($0)" } ?? "")\n\(sql.text)")
            }
            // The generator asks for more than rows tell, most of the time.
            #expect(saidCount > resolvedCount / 20 && wholeCount > resolvedCount / 40, "\(saidCount), \(wholeCount)")
        }

        // MARK: What is said

        private func condition(_ format: String) throws -> ResolvedCondition {
            var request = FetchRequest(entityName: "Person")
            request.condition = try Condition(format: format)
            return try #require(try ResolvedFetch(request, model: graph.model).condition)
        }

        @Test(arguments: [
            ("age == 3", "t0.\"age\" = $1"), ("age != 3", "t0.\"age\" IS DISTINCT FROM $1"),
            ("name == nil", "t0.\"name\" IS NULL"),
            ("name != nil", "t0.\"name\" IS NOT NULL"), ("name < 'b'", "t0.\"name\" < $1"),
            ("age BETWEEN {1, 5}", "t0.\"age\" BETWEEN $1 AND $2"),
            ("age IN {1, 5}", "(false OR t0.\"age\" = ANY ($1))"),
            ("name BEGINSWITH 'a'", "starts_with(t0.\"name\", $1)"),
            ("name CONTAINS 'a'", "strpos(t0.\"name\", $1) > 0"),
            ("NOT (age == 3 OR isActive == YES)", "(((t0.\"age\" = $1 OR t0.\"is_active\" = $2)) IS NOT TRUE)"),
            ("friend == nil", "(false OR t0.\"friend\" IS NULL)"),
        ])
        func `what the server says exactly is said there`(format: String, sql: String) throws {
            let split = try split(condition(format), of: entity("Person"))
            #expect(split.sql?.text == sql)
            #expect(split.rest == nil)
        }

        @Test(arguments: [
            "name ==[c] 'a'", "name LIKE 'a*'", "name MATCHES 'a+'", "name ENDSWITH 'a'", "age == points",
            "salary > 3.5",
            "friend.age == 3", "ANY friends.age == 3", "name == 'a' OR name ==[c] 'b'", "friends.@count > 1",
        ])
        func `everything else is evaluated in memory`(format: String) throws {
            let split = try split(condition(format), of: entity("Person"))
            #expect(split.sql == nil && split.rest != nil)
        }

        @Test func `the parts of a conjunction go different ways`() throws {
            let split = try split(
                condition("age > 1 AND name ==[c] 'a' AND isActive == YES AND friend.age == 3"), of: entity("Person"))
            #expect(split.sql?.text == "t0.\"age\" > $1 AND t0.\"is_active\" = $2")
            guard case .and(let rest)? = split.rest else { return #expect(Bool(false)) }
            #expect(rest.count == 2)
        }

        @Test func `text with NUL and dates between microseconds are compared in memory`() throws {
            let values: [(String, ManagedValue)] = [
                ("name", .string("a\u{0}")), ("born", .date(Date(timeIntervalSinceReferenceDate: 0.000_000_3))),
                ("born", .date(.distantFuture)), ("height", .double(.nan)),
            ]
            for (name, value) in values {
                let entity = try entity("Person")
                let attribute = try #require(entity.attribute(named: name))
                #expect(ServerConstant(value, comparedWith: attribute) == nil, "\(name)")
            }
        }

        @Test func `a condition with more values than a statement can have is for memory`() throws {
            let long = ResolvedCondition.or(Array(repeating: try condition("age == 3"), count: 65_536))
            let split = try split(long, of: entity("Person"))
            #expect(split.sql == nil && split.rest != nil)
        }

        @Test func `a deep condition is for memory, a long one for the server`() throws {
            let entity = try entity("Person")
            let simple = try condition("age == 3")
            let deep = (0..<300).reduce(simple) { inner, _ in .not(.or([inner, simple])) }
            #expect(try split(deep, of: entity).sql == nil)
            let long = ResolvedCondition.or(Array(repeating: simple, count: 5_000))
            let sql = try #require(try split(long, of: entity).sql)
            #expect(throws: Never.self) { try found(sql, of: entity) }
        }
    }
#endif
