#if Postgres
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Interrupts: a wait that another thread ends.
    @Suite struct CancellationTests {
        private let server: PostgresServer
        private let connection: PostgresConnection
        private let interrupt: PostgresInterrupt

        init() throws {
            server = try PostgresServer.shared.get()
            connection = try server.connect()
            interrupt = try PostgresInterrupt()
        }

        /// Triggers the interrupt once the server runs the statement.
        private func triggerWhileRunning(_ mark: String) throws {
            let other = try server.connect()
            // nonisolated(unsafe): this thread leaves the connection to the other one.
            nonisolated(unsafe) let observer = other
            let interrupt = interrupt
            Thread.detachNewThread {
                #expect(throws: Never.self) {
                    try observer.wait(
                        forProcess: "query LIKE '%\(mark)%' AND pid <> pg_backend_pid() AND state = 'active'")
                }
                interrupt.trigger()
            }
        }

        @Test func `an interrupt cancels the running statement, and the connection goes on`() throws {
            try triggerWhileRunning("mark_cancel")
            var pipeline = PostgresPipeline()
            pipeline.append("SELECT 1")
            pipeline.append("SELECT pg_sleep(3600) AS mark_cancel")
            pipeline.append("SELECT 2")
            let answer = connection.run(pipeline, until: farDeadline, interrupt: interrupt)
            #expect(answer.outcomes[0].result != nil)
            #expect(answer.outcomes[1].failure?.isCancelled == true)
            guard case .skipped = answer.outcomes[2] else { return #expect(Bool(false), "\(answer)") }
            #expect(answer.connectionFailure?.kind == .interrupted)
            #expect(!connection.isSpent)
            interrupt.reset()
            for _ in 0..<200 {
                _ = try connection.run(PostgresStatement("SELECT 1"), until: farDeadline, interrupt: interrupt)
            }
        }

        @Test func `an interrupt in a transaction leaves it open, and failed`() throws {
            try triggerWhileRunning("mark_transaction")
            var pipeline = PostgresPipeline()
            pipeline.append("BEGIN")
            pipeline.append("SELECT pg_sleep(3600) AS mark_transaction")
            pipeline.append("COMMIT")
            let answer = connection.run(pipeline, until: farDeadline, interrupt: interrupt)
            #expect(answer.outcomes[1].failure?.isCancelled == true && !connection.isSpent)
            #expect(connection.isInTransaction)
            #expect(try connection.run(PostgresStatement("ROLLBACK"), until: farDeadline).commandTag == "ROLLBACK")
            #expect(!connection.isInTransaction)
        }

        @Test func `a triggered interrupt sends nothing`() throws {
            interrupt.trigger()
            interrupt.trigger()
            let answer = connection.run(
                PostgresPipeline([PostgresStatement("SELECT 1")]), until: farDeadline, interrupt: interrupt)
            guard case .notSent = answer.outcomes[0] else { return #expect(Bool(false), "\(answer)") }
            #expect(answer.connectionFailure?.kind == .interrupted && !connection.isSpent)
            #expect(throws: PostgresFailure.self) {
                try PostgresConnection(server.url(), until: farDeadline, interrupt: interrupt)
            }
            #expect(try connection.notifications(until: farDeadline, interrupt: interrupt).isEmpty)
            interrupt.reset()
            #expect(throws: Never.self) {
                try PostgresConnection(server.url(), until: farDeadline, interrupt: interrupt)
            }
        }

        @Test func `an interrupt ends the opening of a connection`() throws {
            let proxy = FaultyProxy(server)
            let interrupt = interrupt
            proxy.setFault(
                .init(direction: .toClient, byteCount: 30, effect: .stall, action: { interrupt.trigger() }))
            let error = #expect(throws: PostgresFailure.self) {
                try PostgresConnection(proxy.url, until: farDeadline, interrupt: interrupt)
            }
            #expect(error?.kind == .interrupted)
        }

        @Test func `interrupts at any moment hit no later statement`() throws {
            let finish = PostgresPipeline([PostgresStatement("SELECT 1"), PostgresStatement("SELECT 2")])
            for round in 0..<60 * testEffort {
                let interrupt = interrupt
                let delay = UInt32(round * 37 % 3_000)
                let ended = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    usleep(delay)  // Any moment is right.
                    interrupt.trigger()
                    ended.signal()
                }
                var pipeline = PostgresPipeline()
                for _ in 0..<20 { pipeline.append("SELECT pg_sleep(0.0001)") }
                let answer = connection.run(pipeline, until: farDeadline, interrupt: interrupt)
                #expect(answer.outcomes.allSatisfy { if case .unanswered = $0 { false } else { true } })
                ended.wait()
                interrupt.reset()
                #expect(throws: Never.self) { try connection.run(finish, until: farDeadline).results() }
            }
        }
    }
#endif
