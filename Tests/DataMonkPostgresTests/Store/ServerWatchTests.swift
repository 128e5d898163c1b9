#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Looks for commits of other processes, by the clock and when the server tells of some.
    @Suite struct ServerWatchTests {
        private let server: PostgresServer
        private let connection: PostgresConnection
        private let channel = "watch_\(UUID().uuidString)"
        private let process = UUID()
        private let looks = DispatchSemaphore(value: 0)
        /// The number of the row of the log that the looks have found.
        private let known = Locked<Int64>(0)
        private let reports = Locked<[String]>([])

        init() throws {
            server = try PostgresServer.shared.get()
            connection = try server.connect()
        }

        private func watch(
            _ url: ServerURL, each interval: Duration, timeout: Duration = .seconds(600),
            checkInterval: Duration = .seconds(3_600)
        ) throws -> ServerWatch {
            let listener = ServerWatch.Listener(
                address: ServerAddress(url), channel: channel, process: process, timeout: timeout,
                checkInterval: checkInterval,
                lastNumber: PostgresStatement(question), knownNumber: { [known] in known.withLock(\.self) },
                report: { [reports] error in reports.withLock { $0.append("\(error)") } })
            return ServerWatch(interval: interval, listener: (listener, interrupt: try PostgresInterrupt())) {
                [looks] in
                looks.signal()
            }
        }

        private func expectLook() { #expect(looks.wait(timeout: .now() + 300) == .success) }

        /// The query of a connection that listens.
        private var question: String { "SELECT 0::bigint AS \"\(channel)\"" }
        private var listening: String { "query = '\(question)'" }

        @Test func `a connection that takes longer to open than looks are apart listens`() throws {
            let proxy = FaultyProxy(server, delay: .milliseconds(50))
            let watch = try watch(proxy.url, each: .milliseconds(20))
            let count = PostgresStatement("SELECT count(*) FROM pg_stat_activity WHERE \(listening)")
            var isListening = false
            // Each look is one more chance.
            for _ in 0..<1_000 where !isListening {
                expectLook()
                isListening = try connection.run(count, until: farDeadline).column(of: Int64.self) == [1]
            }
            #expect(isListening)
            withExtendedLifetime((watch, proxy)) {}
        }

        @Test func `looks go on while no connection can be opened`() throws {
            let proxy = FaultyProxy(server)
            proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .stall))
            let watch = try watch(proxy.url, each: .milliseconds(20))
            for _ in 0..<5 { expectLook() }
            withExtendedLifetime((watch, proxy)) {}
        }

        @Test func `a connection that is lost is opened again, and what was missed is looked for`() throws {
            let watch = try watch(server.url(), each: .seconds(86_400))
            for _ in 0..<2 {
                expectLook()
                let end = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE \(listening)"
                #expect(try connection.run(PostgresStatement(end), until: farDeadline).rowCount == 1)
            }
            expectLook()
            withExtendedLifetime(watch) {}
        }

        @Test func `a connection is replaced that leads to a server which does not have all that is known`() throws {
            known.withLock { $0 = 5 }
            let watch = try watch(server.url(), each: .seconds(86_400), checkInterval: .milliseconds(10))
            for _ in 0..<3 { expectLook() }
            withExtendedLifetime(watch) {}
        }

        @Test func `a connection is replaced that leads to a server which does not answer any more`() throws {
            let proxy = FaultyProxy(server)
            let watch = try watch(
                proxy.url, each: .seconds(86_400), timeout: .seconds(2), checkInterval: .milliseconds(500))
            expectLook()
            let stalled = DispatchSemaphore(value: 0)
            proxy.setFault(
                .init(direction: .toClient, byteCount: 0, effect: .stall) {
                    proxy.setFault(nil)
                    stalled.signal()
                })
            #expect(stalled.wait(timeout: .now() + 300) == .success)
            expectLook()
            withExtendedLifetime(watch) {}
        }

        private func notify(_ payload: String) throws {
            let statement = try PostgresStatement("SELECT pg_notify($1, $2)", values: channel, payload)
            _ = try connection.run(statement, until: farDeadline)
        }

        @Test func `looks are repeated until one finds the commit that the server has told of`() throws {
            let watch = try watch(server.url(), each: .seconds(86_400))
            // As it begins to listen.
            expectLook()
            try notify("\(UUID().uuidString) 5")
            for _ in 0..<5 { expectLook() }
            known.withLock { $0 = 5 }
            while looks.wait(timeout: .now() + 1) == .success {}
            for payload in ["\(process.uuidString) 7", "\(UUID().uuidString) 6"] { try notify(payload) }
            expectLook()
            #expect(reports.withLock(\.self).isEmpty)
            withExtendedLifetime(watch) {}
        }

        @Test func `no look follows what the server tells of a commit that is known`() throws {
            known.withLock { $0 = 5 }
            let watch = try watch(server.url(), each: .seconds(86_400))
            expectLook()
            try notify("\(UUID().uuidString) 5")
            #expect(looks.wait(timeout: .now() + 1) == .timedOut)
            try notify("\(UUID().uuidString) 6")
            expectLook()
            withExtendedLifetime(watch) {}
        }

        @Test func `the server tells of a commit by its number in the log`() throws {
            let stage = try ItemStore()
            let coordinator = try stage.coordinator()
            let log = try #require(coordinator.stores[0] as? ServerStore).log
            try connection.listen(to: log.channel, until: farDeadline)
            let context = ManagedObjectContext(coordinator: coordinator)
            for number in 1...2 {
                _ = try context.insert("Item", number: Int64(number))
                try context.save()
                let bells = try connection.notifications(until: farDeadline)
                #expect(bells.map(\.payload) == ["\(log.process.uuidString) \(number)"])
            }
        }

        @Test func `a connection that cannot listen is reported once`() throws {
            let (proxy, attempts) = (FaultyProxy(server), DispatchSemaphore(value: 0))
            proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .close) { attempts.signal() })
            let watch = try watch(proxy.url, each: .seconds(86_400))
            for _ in 0..<3 { #expect(attempts.wait(timeout: .now() + 300) == .success) }
            #expect(reports.withLock(\.count) == 1)
            withExtendedLifetime((watch, proxy)) {}
        }

        @Test func `pauses between openings become longer, up to a minute`() {
            var pauses = ServerWatch.Pauses()
            #expect(pauses.next() <= .seconds(1))
            for _ in 0..<10 { _ = pauses.next() }
            let longest = pauses.next()
            #expect(longest >= .seconds(30) && longest <= .seconds(60))
        }
    }
#endif
