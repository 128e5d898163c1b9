#if Postgres
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Statements that the server keeps prepared.
    @Suite struct PreparedStatementTests {
        private let server: PostgresServer
        private let connection: PostgresConnection

        init() throws {
            server = try PostgresServer.shared.get()
            connection = try PostgresConnection(server.url(), preparedStatementCapacity: 3, until: farDeadline)
        }

        private func run(_ statement: PostgresStatement) throws -> PostgresResult {
            try connection.run(statement, until: farDeadline)
        }

        private func preparedTexts() throws -> [String] {
            let result = try run(PostgresStatement("SELECT statement FROM pg_prepared_statements ORDER BY 1"))
            return try (0..<result.rowCount).map { try result.required(row: $0, column: 0) }
        }

        private func sum(_ number: Int, plus value: Int64 = 1) throws -> PostgresStatement {
            try PostgresStatement("SELECT $1 + \(number)", values: value).prepared()
        }

        @Test func `a statement is prepared once`() throws {
            for value in 0..<10 {
                #expect(try run(sum(1, plus: Int64(value))).value(Int64.self, row: 0, column: 0) == Int64(value + 1))
            }
            #expect(try preparedTexts() == ["SELECT $1 + 1"])
            // Other types are another statement.
            _ = try run(PostgresStatement("SELECT $1 + 1", values: Int32(1)).prepared())
            #expect(try preparedTexts() == ["SELECT $1 + 1", "SELECT $1 + 1"])
        }

        @Test func `a statement is prepared once in a pipeline, and released after two parts prepared it`() throws {
            var pipeline = PostgresPipeline()
            for index in 0..<20 {
                pipeline.append(try sum(1))
                if index == 9 { pipeline.synchronize() }
            }
            #expect(try connection.run(pipeline, until: farDeadline).results().count == 20)
            _ = try run(PostgresStatement("SELECT 1"))
            #expect(try preparedTexts() == ["SELECT $1 + 1"])
            #expect(try run(sum(1)).rowCount == 1)
        }

        @Test func `the least recently used statement is released beyond the capacity`() throws {
            for number in [1, 2, 3, 1, 4, 5] { _ = try run(sum(number)) }
            _ = try run(PostgresStatement("SELECT 1"))
            #expect(try preparedTexts() == ["SELECT $1 + 1", "SELECT $1 + 4", "SELECT $1 + 5"])
        }

        @Test func `statements are released though a rollback is not answered yet`() throws {
            let proxy = FaultyProxy(server, delay: .milliseconds(20))
            let busy = try PostgresConnection(proxy.url, preparedStatementCapacity: 1, until: farDeadline)
            for number in 0..<10 {
                let pipeline = PostgresPipeline([PostgresStatement("BEGIN"), try sum(number)])
                _ = try busy.run(pipeline, until: farDeadline).results()
                busy.sendRollback()
            }
            let count = PostgresStatement("SELECT count(*) FROM pg_prepared_statements")
            #expect(try busy.run(count, until: farDeadline).required(Int64.self, row: 0, column: 0) <= 2)
        }

        @Test func `a statement is prepared anew after some time`() throws {
            for (lifetime, isKept) in [(Duration.zero, false), (.seconds(600), true)] {
                var prepared = PreparedStatements(capacity: 3, lifetime: lifetime)
                let key = PreparedStatements.Key(try sum(1))
                let name = prepared.makeName()
                prepared.insert(key, name: name)
                #expect(prepared.name(for: key) == (isKept ? name : nil))
                #expect(prepared.takeReleased() == (isKept ? [] : [name]))
            }
        }

        @Test func `names of two connections differ`() {
            var (one, other) = (PreparedStatements(capacity: 1), PreparedStatements(capacity: 1))
            #expect(one.makeName() != other.makeName())
        }

        @Test func `nothing is released in a transaction`() throws {
            _ = try run(PostgresStatement("BEGIN"))
            for number in 1...5 { _ = try run(sum(number)) }
            #expect(throws: PostgresFailure.self) { try run(PostgresStatement("SELECT 1 / 0")) }
            #expect(throws: PostgresFailure.self) { try run(sum(6)) }
            #expect(try run(PostgresStatement("ROLLBACK")).commandTag == "ROLLBACK")
            _ = try run(PostgresStatement("SELECT 1"))
            #expect(try preparedTexts().count == 3)
            #expect(try run(sum(6)).rowCount == 1)
        }

        @Test func `a statement that cannot be prepared fails itself`() throws {
            var pipeline = PostgresPipeline()
            pipeline.append(try sum(1))
            pipeline.append(PostgresStatement("SELECT nothing").prepared())
            pipeline.append(try sum(2))
            pipeline.synchronize()
            pipeline.append(try sum(2))
            let answer = connection.run(pipeline, until: farDeadline)
            #expect(answer.outcomes[0].result != nil)
            #expect(answer.outcomes[1].failure?.sqlState == "42703")
            guard case .skipped = answer.outcomes[2] else { return #expect(Bool(false), "\(answer)") }
            #expect(answer.outcomes[3].result != nil && answer.connectionFailure == nil)
            #expect(try preparedTexts() == ["SELECT $1 + 1", "SELECT $1 + 2"])
        }

        @Test func `a table whose columns change costs one failure`() throws {
            _ = try run(PostgresStatement("CREATE TEMPORARY TABLE items (id int4)"))
            let all = PostgresStatement("SELECT * FROM items").prepared()
            #expect(try run(all).columnCount == 1)
            _ = try run(PostgresStatement("ALTER TABLE items ADD name text"))
            #expect(throws: PostgresFailure.self) { try run(all) }
            #expect(try run(all).columnCount == 2)
        }

        @Test func `statements that somebody else released cost one failure`() throws {
            _ = try run(sum(1))
            _ = try run(PostgresStatement("DEALLOCATE ALL"))
            #expect(throws: PostgresFailure.self) { try run(sum(1)) }
            #expect(try run(sum(1)).rowCount == 1)
        }

        @Test func `without capacity nothing is prepared`() throws {
            let connection = try PostgresConnection(server.url(), preparedStatementCapacity: 0, until: farDeadline)
            let result = try connection.run(sum(1), until: farDeadline)
            #expect(try result.value(Int64.self, row: 0, column: 0) == 2)
            let prepared = PostgresStatement("SELECT 1 FROM pg_prepared_statements")
            #expect(try connection.run(prepared, until: farDeadline).rowCount == 0)
        }

        @Test func `10,000 prepared statements in one pipeline`() throws {
            var pipeline = PostgresPipeline()
            for index in 0..<10_000 { pipeline.append(try sum(index % 5, plus: Int64(index))) }
            let results = try connection.run(pipeline, until: farDeadline).results()
            #expect(try results[9_999].value(Int64.self, row: 0, column: 0) == 10_003)
            _ = try run(PostgresStatement("SELECT 1"))
            #expect(try preparedTexts().count == 3)
        }
    }
#endif
