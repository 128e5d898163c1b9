#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Migrations, new stores and new histories that wait for a synchronous standby, which is away.
    @Suite struct AwaitedStandbyTests {
        enum Work: CaseIterable, Sendable {
            case creation, history, migration
            /// One that finds the migration done, which perhaps the standby does not have.
            case secondMigration
        }

        /// **Shared.** A call on a thread of its own.
        private final class Call: Sendable {
            let done = DispatchGroup()
            let result = Locked<Result<Void, any Error>?>(nil)
            let reports = Locked<[String]>([])

            /// - Parameter body: Gets what takes reports.
            init(_ body: @escaping @Sendable (@escaping @Sendable (any Error) -> Void) throws -> Void) {
                Thread.detachNewThread(in: done) { [self] in
                    let found = Result { try body { [self] error in reports.withLock { $0.append("\(error)") } } }
                    result.withLock { $0 = found }
                }
            }

            var hasEnded: Bool { result.withLock { $0 != nil } }
            func get() throws { try result.withLock { try $0?.get() } }
        }

        private let server: PostgresServer
        private let connection: PostgresConnection

        init() throws {
            server = try PostgresServer()
            connection = try server.connect()
        }

        private func run(_ sql: String) throws -> PostgresResult {
            try connection.run(PostgresStatement(sql), until: farDeadline)
        }

        private func numbers(_ sql: String) throws -> [Int64] { try run(sql).column(of: Int64.self) }

        /// A model, or the one that it is migrated to.
        private static func model(isNew: Bool = false) throws -> ManagedObjectModel {
            let names = ["name"] + (isNew ? ["rank"] : [])
            return try ManagedObjectModel(entities: [
                EntityDescription("Monk", properties: names.map { .attribute(AttributeDescription($0, .string)) })
            ])
        }

        /// Returns what does the work. It does not keep the server.
        private func body(
            of work: Work, settings: ServerStoreSettings = .patient()
        ) -> @Sendable (@escaping @Sendable (any Error) -> Void) throws -> Void {
            let (url, publicURL) = (server.url(), server.publicURL)
            return { report in
                switch work {
                case .creation, .history:
                    let coordinator = PersistentStoreCoordinator(model: try Self.model())
                    coordinator.setErrorHandler(report)
                    _ = try ServerStore(
                        url, namespace: ServerNamespace(name: "monks"), directory: coordinator.directory, index: 0,
                        settings: work == .history ? settings.trackingHistory() : settings)
                case .migration, .secondMigration:
                    _ = try ServerStoreOpener.migrate(
                        publicURL, schemaName: "monks", to: Self.model(isNew: true), configuration: nil, discarding: [],
                        settings: settings, isPlan: false, report: report)
                }
            }
        }

        /// Prepares a work, lets commits wait for a standby, and begins the work.
        private func begin(_ work: Work, settings: ServerStoreSettings = .patient()) throws -> Call {
            let earlier: [Work] =
                switch work {
                case .creation: []
                case .history, .migration: [.creation]
                case .secondMigration: [.creation, .migration]
                }
            for work in earlier { try body(of: work)({ Issue.record($0) }) }
            try server.awaitStandby()
            return Call(body(of: work, settings: settings))
        }

        /// Waits until a call waits for the standby. Returns the server's process; `nil` if the call has ended.
        private func waitingProcess(of call: Call, otherThan other: Int64 = 0) throws -> Int64? {
            let sql = "SELECT pid::int8 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> \(other)"
            while !call.hasEnded {
                if let process = try numbers(sql).first { return process }
                _ = try run("SELECT pg_sleep(0.01)")
            }
            return nil
        }

        @Test(arguments: Work.allCases)
        func `nobody else waits for the standby, and who ends the wait has that reported`(work: Work) throws {
            let call = try begin(work)
            let process = try #require(try waitingProcess(of: call))
            // Those of notifications, which the whole server waits for, are locks of an object.
            let locks = "pg_locks WHERE pid = \(process) AND locktype IN ('relation', 'advisory', 'object')"
            #expect(try numbers("SELECT count(*) FROM \(locks)") == [0])
            let other = try server.connect()
            for sql in ["BEGIN", "LOCK TABLE monks._store, monks.monk IN ACCESS SHARE MODE NOWAIT"] {
                #expect(throws: Never.self) { try other.run(PostgresStatement(sql), until: farDeadline) }
            }
            other.close()
            try server.cancelWaits()
            call.done.wait()
            #expect(throws: Never.self) { try call.get() }
            let reports = call.reports.withLock(\.self)
            #expect(reports.count == 1 && reports[0].contains("no standby has confirmed it"), "\(reports)")
        }

        @Test(arguments: Work.allCases)
        func `a commit that nobody confirms has an unknown outcome`(work: Work) throws {
            var settings = ServerStoreSettings.patient()
            settings.lookUpTimeout = .milliseconds(100)
            let call = try begin(work, settings: settings)
            let process = try #require(try waitingProcess(of: call))
            _ = try run("SELECT pg_terminate_backend(\(process)::int4)")
            call.done.wait()
            let error = #expect(throws: StoreError.self) { try call.get() }
            #expect(error?.code == .outcomeUnknown && error?.message.contains("standby") == true)
        }

        @Test func `a migration does not wait for the standby for longer than the store's timeout`() throws {
            var settings = ServerStoreSettings(timeout: .seconds(3))
            settings.lookUpTimeout = .milliseconds(100)
            let call = try begin(.migration, settings: settings)
            #expect(call.done.wait(timeout: .now() + 120) == .success)
            try server.cancelWaits()
            call.done.wait()
            let error = #expect(throws: StoreError.self) { try call.get() }
            #expect(error?.code == .outcomeUnknown && error?.message.contains("was migrated") == true)
        }

        @Test func `a migration whose answer was lost is not found done before the standby has it`() throws {
            let call = try begin(.migration)
            let process = try #require(try waitingProcess(of: call))
            _ = try run("SELECT pg_terminate_backend(\(process)::int4)")
            #expect(try waitingProcess(of: call, otherThan: process) != nil)
            try server.cancelWaits()
            call.done.wait()
            #expect(throws: Never.self) { try call.get() }
            #expect(call.reports.withLock(\.count) == 1)
        }
    }
#endif
