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

        /// Lets commits wait for a standby, which does not exist.
        private func awaitStandby() throws {
            for sql in ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"] {
                _ = try run(sql)
            }
            // The server's processes learn of it one after the other.
            while try !commitWaits() {}
        }

        /// Returns whether a commit waits for a standby, and ends its wait.
        private func commitWaits() throws -> Bool {
            // nonisolated(unsafe): used on the thread below alone.
            nonisolated(unsafe) let other = try server.connect()
            let (ended, hasEnded) = (DispatchGroup(), Locked(false))
            Thread.detachNewThread(in: ended) {
                defer { hasEnded.withLock { $0 = true } }
                let commit = PostgresStatement("SELECT pg_logical_emit_message(true, '', '')")
                _ = try other.run(commit, until: farDeadline)
            }
            defer { ended.wait() }
            while !hasEnded.withLock(\.self) {
                let waits = try run("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                if try waits.required(Int64.self, row: 0, column: 0) == 0 { continue }
                try cancelWait(connection)
                return true
            }
            return false
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
            try awaitStandby()
            _ = try context.insert("Item", number: 2)
            nonisolated(unsafe) let other = try server.connect()
            Thread.detachNewThread {
                #expect(throws: Never.self) {
                    try other.wait(forProcess: "wait_event = 'SyncRep'")
                    try cancelWait(other)
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
            try awaitStandby()
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
            try cancelWait(connection)
            looked.wait()
            saved.wait()
            #expect(isTold.withLock { $0 })
        }
    }

    /// Ends the waits for a standby.
    private func cancelWait(_ connection: PostgresConnection) throws {
        let waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        _ = try connection.run(PostgresStatement(waiting), until: farDeadline)
    }
#endif
