#if Postgres
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Connections that are cut: while they are opened, in the middle of a pipeline, and while nobody uses them.
    @Suite struct CutConnectionTests {
        private let server: PostgresServer
        private let proxy: FaultyProxy

        init() throws {
            server = try PostgresServer.shared.get()
            proxy = FaultyProxy(server)
        }

        private func connect() throws(PostgresFailure) -> PostgresConnection {
            try PostgresConnection(proxy.url, until: farDeadline)
        }

        @Test func `the proxy passes everything on by itself`() throws {
            let result = try connect().run(PostgresStatement("SELECT 7"), until: farDeadline)
            #expect(try result.value(Int32.self, row: 0, column: 0) == 7)
        }

        @Test func `a connection that is cut while it is opened fails with an error`() throws {
            proxy.setFault(nil)
            _ = try connect()
            let counts = proxy.counts
            #expect(counts.toServer > 100 && counts.toClient > 300)
            for (direction, count) in [(FaultyProxy.Direction.toServer, counts.toServer), (.toClient, counts.toClient)]
            {
                // The last bytes are those of the checks; behind them, `init` returns.
                for byteCount in stride(from: 0, to: count - 20, by: testEffort > 1 ? 1 : 7) {
                    proxy.setFault(.init(direction: direction, byteCount: byteCount, effect: .close))
                    let error = #expect(throws: PostgresFailure.self) { try connect() }
                    #expect(error?.kind == .opening || error?.kind == .connectionLost, "\(direction) \(byteCount)")
                }
            }
        }

        /// A commit at every cut: what the client is told must agree with what the server did.
        @Test(arguments: [FaultyProxy.Direction.toServer, .toClient])
        func `a pipeline that is cut at any byte tells the truth`(direction: FaultyProxy.Direction) throws {
            let direct = try server.connect()
            let table = "cut_\(direction)".lowercased()
            _ = try direct.run(
                PostgresStatement("CREATE TABLE \(table) (id int8 PRIMARY KEY, n int4)"), until: farDeadline)
            var fates: [Int64: StatementOutcome] = [:]
            var uncertainCount = 0
            var byteCount = 0
            while true {
                let connection = try connectUnharmed()
                let effect = byteCount % 2 == 0 ? FaultyProxy.Fault.Effect.close : .reset
                proxy.setFault(.init(direction: direction, byteCount: byteCount, effect: effect))
                let answer = connection.run(try transaction(id: Int64(byteCount), table), until: farDeadline)
                fates[Int64(byteCount)] = answer.outcomes[3]
                try expectOrder(answer, isSpent: connection.isSpent)
                if answer.isUncertain { uncertainCount += 1 }
                // Behind the end of the pipeline, nothing is cut.
                let counts = proxy.counts
                if (direction == .toServer ? counts.toServer : counts.toClient) < byteCount { break }
                byteCount += 1
            }
            #expect(byteCount > 50)
            #expect(uncertainCount > 40)
            try expectTruth(fates, try committedIDs(table, direct))
        }

        private func connectUnharmed() throws -> PostgresConnection {
            proxy.setFault(nil)
            return try connect()
        }

        private func transaction(id: Int64, _ table: String) throws -> PostgresPipeline {
            var pipeline = PostgresPipeline()
            pipeline.append("BEGIN")
            pipeline.append(try PostgresStatement("INSERT INTO \(table) VALUES ($1, $2)", values: id, Int32(1)))
            pipeline.append(try PostgresStatement("UPDATE \(table) SET n = 2 WHERE id = $1", values: id))
            pipeline.append("COMMIT")
            return pipeline
        }

        /// Completed statements come first, then unanswered ones, then unsent ones.
        private func expectOrder(_ answer: PipelineAnswer, isSpent: Bool) throws {
            let ranks = answer.outcomes.map {
                switch $0 {
                case .completed: 0
                case .failed, .skipped: 9
                case .unanswered: 1
                case .notSent: 2
                }
            }
            #expect(ranks == ranks.sorted() && !ranks.contains(9), "\(answer)")
            #expect((answer.connectionFailure?.isConnectionLost ?? false) == isSpent)
            if ranks.last != 0 { #expect(isSpent) }
        }

        /// Waits for the server's processes, which may still run what they received.
        private func committedIDs(_ table: String, _ direct: PostgresConnection) throws -> Set<Int64> {
            let lock = "LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE"
            var pipeline = PostgresPipeline()
            for sql in [
                "BEGIN", lock, "SELECT id FROM \(table) WHERE n = 2", "SELECT id FROM \(table) WHERE n <> 2", "COMMIT",
            ] {
                pipeline.append(sql)
            }
            // A process that has not taken its lock yet has its statements in its socket; it ends once they are done.
            try direct.wait(forNoProcess: "query LIKE '%\(table)%' AND pid <> pg_backend_pid()")
            let results = try direct.run(pipeline, until: farDeadline).results()
            #expect(results[3].rowCount == 0)
            return Set(try (0..<results[2].rowCount).map { try results[2].required(Int64.self, row: $0, column: 0) })
        }

        private func expectTruth(_ fates: [Int64: StatementOutcome], _ committed: Set<Int64>) throws {
            #expect(committed.isSubset(of: fates.keys))
            for (id, fate) in fates {
                switch fate {
                case .completed: #expect(committed.contains(id), "\(id) was acknowledged and is not there")
                case .failed, .skipped, .notSent: #expect(!committed.contains(id), "\(id) was refused and is there")
                case .unanswered: break
                }
            }
        }

        @Test func `a connection that ended while it was idle sends nothing`() throws {
            let connection = try server.connect()
            let other = try server.connect()
            let end = try PostgresStatement(
                "SELECT pg_terminate_backend($1, 60000)", values: connection.serverProcessID)
            _ = try other.run(end, until: farDeadline)
            var pipeline = PostgresPipeline()
            pipeline.append("SELECT 1")
            let answer = connection.run(pipeline, until: farDeadline)
            guard case .notSent = answer.outcomes[0] else { return #expect(Bool(false), "\(answer)") }
            #expect(answer.connectionFailure?.isConnectionLost == true)
            #expect(answer.connectionFailure?.sqlState == "57P01")
            #expect(connection.isSpent)
            // Once more, the same.
            #expect(connection.run(pipeline, until: farDeadline).connectionFailure?.sqlState == "57P01")
        }

        @Test func `a server that crashes ends its connections`() throws {
            let own = try PostgresServer()
            let connection = try own.connect()
            _ = try connection.run(PostgresStatement("CREATE TABLE items (id int4)"), until: farDeadline)
            let main = try own.processID()
            Thread.detachNewThread { kill(main, SIGQUIT) }
            var answer = PipelineAnswer(outcomes: [])
            while answer.connectionFailure == nil {
                answer = connection.run(PostgresPipeline([PostgresStatement("SELECT 1")]), until: farDeadline)
            }
            // The statement may still have been answered, and its Sync no more.
            #expect(answer.connectionFailure?.isConnectionLost == true)
            let error = #expect(throws: PostgresFailure.self) { try own.connect() }
            #expect(error?.kind == .opening || error?.isUnavailable == true)
        }

        @Test func `a process that the server ends in the middle tells its code`() throws {
            let connection = try server.connect()
            var pipeline = PostgresPipeline()
            pipeline.append("SELECT 1")
            pipeline.append("SELECT pg_terminate_backend(pg_backend_pid())")
            pipeline.append("SELECT 2")
            let answer = connection.run(pipeline, until: farDeadline)
            #expect(answer.outcomes[0].result != nil)
            #expect(answer.outcomes[1].result == nil && answer.outcomes[2].result == nil && answer.isUncertain)
            #expect(answer.connectionFailure?.sqlState == "57P01")
        }

        @Test func `large pipelines that are cut end with an error`() throws {
            var generator = SeededGenerator(seed: testSeed)
            var pipeline = PostgresPipeline()
            let text = String(repeating: "x", count: 1_000)
            for _ in 0..<1_000 { pipeline.append(try PostgresStatement("SELECT $1", values: text)) }
            for _ in 0..<20 * testEffort {
                let connection = try connectUnharmed()
                let byteCount = Int.random(in: 0...1_000_000, using: &generator)
                let direction = Bool.random(using: &generator) ? FaultyProxy.Direction.toServer : .toClient
                proxy.setFault(
                    .init(
                        direction: direction, byteCount: byteCount,
                        effect: Bool.random(using: &generator) ? .close : .reset
                    ))
                let answer = connection.run(pipeline, until: farDeadline)
                try expectOrder(answer, isSpent: connection.isSpent)
                #expect(answer.connectionFailure?.isConnectionLost == true, "seed \(testSeed)")
            }
        }
    }
#endif
