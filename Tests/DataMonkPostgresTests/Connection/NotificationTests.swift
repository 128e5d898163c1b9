#if Postgres
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// `LISTEN` and `NOTIFY`.
    @Suite struct NotificationTests {
        private let server: PostgresServer
        private let listener: PostgresConnection
        private let sender: PostgresConnection

        init() throws {
            server = try PostgresServer.shared.get()
            listener = try server.connect()
            sender = try server.connect()
        }

        private func notify(_ channel: String, _ payload: String) throws {
            _ = try sender.run(
                PostgresStatement("SELECT pg_notify($1, $2)", values: channel, payload), until: farDeadline)
        }

        @Test func `notifications arrive in order`() throws {
            let channel = "Ring \"it\" — \(UUID().uuidString.prefix(8))"
            try listener.listen(to: channel, until: farDeadline)
            for index in 0..<10 { try notify(channel, "\(index)") }
            var received: [PostgresNotification] = []
            while received.count < 10 { received += try listener.notifications(until: farDeadline) }
            #expect(received.map(\.payload) == (0..<10).map { "\($0)" })
            #expect(received.allSatisfy { $0.channel == channel && $0.serverProcessID == sender.serverProcessID })
            #expect(try listener.notifications(until: .now).isEmpty)
        }

        @Test func `notifications that arrive with an answer are kept`() throws {
            try listener.listen(to: "kept", until: farDeadline)
            try notify("kept", "a")
            _ = try listener.run(PostgresStatement("SELECT 1"), until: farDeadline)
            try notify("kept", "b")
            _ = try listener.run(PostgresStatement("SELECT 2"), until: farDeadline)
            var received: [String] = []
            while received.count < 2 { received += try listener.notifications(until: farDeadline).map(\.payload) }
            #expect(received == ["a", "b"])
        }

        @Test func `a deadline that has passed returns what is there`() throws {
            try listener.listen(to: "there", until: farDeadline)
            try notify("there", "a")
            var received: [PostgresNotification] = []
            let end = farDeadline
            while received.isEmpty, .now < end { received += try listener.notifications(until: .now) }
            #expect(received.map(\.payload) == ["a"])
        }

        @Test func `a notification ends a wait`() throws {
            try listener.listen(to: "wait", until: farDeadline)
            // nonisolated(unsafe): this thread leaves the connection to the other one.
            nonisolated(unsafe) let sender = sender
            Thread.detachNewThread {
                _ = try? sender.run(PostgresStatement("NOTIFY wait, 'now'"), until: farDeadline)
            }
            #expect(try listener.notifications(until: farDeadline).map(\.payload) == ["now"])
        }

        @Test func `an interrupt ends a wait`() throws {
            let interrupt = try PostgresInterrupt()
            Thread.detachNewThread { interrupt.trigger() }
            #expect(try listener.notifications(until: farDeadline, interrupt: interrupt).isEmpty)
            #expect(!listener.isSpent)
        }

        @Test func `a listener whose connection ends gets an error`() throws {
            _ = try sender.run(
                PostgresStatement("SELECT pg_terminate_backend($1)", values: listener.serverProcessID),
                until: farDeadline)
            let error = #expect(throws: PostgresFailure.self) { try listener.notifications(until: farDeadline) }
            #expect(error?.isConnectionLost == true && error?.sqlState == "57P01")
            #expect(listener.isSpent)
        }
    }
#endif
