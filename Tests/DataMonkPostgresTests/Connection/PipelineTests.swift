#if Postgres
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Pipelines: several statements in one round trip.
    @Suite struct PipelineTests {
        private let connection: PostgresConnection

        init() throws {
            connection = try PostgresServer.shared.get().connect()
            try run(
                "CREATE TEMPORARY TABLE items (id int8 PRIMARY KEY DEFERRABLE INITIALLY IMMEDIATE, name text NOT NULL)")
            try run("CREATE TEMPORARY TABLE late (id int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        }

        @discardableResult
        private func run(_ sql: String) throws -> PostgresResult {
            try connection.run(PostgresStatement(sql), until: farDeadline)
        }

        private func count(of table: String = "items") throws -> Int64 {
            try run("SELECT count(*) FROM \(table)").required(Int64.self, row: 0, column: 0)
        }

        /// Returns a word for each outcome.
        private func fates(_ answer: PipelineAnswer) -> [String] {
            answer.outcomes.map {
                switch $0 {
                case .completed: "completed"
                case .failed(let failure): failure.sqlState ?? "failed"
                case .skipped: "skipped"
                case .unanswered: "unanswered"
                case .notSent: "notSent"
                }
            }
        }

        @Test func `a pipeline takes one round trip`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(2))
            let connection = try PostgresConnection(proxy.url, until: farDeadline)
            proxy.setFault(nil)
            var pipeline = PostgresPipeline()
            for sql in ["BEGIN", "SELECT 1", "SELECT 2", "COMMIT"] {
                pipeline.append(PostgresStatement(sql).prepared())
            }
            for count in 1...3 {
                _ = try connection.run(pipeline, until: farDeadline).results()
                #expect(proxy.roundTripCount == count)
            }
        }

        @Test func `an empty pipeline has an empty answer`() {
            let answer = connection.run(PostgresPipeline(), until: farDeadline)
            #expect(answer.outcomes.isEmpty && answer.connectionFailure == nil)
        }

        @Test func `a statement that fails in the middle skips the rest of its part, and the connection goes on`()
            throws
        {
            var pipeline = PostgresPipeline()
            pipeline.append("INSERT INTO items VALUES (1, 'a')")
            pipeline.append("INSERT INTO items VALUES (1, 'b')")
            pipeline.append("INSERT INTO items VALUES (2, 'c')")
            pipeline.synchronize()
            pipeline.append("INSERT INTO items VALUES (3, 'd')")
            let answer = connection.run(pipeline, until: farDeadline)
            #expect(fates(answer) == ["completed", "23505", "skipped", "completed"])
            #expect(answer.connectionFailure == nil)
            #expect(try count() == 1)
            let failure = try #require(answer.outcomes[1].failure)
            #expect(failure.constraintViolation == .unique)
            #expect(failure.constraintName == "items_pkey" && failure.tableName == "items")
            #expect(throws: failure) { try answer.results() }
        }

        @Test func `a failed transaction goes on as failed behind a synchronization`() throws {
            var pipeline = PostgresPipeline()
            pipeline.append("BEGIN")
            pipeline.append("INSERT INTO items VALUES (1, NULL)")
            pipeline.synchronize()
            pipeline.append("SELECT 1")
            pipeline.synchronize()
            pipeline.append("COMMIT")
            let answer = connection.run(pipeline, until: farDeadline)
            #expect(fates(answer) == ["completed", "23502", "25P02", "completed"])
            #expect(answer.outcomes[3].result?.commandTag == "ROLLBACK")
            #expect(answer.outcomes[1].failure?.columnName == "name")
            #expect(!connection.isInTransaction)
        }

        @Test func `a commit that fails at the end of a part is told by its last statement`() throws {
            var pipeline = PostgresPipeline()
            pipeline.append("INSERT INTO late VALUES (1)")
            pipeline.append("INSERT INTO late VALUES (1)")
            pipeline.synchronize()
            pipeline.append("INSERT INTO late VALUES (2)")
            pipeline.synchronize()
            pipeline.append("SELECT 3")
            let answer = connection.run(pipeline, until: farDeadline)
            #expect(fates(answer) == ["completed", "23505", "completed", "completed"])
            #expect(answer.connectionFailure == nil)
            #expect(try count(of: "late") == 1)
        }

        @Test func `values of rows are in no failure`() throws {
            try run("CREATE TEMPORARY TABLE secrets (id int4 CHECK (id < 5), name text UNIQUE, day date)")
            try run("INSERT INTO secrets VALUES (1, 'hunter2', NULL)")
            let statements = [
                "INSERT INTO secrets VALUES (2, 'hunter2')", "INSERT INTO secrets VALUES (77123, 'hunter2')",
                "SELECT 'hunter2'::text::int4", "SELECT ('hunter2' || name)::date FROM secrets",
                "SELECT ('\"hunter2\" \"' || name)::uuid FROM secrets", "SELECT '{\"a\": hunter2'::text::json",
                "SELECT ('77123' || '77123')::text::int4",
            ]
            for sql in statements {
                let answer = connection.run(PostgresPipeline([PostgresStatement(sql)]), until: farDeadline)
                let failure = try #require(answer.outcomes[0].failure)
                var text = "\(failure)"
                dump(failure, to: &text)
                #expect(!text.contains("hunter2") && !text.contains("77123"), "\(sql)")
            }
        }

        @Test func `10,000 statements with large answers are sent and read at once`() throws {
            var pipeline = PostgresPipeline()
            let text = String(repeating: "x", count: 2_000)
            for index in 0..<10_000 {
                pipeline.append(try PostgresStatement("SELECT $1, $2", values: Int64(index), text))
            }
            let results = try connection.run(pipeline, until: farDeadline).results()
            #expect(results.count == 10_000)
            #expect(try results[9_999].value(Int64.self, row: 0, column: 0) == 9_999)
            #expect(try results.allSatisfy { try $0.value(String.self, row: 0, column: 1) == text })
        }

        @Test func `10,000 small statements with synchronizations`() throws {
            var pipeline = PostgresPipeline()
            for index in 0..<10_000 {
                pipeline.append(try PostgresStatement("SELECT $1", values: Int64(index)))
                if index % 3 == 0 { pipeline.synchronize() }
            }
            #expect(try connection.run(pipeline, until: farDeadline).results().count == 10_000)
        }

        @Test func `65,535 parameters are sent, and another one is refused`() throws {
            var parameters = PostgresParameters()
            for _ in 0..<65_535 { try parameters.append(true) }
            #expect(throws: PostgresValueError.tooManyParameters) { try parameters.append(true) }
            let result = try connection.run(PostgresStatement("SELECT $65535", parameters), until: farDeadline)
            #expect(try result.value(Bool.self, row: 0, column: 0) == true)
        }

        @Test func `COPY ends the connection with an error`() throws {
            let answer = connection.run(
                PostgresPipeline([PostgresStatement("COPY items FROM STDIN")]), until: farDeadline)
            #expect(answer.connectionFailure != nil)
            #expect(connection.isSpent)
        }

        @Test func `an empty statement completes`() throws {
            #expect(try run("").rowCount == 0)
        }

        @Test func `several statements in one text are refused`() throws {
            let answer = connection.run(PostgresPipeline([PostgresStatement("SELECT 1; SELECT 2")]), until: farDeadline)
            #expect(fates(answer) == ["42601"])
        }

        @Test func `warnings are told, and nothing is printed`() throws {
            let sql = "DO $$ BEGIN FOR i IN 1..1000 LOOP RAISE WARNING 'careful'; RAISE NOTICE 'well'; END LOOP; END $$"
            let answer = connection.run(PostgresPipeline([PostgresStatement(sql)]), until: farDeadline)
            #expect(answer.warnings.count == 100)
            #expect(answer.warnings.first?.message == "careful")
            #expect(
                connection.run(PostgresPipeline([PostgresStatement("SELECT 1")]), until: farDeadline).warnings.isEmpty)
        }

        @Test func `random pipelines have the outcomes that statements one by one have`() throws {
            var generator = SeededGenerator(seed: testSeed)
            for round in 0..<100 * testEffort {
                var pipeline = PostgresPipeline()
                var expected: [String] = []
                var isPartFailed = false
                for _ in 0..<Int.random(in: 1...30, using: &generator) {
                    switch Int.random(in: 0...9, using: &generator) {
                    case 0:
                        pipeline.append("SELECT 1 / 0")
                        expected.append(isPartFailed ? "skipped" : "22012")
                        isPartFailed = true
                    case 1...2:
                        pipeline.synchronize()
                        isPartFailed = false
                    default:
                        pipeline.append("SELECT generate_series(1, 10)")
                        expected.append(isPartFailed ? "skipped" : "completed")
                    }
                }
                let answer = connection.run(pipeline, until: farDeadline)
                #expect(fates(answer) == expected, "seed \(testSeed), round \(round)")
                #expect(answer.connectionFailure == nil)
            }
        }

        @Test func `a column that is not there has no name, and libpq is not asked for it`() async {
            await #expect(processExitsWith: .failure) {
                func result(_ server: PostgresServer) throws -> PostgresResult {
                    try server.connect().run(PostgresStatement("SELECT 1 AS one"), until: farDeadline)
                }
                guard let server = try? PostgresServer(), let result = try? result(server),
                    result.columnName(at: 0) == "one"
                else { exit(0) }
                // The connection is gone, and with it the receiver of libpq's notices.
                _ = result.columnName(at: 1)
                exit(0)
            }
        }
    }
#endif
