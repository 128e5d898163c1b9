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
            try server.awaitStandby()
            _ = try context.insert("Item", number: 2)
            let server = server
            Thread.detachNewThread {
                #expect(throws: Never.self) {
                    try server.connect().wait(forProcess: "wait_event = 'SyncRep'")
                    try server.cancelWaits()
                }
            }
            try context.save()
            #expect(reported.withLock { $0.count } == 1)
            #expect(reported.withLock { $0.first?.contains("standby") } == true)
        }

        @Test func `a commit of others behind one that is not on disk yet is told when that is`() throws {
            let coordinator = try coordinator(server.url())
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: 1)
            try context.save()
            let isTold = Locked(false)
            let token = coordinator.commitObservers.add { changes in
                if changes.comesWithForeignChanges { isTold.withLock { $0 = true } }
            }
            defer { coordinator.commitObservers.remove(token) }
            try server.awaitStandby()
            let (saved, looked, hasLooked) = (DispatchGroup(), DispatchGroup(), Locked(false))
            Thread.detachNewThread(in: saved) {
                let context = ManagedObjectContext(coordinator: coordinator)
                _ = try context.insert("Item", number: 2)
                try context.save()
            }
            try connection.wait(forProcess: "wait_event = 'SyncRep'")
            _ = try run("SET synchronous_commit TO local")
            _ = try run(
                """
                INSERT INTO items._log (number, process, attempt, is_fence) \
                SELECT max(number) + 1, gen_random_uuid(), 1, false FROM items._log
                """)
            Thread.detachNewThread(in: looked) {
                coordinator.lookForForeignCommits()
                hasLooked.withLock { $0 = true }
            }
            while coordinator.waitingReaderCount == 0, !hasLooked.withLock(\.self) { sched_yield() }
            try server.cancelWaits()
            looked.wait()
            saved.wait()
            #expect(isTold.withLock { $0 })
        }
    }
#endif
