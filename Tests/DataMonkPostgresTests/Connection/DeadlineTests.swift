#if Postgres
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Deadlines hold whatever does not answer.
    @Suite struct DeadlineTests {
        private let server: PostgresServer
        private var soon: ContinuousClock.Instant { .now + .milliseconds(100) }

        init() throws { server = try PostgresServer.shared.get() }

        /// Expects that opening ends by its deadline. Nothing else would end it.
        private func expectDeadline(opening url: ServerURL) {
            let failure = #expect(throws: PostgresFailure.self) { try PostgresConnection(url, until: soon) }
            #expect(failure?.isDeadlinePassed == true)
        }

        /// Runs a pipeline that nothing but its deadline ends, and expects that it does.
        ///
        /// On a slow machine the deadline may pass before anything is sent: then it is run again with a later one.
        @discardableResult
        private func expectDeadline(
            _ connection: PostgresConnection, _ pipeline: PostgresPipeline
        ) -> [StatementOutcome] {
            var time = Duration.milliseconds(100)
            while true {
                let answer = connection.run(pipeline, until: .now + time)
                #expect(answer.connectionFailure?.isDeadlinePassed == true)
                if case .notSent? = answer.outcomes.first, !connection.isSpent {
                    time *= 2
                    continue
                }
                #expect(connection.isSpent)
                return answer.outcomes
            }
        }

        private func expectDeadline(_ connection: PostgresConnection, _ sql: String) {
            expectDeadline(connection, PostgresPipeline([PostgresStatement(sql)]))
        }

        @Test func `a statement that runs too long`() throws {
            let connection = try server.connect()
            expectDeadline(connection, "SELECT pg_sleep(3600)")
            #expect(throws: PostgresFailure.self) {
                try connection.run(PostgresStatement("SELECT 1"), until: farDeadline)
            }
            // The server stops as well.
            let process = connection.serverProcessID
            connection.close()
            let other = try server.connect()
            try other.wait(forNoProcess: "pid = \(process)")
        }

        @Test func `a server that never stops sending`() throws {
            expectDeadline(try server.connect(), "SELECT generate_series(1, 1000000000000)")
        }

        @Test func `a deadline that has passed sends nothing and keeps the connection`() throws {
            let connection = try server.connect()
            let answer = connection.run(PostgresPipeline([PostgresStatement("SELECT 1")]), until: .now)
            guard case .notSent = answer.outcomes[0] else { return #expect(Bool(false), "\(answer)") }
            #expect(answer.connectionFailure?.isDeadlinePassed == true && !connection.isSpent)
            #expect(throws: Never.self) { try connection.run(PostgresStatement("SELECT 1"), until: farDeadline) }
        }

        @Test func `a server's process that is stopped`() throws {
            let connection = try server.connect()
            let process = connection.serverProcessID
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            expectDeadline(connection, "SELECT 1")
            connection.close()
        }

        @Test func `a stopped process that does not read what is sent`() throws {
            let connection = try server.connect()
            let process = connection.serverProcessID
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            let data = Data(count: 4 << 20)
            var pipeline = PostgresPipeline()
            for _ in 0..<4 { pipeline.append(try PostgresStatement("SELECT length($1)", values: data)) }
            pipeline.append("SELECT 1")
            let outcomes = expectDeadline(connection, pipeline)
            guard case .unanswered = outcomes[0], case .notSent? = outcomes.last else {
                return #expect(Bool(false), "\(outcomes)")
            }
            connection.close()
        }

        @Test func `opening while the whole server is stopped`() throws {
            let own = try PostgresServer()
            let main = try own.processID()
            kill(main, SIGSTOP)
            defer { kill(main, SIGCONT) }
            expectDeadline(opening: own.url())
        }

        @Test func `a cancellation that the stopped server does not answer`() throws {
            let own = try PostgresServer()
            let connection = try own.connect()
            let main = try own.processID()
            kill(main, SIGSTOP)
            defer { kill(main, SIGCONT) }
            let interrupt = try PostgresInterrupt()
            interrupt.trigger()
            // The interrupt ends nothing here: it is triggered once the statement is in flight.
            interrupt.reset()
            Thread.detachNewThread { interrupt.trigger() }
            let answer = connection.run(
                PostgresPipeline([PostgresStatement("SELECT pg_sleep(3600)")]), until: .now + .milliseconds(300),
                interrupt: interrupt)
            #expect(answer.connectionFailure != nil)
            #expect(answer.outcomes[0].result == nil)
            connection.close()
        }

        @Test func `a network that passes nothing on while a connection is opened`() throws {
            let proxy = FaultyProxy(server)
            for (direction, byteCount) in [
                (FaultyProxy.Direction.toServer, 0), (.toServer, 50), (.toClient, 0), (.toClient, 200),
            ] {
                proxy.setFault(.init(direction: direction, byteCount: byteCount, effect: .stall))
                expectDeadline(opening: proxy.url)
            }
        }

        @Test func `a network that passes nothing on within a pipeline`() throws {
            let proxy = FaultyProxy(server)
            for (direction, byteCount) in [
                (FaultyProxy.Direction.toServer, 0), (.toServer, 30), (.toClient, 0), (.toClient, 30),
            ] {
                proxy.setFault(nil)
                let connection = try PostgresConnection(proxy.url, until: farDeadline)
                proxy.setFault(.init(direction: direction, byteCount: byteCount, effect: .stall))
                expectDeadline(connection, "SELECT 1")
            }
        }

        @Test func `a host that does not answer leaves time for the next one`() throws {
            let proxy = FaultyProxy(server)
            proxy.setFault(.init(direction: .toServer, byteCount: 0, effect: .stall))
            var url = server.url()
            url.hosts = proxy.url.hosts + url.hosts
            var time = Duration.seconds(2)
            while true {
                do throws(PostgresFailure) {
                    let connection = try PostgresConnection(url, until: .now + time)
                    #expect(throws: Never.self) {
                        try connection.run(PostgresStatement("SELECT 1"), until: farDeadline)
                    }
                    return
                } catch {
                    // Half of the time was too short for a machine this slow.
                    try #require(error.isDeadlinePassed)
                    time *= 2
                }
            }
        }

        @Test func `a host that nobody listens on is passed over`() throws {
            var url = server.url()
            url.hosts = [ServerHost(name: "127.0.0.1", port: 1), ServerHost(name: "no-such-host.invalid")] + url.hosts
            #expect(throws: Never.self) { try PostgresConnection(url, until: farDeadline) }
            url.hosts.removeLast()
            let error = #expect(throws: PostgresFailure.self) { try PostgresConnection(url, until: farDeadline) }
            #expect(error?.kind == .opening)
        }

        @Test func `a wait for notifications`() throws {
            let connection = try server.connect()
            #expect(try connection.notifications(until: soon).isEmpty)
            #expect(!connection.isSpent)
        }
    }
#endif
