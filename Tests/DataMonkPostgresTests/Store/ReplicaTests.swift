#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Reads from a standby, as long as it has all commits that the process knows.
    @Suite struct ReplicaTests: StandbySuite {
        let pair: PostgresPair
        private let name = "replica_\(UUID().uuidString)"

        init() throws {
            pair = try PostgresPair(["max_standby_streaming_delay = 0", "autovacuum = off"])
        }

        private func coordinator(
            _ preference: String = "prefer-standby", hosts: [ServerHost]? = nil,
            change: (inout ServerStoreSettings) -> Void = { _ in }
        ) throws -> PersistentStoreCoordinator {
            var url = pair.url
            url.hosts = hosts ?? url.hosts
            url.parameters = ["target_session_attrs": preference, "application_name": name]
            return try coordinator(at: url, change: change)
        }

        private func reader(_ coordinator: PersistentStoreCoordinator) throws -> ServerReader {
            try #require(coordinator.stores[0].openReplicaReader { nil } as? ServerReader)
        }

        /// Reads until the standby has answered.
        private func waitForStandby(_ coordinator: PersistentStoreCoordinator) throws {
            while true {
                let reader = try reader(coordinator)
                defer { reader.end() }
                if try isOnStandby(reader) { return }
                try pair.primary.run("SELECT pg_sleep(0.01)")
            }
        }

        private func connectionCount(_ server: PostgresServer) throws -> Int64 {
            try server.run("SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)'")
                .required(row: 0, column: 0)
        }

        @Test func `contexts that do not write read from the standby, and others from the primary`() throws {
            let coordinator = try coordinator()
            try save(1, in: coordinator)
            try pair.waitUntilCurrent()
            #expect(try ManagedObjectContext(coordinator: coordinator).all("Item").count == 1)
            coordinator.lookForForeignCommits()
            #expect(try connectionCount(pair.standby) == 0)
            for _ in 0..<20 {
                #expect(try numbers(coordinator) == [1])
                let reader = try reader(coordinator)
                defer { reader.end() }
                #expect(try isOnStandby(reader))
            }
            #expect(try connectionCount(pair.standby) > 0)
        }

        @Test func `a URL that does not prefer standbys leads to the primary alone`() throws {
            let hosts = pair.standby.url().hosts + pair.primary.url().hosts
            try save(1, in: coordinator("primary", hosts: hosts))
            for preference in ["any", "primary", "read-write"] {
                #expect(try numbers(coordinator(preference, hosts: hosts)) == [1])
            }
            #expect(try connectionCount(pair.standby) == 0)
        }

        @MainActor @Test func `the main actor reads from the primary`() throws {
            let coordinator = try coordinator()
            try save(1, in: coordinator)
            try pair.waitUntilCurrent()
            #expect(try numbers(coordinator) == [1])
            #expect(try connectionCount(pair.standby) == 0)
        }

        // MARK: Late standbys

        private func pauseReplay() throws {
            try pair.standby.run("SELECT pg_wal_replay_pause()")
            let question = "SELECT pg_get_wal_replay_pause_state() FROM pg_sleep(0.01)"
            while try pair.standby.run(question).column(of: String.self) != ["paused"] {}
        }

        @Test func `the primary answers while the standby has not all commits that the process knows`() throws {
            let (own, foreign) = (try coordinator(), try coordinator())
            try save(1, in: own)
            try pair.waitUntilCurrent()
            #expect(try numbers(foreign) == [1])
            try pauseReplay()
            try save(2, in: own)
            #expect(try numbers(own) == [1, 2])
            // It knows of nothing yet.
            #expect(try numbers(foreign) == [1])
            foreign.lookForForeignCommits()
            #expect(try numbers(foreign) == [1, 2])
            try pair.standby.run("SELECT pg_wal_replay_resume()")
            for coordinator in [own, foreign] {
                try waitForStandby(coordinator)
                #expect(try numbers(coordinator) == [1, 2])
            }
        }

        @Test func `a process that only reads asks the primary now and then what the standby does not have`() throws {
            let reading = try coordinator { $0.pollInterval = .milliseconds(50) }
            let writing = try coordinator()
            try save(1, in: writing)
            try pair.waitUntilCurrent()
            try pauseReplay()
            try save(2, in: writing)
            let end = ContinuousClock.now + .seconds(300)
            var found: [ManagedValue] = []
            while found != [1, 2], .now < end { found = try numbers(reading) }
            #expect(found == [1, 2])
            try pair.standby.run("SELECT pg_wal_replay_resume()")
        }

        @Test func `the standby answers while the primary that is to be asked is gone, which is told once`() throws {
            let coordinator = try coordinator { $0.pollInterval = .milliseconds(50) }
            let reports = reports(coordinator)
            try save(1, in: coordinator)
            try waitForStandby(coordinator)
            pair.primary.stop()
            for _ in 0..<5 {
                #expect(try numbers(coordinator) == [1])
                try pair.standby.run("SELECT pg_sleep(0.06)")
            }
            #expect(reports.withLock { $0.filter { $0.contains("The primary has not answered a read") } }.count == 1)
        }

        // MARK: Standbys that fail

        private func reports(_ coordinator: PersistentStoreCoordinator) -> Locked<[String]> {
            let reports = Locked<[String]>([])
            coordinator.directory.setErrorHandler { error in reports.withLock { $0.append("\(error)") } }
            return reports
        }

        @Test func `the primary answers while the standby is gone, which is reported once`() throws {
            let coordinator = try coordinator()
            let reports = reports(coordinator)
            try save(1, in: coordinator)
            try waitForStandby(coordinator)
            reports.withLock { $0 = [] }
            pair.standby.stop()
            for _ in 0..<5 { #expect(try numbers(coordinator) == [1]) }
            #expect(reports.withLock { $0.count } == 1)
            #expect(reports.withLock { $0.first?.contains("the primary answers") } == true)
            #expect(reports.withLock { $0.first?.contains("\(pair.standby.url().hosts[0])") } == true)
            try pair.addStandby()
            try waitForStandby(coordinator)
            #expect(try numbers(coordinator) == [1])
        }

        @Test func `a read goes on at the primary if its standby is lost, unless others have committed`() throws {
            let coordinator = try coordinator()
            try save(1, in: coordinator)
            try waitForStandby(coordinator)
            let (first, second) = (try reader(coordinator), try reader(coordinator))
            #expect(try isOnStandby(first) && isOnStandby(second))
            pair.standby.stop()
            #expect(try !isOnStandby(first))
            try pair.primary.run("ALTER SYSTEM SET synchronous_standby_names TO ''")
            try pair.primary.run("SELECT pg_reload_conf()")
            try save(2, in: coordinator)
            // A snapshot with the second commit is another one, and something was read from this one.
            let error = #expect(throws: StoreError.self) { try isOnStandby(second) }
            #expect(error?.code == .readFailed && !second.isStanding)
            #expect(try numbers(coordinator) == [1, 2])
        }

        @Test func `a context reads from another snapshot if its own is lost before anything was read from it`() throws
        {
            let coordinator = try coordinator()
            try save(1, in: coordinator)
            try waitForStandby(coordinator)
            let contexts = (0..<7).map { _ in ManagedObjectContext(coordinator: coordinator, isReadOnly: true) }
            for context in contexts {
                // The turn lasts.
                context.setOwner(isCaller: { true })
                _ = try context.objects(withKeys: [])
            }
            pair.standby.stop()
            try pair.primary.run("ALTER SYSTEM SET synchronous_standby_names TO ''")
            try pair.primary.run("SELECT pg_reload_conf()")
            // As another process, whose commit this one does not know of.
            try save(2, in: self.coordinator())
            let request = FetchRequest(entityName: "Item")
            #expect(try contexts[0].fetch(request).map { try $0.value(forKey: "number") } == [1, 2])
            #expect(try contexts[1].count(request) == 2)
            let ids = try contexts[2].objectIDs(request)
            #expect(ids.count == 2)
            #expect(try contexts[3].existingObject(with: ids[1]).value(forKey: "number") == 2)
            #expect(try contexts[4].objects(with: ids).count == 2)
            #expect(try contexts[6].explain(request).plans.count == 1)
            var values = request
            values.propertiesToFetch = [.init("number")]
            values.resultType = .dictionaries
            #expect(try contexts[5].values(values).count == 2)
        }

        @Test func `a read goes on at the primary if the standby's recovery is in its way`() throws {
            let coordinator = try coordinator()
            try save(1, in: coordinator)
            try waitForStandby(coordinator)
            let reports = reports(coordinator)
            let reader = try reader(coordinator)
            #expect(try isOnStandby(reader))
            // Rows that the snapshot sees are removed.
            for sql in ["UPDATE items.item SET code = 'a'", "VACUUM items.item"] { try pair.primary.run(sql) }
            try pair.standby.connect().wait(forNoProcess: "application_name = '\(name)' AND state LIKE 'idle in%'")
            #expect(try !isOnStandby(reader))
            #expect(try numbers(coordinator) == [1])
            // The standby answers others.
            #expect(reports.withLock(\.self).isEmpty)
        }

        @Test func `a standby of another cluster is not read from`() throws {
            let other = try PostgresPair()
            let stores = [other, pair].map { $0.url }
            for url in stores {
                _ = try ServerStore(
                    url, namespace: ServerNamespace(name: "items"),
                    directory: PersistentStoreCoordinator(model: ItemStore.model()).directory, index: 0)
            }
            try other.waitUntilCurrent()
            let coordinator = try coordinator(hosts: pair.primary.url().hosts + other.standby.url().hosts)
            let reports = reports(coordinator)
            // Both logs are empty.
            #expect(try numbers(coordinator) == [])
            for _ in 0..<5 {
                // It is asked again.
                try pair.primary.run("SELECT pg_sleep(0.05)")
                let reader = try reader(coordinator)
                #expect(try !isOnStandby(reader))
                reader.end()
            }
            #expect(reports.withLock { $0.first?.contains("another store") } == true)
            withExtendedLifetime(other) {}
        }

        @Test func `a standby that has become the primary is not read from as a standby`() throws {
            let coordinator = try coordinator()
            try save(1, in: coordinator)
            try waitForStandby(coordinator)
            try pair.failOver(.immediate)
            try pair.addStandby()
            #expect(try numbers(coordinator) == [1])
            try waitForStandby(coordinator)
            try save(2, in: coordinator)
            #expect(try numbers(coordinator) == [1, 2])
        }
    }
#endif
