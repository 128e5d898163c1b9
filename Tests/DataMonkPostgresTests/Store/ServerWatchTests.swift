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
        private let looks = DispatchSemaphore(value: 0)

        init() throws {
            server = try PostgresServer.shared.get()
            connection = try server.connect()
        }

        private func watch(_ url: ServerURL, each interval: Duration) throws -> ServerWatch {
            let listener = ServerWatch.Listener(url: url, channel: channel, process: UUID(), timeout: .seconds(600))
            return ServerWatch(interval: interval, listener: (listener, interrupt: try PostgresInterrupt())) {
                [looks] in
                looks.signal()
            }
        }

        private func expectLook() { #expect(looks.wait(timeout: .now() + 300) == .success) }

        private var listening: String { "query = 'LISTEN \"\(channel)\"'" }

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

        @Test func `pauses between openings become longer, up to a minute`() {
            var pauses = ServerWatch.Pauses()
            #expect(pauses.next() <= .seconds(1))
            for _ in 0..<10 { _ = pauses.next() }
            let longest = pauses.next()
            #expect(longest >= .seconds(30) && longest <= .seconds(60))
        }
    }
#endif
