#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Transactions that are rolled back after a failure.
    @Suite struct RollbackTests {
        private let server: PostgresServer
        private let connection: PostgresConnection

        init() throws {
            server = try PostgresServer.shared.get()
            connection = try server.connect()
            _ = try connection.run(PostgresStatement("BEGIN"), until: farDeadline)
        }

        @Test func `a transaction is rolled back, and the connection goes on`() throws {
            #expect(throws: PostgresFailure.self) {
                try connection.run(PostgresStatement("SELECT 1 / 0"), until: farDeadline)
            }
            connection.rollBack()
            #expect(!connection.isInTransaction && !connection.isSpent)
            #expect(throws: Never.self) { try connection.run(PostgresStatement("SELECT 1"), until: farDeadline) }
        }

        @Test func `a transaction whose deadline has passed is rolled back`() throws {
            let late = connection.run(PostgresPipeline([PostgresStatement("SELECT 1")]), until: .now)
            #expect(late.connectionFailure?.isDeadlinePassed == true && connection.isInTransaction)
            connection.rollBack(within: .seconds(3_600))
            #expect(!connection.isInTransaction && !connection.isSpent)
        }

        @Test func `a server that does not answer loses the connection, and with it the transaction`() throws {
            let process = connection.serverProcessID
            #expect(kill(process, SIGSTOP) == 0)
            connection.rollBack(within: .milliseconds(100))
            #expect(connection.isSpent && !connection.isInTransaction && connection.handle == nil)
            #expect(kill(process, SIGCONT) == 0)
            try server.connect().wait(forNoProcess: "pid = \(process)")
        }

        @Test func `an opening that the server does not answer leaves no connection`() throws {
            connection.rollBack()
            let process = connection.serverProcessID
            #expect(kill(process, SIGSTOP) == 0)
            let opening = ServerStoreOpening(
                connection: connection,
                model: try ManagedObjectModel(entities: [EntityDescription("Monk", properties: [])]),
                namespace: ServerNamespace(name: "unanswered"), deadline: .now + .milliseconds(100),
                report: { Issue.record($0) })
            let error = #expect(throws: StoreError.self) { try opening.open() }
            #expect(error?.code == .timeout && connection.handle == nil)
            #expect(kill(process, SIGCONT) == 0)
            try server.connect().wait(forNoProcess: "pid = \(process)")
        }
    }
#endif
