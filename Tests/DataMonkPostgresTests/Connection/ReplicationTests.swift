#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Commits that wait for a synchronous standby, which never comes.
    @Suite struct ReplicationTests {
        private let server: PostgresServer
        private let connection: PostgresConnection

        init() throws {
            server = try PostgresServer(.init(settings: ["synchronous_standby_names = '*'"]))
            connection = try server.connect()
            // The checkpointer is the process that lets commits wait; it has begun once it has completed a checkpoint.
            for sql in ["CHECKPOINT", "SET synchronous_commit = local", "CREATE TABLE items (id int4)"] {
                _ = try connection.run(PostgresStatement(sql), until: farDeadline)
            }
            _ = try connection.run(PostgresStatement("RESET synchronous_commit"), until: farDeadline)
        }

        private var insertion: PostgresPipeline {
            PostgresPipeline(["BEGIN", "INSERT INTO items VALUES (1)", "COMMIT"].map { PostgresStatement($0) })
        }

        /// Runs `body` with another connection once the commit waits for the standby. Returns what wakes up at its end.
        private func whileCommitWaits(
            _ body: @escaping @Sendable (PostgresConnection) -> Void
        ) throws -> Wakeup<Void> {
            let end = Wakeup<Void>()
            // nonisolated(unsafe): this thread leaves the connection to the other one.
            nonisolated(unsafe) let other = try server.connect()
            Thread.detachNewThread {
                #expect(throws: Never.self) { try other.wait(forProcess: "wait_event = 'SyncRep'") }
                body(other)
                end.wake(with: ())
            }
            return end
        }

        private func count() throws -> Int64 {
            let statement = PostgresStatement("SELECT count(*) FROM items")
            return try server.connect().run(statement, until: farDeadline).required(row: 0, column: 0)
        }

        @Test func `a commit that is interrupted there completes, with a warning`() throws {
            let interrupt = try PostgresInterrupt()
            let end = try whileCommitWaits { _ in interrupt.trigger() }
            let answer = connection.run(insertion, until: farDeadline, interrupt: interrupt)
            end.wait()
            #expect(answer.outcomes[2].result?.commandTag == "COMMIT")
            #expect(answer.isReplicationUnconfirmed)
            #expect(answer.isComplete && answer.connectionFailure == nil && !connection.isSpent)
            #expect(try count() == 1)
        }

        @Test func `a commit whose process is ended there is unanswered, though the row is there`() throws {
            let process = connection.serverProcessID
            let end = try whileCommitWaits { other in
                let end = PostgresStatement("SELECT pg_terminate_backend(\(process))")
                #expect(throws: Never.self) { try other.run(end, until: farDeadline) }
            }
            let answer = connection.run(insertion, until: farDeadline)
            end.wait()
            guard case .unanswered = answer.outcomes[2] else { return #expect(Bool(false), "\(answer)") }
            // The server does not send its reason any more.
            #expect(answer.connectionFailure?.isConnectionLost == true)
            #expect(answer.isReplicationUnconfirmed)
            #expect(try count() == 1)
        }
    }
#endif
