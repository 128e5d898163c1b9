#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Standbys that do not answer some or all reads, and servers that freeze.
    @Suite struct FailingStandbyTests: StandbySuite {
        let pair: PostgresPair
        private let name = "failing_\(UUID().uuidString)"

        init() throws { pair = try PostgresPair() }

        private func coordinator(
            _ further: [ServerHost] = [], change: (inout ServerStoreSettings) -> Void = { _ in }
        ) throws -> PersistentStoreCoordinator {
            var url = pair.url
            url.hosts += further
            url.parameters = ["target_session_attrs": "prefer-standby", "application_name": name]
            let coordinator = try coordinator(at: url, change: change)
            try pair.waitUntilCurrent()
            return coordinator
        }

        /// Opens a snapshot on a standby.
        private func reader(_ coordinator: PersistentStoreCoordinator) throws -> ServerReader {
            for _ in 0..<200 {
                let reader = try #require(coordinator.stores[0].openReplicaReader { nil } as? ServerReader)
                if try isOnStandby(reader) { return reader }
                reader.end()
                try pair.primary.run("SELECT pg_sleep(0.03)")
            }
            throw StoreError(.timeout, "No standby answers. Check the settings of the test.")
        }

        private func reports(_ coordinator: PersistentStoreCoordinator) -> Locked<[String]> {
            let reports = Locked<[String]>([])
            coordinator.directory.setErrorHandler { error in reports.withLock { $0.append("\(error)") } }
            return reports
        }

        /// Runs a closure while the server's processes of some readers do not run.
        private func freezing<Result>(_ readers: [ServerReader], _ body: () throws -> Result) throws -> Result {
            let statement = PostgresStatement("SELECT pg_backend_pid()")
            let processes = try readers.map { try $0.run(statement).required(Int32.self, row: 0, column: 0) }
            for process in processes { #expect(kill(process, SIGSTOP) == 0) }
            defer { for process in processes { #expect(kill(process, SIGCONT) == 0) } }
            return try body()
        }

        @Test func `a read goes on at the primary if its standby freezes`() throws {
            let coordinator = try coordinator { $0.timeout = .seconds(10) }
            let reader = try reader(coordinator)
            #expect(try !freezing([reader]) { try isOnStandby(reader) })
        }

        @Test func `a read whose statement fails on the standby goes on at the primary, and is reported once`() throws {
            try pair.standby.run("ALTER SYSTEM SET temp_file_limit = '64kB'")
            try pair.standby.run("SELECT pg_reload_conf()")
            while try pair.standby.run("SHOW temp_file_limit").column(of: String.self) != ["64kB"] {}
            let coordinator = try coordinator()
            let reports = reports(coordinator)
            for _ in 0..<3 {
                let reader = try reader(coordinator)
                let numbers = "SELECT count(DISTINCT repeat('a', 100) || n) FROM generate_series(1, 100000) n"
                let statement = PostgresStatement("SELECT pg_is_in_recovery() FROM (\(numbers)) counted")
                #expect(try !reader.run(statement).required(Bool.self, row: 0, column: 0))
                reader.end()
            }
            #expect(reports.withLock { $0.count } == 1)
            let host = pair.standby.url().hosts[0]
            #expect(reports.withLock { $0.first?.contains("\(host)") } == true)
        }

        @Test func `a current standby answers although another one is late`() throws {
            let current = try PostgresServer(.init(primary: pair.primary))
            // They ask the standbys in an order of their own.
            let coordinators = try (0..<6).map { _ in try coordinator(current.url().hosts) }
            try pair.standby.run("SELECT pg_wal_replay_pause()")
            let question = "SELECT pg_get_wal_replay_pause_state() FROM pg_sleep(0.01)"
            while try pair.standby.run(question).column(of: String.self) != ["paused"] {}
            let context = ManagedObjectContext(coordinator: coordinators[0])
            _ = try context.insert("Item", number: 1)
            try context.save()
            let count = "SELECT count(*) FROM items.item, pg_sleep(0.01)"
            while try current.run(count).column(of: Int64.self) == [0] {}
            for coordinator in coordinators {
                coordinator.lookForForeignCommits()
                try reader(coordinator).end()
            }
        }

        @Test func `one read fails of those that have idle connections to a server that froze`() throws {
            let coordinator = try coordinator()
            func open(_ seconds: Int) throws -> ServerReader {
                try #require(
                    coordinator.stores[0].openReader { .now + .seconds(seconds) } as? ServerReader)
            }
            let readers = try (0..<3).map { _ in try open(600) }
            let isOnStandby = try freezing(readers) {
                for reader in readers { reader.end() }
                #expect(throws: StoreError.self) { try open(1) }
                return try self.isOnStandby(open(20))
            }
            #expect(!isOnStandby)
        }

        @Test func `finding the generation of a snapshot is no read from it`() throws {
            let coordinator = try coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            let item = try context.insert("Item", number: 1)
            try context.save()
            try pair.waitUntilCurrent()
            coordinator.lookForForeignCommits()
            while true {
                let reader = try #require(coordinator.stores[0].openReplicaReader { nil } as? ServerReader)
                defer { reader.end() }
                if !reader.isReplaceable { continue }
                #expect(try reader.version(of: item.objectKey) == 1 && reader.isReplaceable)
                #expect(try isOnStandby(reader) && !reader.isReplaceable)
                break
            }
        }
    }
#endif
