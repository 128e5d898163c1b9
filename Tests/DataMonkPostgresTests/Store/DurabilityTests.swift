#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Commits that are acknowledged: they are on disk, and whoever is to be told otherwise is told.
    @Suite struct DurabilityTests {
        private let server: PostgresServer
        private let connection: PostgresConnection

        init() throws {
            server = try PostgresServer(.init(settings: ["wal_writer_delay = 10s", "autovacuum = off"]))
            connection = try server.connect()
        }

        private func run(_ sql: String) throws -> PostgresResult {
            try connection.run(PostgresStatement(sql), until: farDeadline)
        }

        private func coordinator(_ url: ServerURL) throws -> PersistentStoreCoordinator {
            let coordinator = PersistentStoreCoordinator(model: try ItemStore.model())
            try coordinator.add(
                ServerStore(url, namespace: ServerNamespace(name: "items"), directory: coordinator.directory, index: 0))
            return coordinator
        }

        @Test func `an acknowledged save is on disk, whatever the role's settings are`() throws {
            var url = server.url()
            url.parameters["options"] = "-c synchronous_commit=off"
            let context = ManagedObjectContext(coordinator: try coordinator(url))
            for number in 1...5 {
                _ = try context.insert("Item", number: Int64(number))
                _ = try run("CHECKPOINT")
                let place = try run("SELECT pg_current_wal_insert_lsn()::text").required(
                    String.self, row: 0, column: 0)
                try context.save()
                let isFlushed = try run("SELECT pg_current_wal_flush_lsn() > '\(place)'::pg_lsn")
                #expect(try isFlushed.required(Bool.self, row: 0, column: 0))
            }
        }

        @Test func `a save that no standby has confirmed is reported`() throws {
            let coordinator = try coordinator(server.url())
            let reported = Locked<[String]>([])
            coordinator.directory.setErrorHandler { error in reported.withLock { $0.append("\(error)") } }
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: 1)
            try context.save()
            for sql in ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()", "CHECKPOINT"] {
                _ = try run(sql)
            }
            _ = try context.insert("Item", number: 2)
            nonisolated(unsafe) let other = try server.connect()
            Thread.detachNewThread {
                #expect(throws: Never.self) {
                    try other.wait(forProcess: "wait_event = 'SyncRep'")
                    _ = try other.run(
                        PostgresStatement(
                            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"),
                        until: farDeadline)
                }
            }
            try context.save()
            #expect(reported.withLock { $0.count } == 1)
            #expect(reported.withLock { $0.first?.contains("standby") } == true)
        }
    }
#endif
