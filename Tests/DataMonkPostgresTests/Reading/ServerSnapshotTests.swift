#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Snapshots on a server, and the contexts over them.
    @Suite struct ServerSnapshotTests {
        private let stored: StoredQueryGraph

        init() throws { stored = try StoredQueryGraph(people: 30) }

        private func fetch(_ name: String, _ format: String? = nil) throws -> ResolvedFetch {
            var request = FetchRequest(entityName: name)
            request.condition = try format.map { try Condition(format: $0) }
            return try ResolvedFetch(request, model: stored.graph.model)
        }

        private var person: String {
            get throws { try stored.table(of: stored.entity("Person")) }
        }

        private func coordinator() throws -> PersistentStoreCoordinator {
            let coordinator = PersistentStoreCoordinator(model: stored.graph.model)
            try coordinator.add(stored.store(directory: coordinator.directory))
            return coordinator
        }

        /// Changes rows as another process does, which notes it in the log.
        private func commitElsewhere(_ sql: String, number: Int) throws {
            let log = stored.namespace.qualified("_log")
            for sql in [
                "BEGIN", sql, "INSERT INTO \(log) (number, process, attempt) VALUES (\(number), gen_random_uuid(), 1)",
                "COMMIT",
            ] {
                try stored.run(sql)
            }
        }

        // MARK: Contexts

        @Test func `a context shows the objects as they were written`() throws {
            let context = ManagedObjectContext(coordinator: try coordinator())
            for name in ["Department", "Team", "Person"] {
                let entity = try stored.entity(name)
                let objects = try context.fetch(FetchRequest(entityName: name))
                let originals = stored.graph.objects(of: entity)
                #expect(objects.map(\.objectKey) == originals.map(\.objectKey))
                for (object, original) in zip(objects, originals) { expectSame(object, original) }
            }
        }

        private func expectSame(_ object: ManagedObject, _ original: QueryObject) {
            for property in object.entity.properties where !property.isTransient {
                let slot = property.slot
                let comment: Comment = "\(object.entity.name).\(property.name) of \(original.objectKey.primaryKey)"
                switch property {
                case .attribute: #expect(object.value(at: slot) == original.value(at: slot), comment)
                case .relationship(let relationship) where relationship.isToMany:
                    let (found, expected) = (
                        object.toMany(slot).map(\.objectKey), original.links[slot].map(\.objectKey)
                    )
                    #expect(
                        relationship.isOrdered
                            ? found == expected : Set(found) == Set(expected) && found.count == expected.count,
                        comment)
                case .relationship: #expect(object.toOneKey(slot) == original.toOneKey(slot), comment)
                }
            }
        }

        @Test func `commits of other processes are seen in the next turn`() throws {
            let coordinator = try coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            let request = FetchRequest(entityName: "Team")
            let teams = try context.fetch(request)
            let slot = try #require(try stored.entity("Team").attribute(named: "title")).slot
            context.endTurn()
            let table = try stored.table(of: stored.entity("Team"))
            for (number, title) in ["one", "two"].enumerated() {
                try commitElsewhere(
                    "UPDATE \(table) SET title = '\(title)', _version = _version + 1", number: number + 1)
                _ = try context.fetch(request)
                #expect(teams.allSatisfy { $0.value(at: slot) == .string(title) })
                context.endTurn()
            }
            try commitElsewhere("UPDATE \(table) SET title = 'three', _version = _version + 1", number: 3)
            let generation = coordinator.publishedGeneration
            coordinator.lookForForeignCommits()
            #expect(coordinator.publishedGeneration > generation)
            let known = coordinator.publishedGeneration
            coordinator.lookForForeignCommits()
            #expect(coordinator.publishedGeneration == known)
        }

        @Test func `nobody has to read for the commits of others to be seen`() throws {
            let coordinator = try coordinator()
            let seen = Wakeup<Void>()
            let observer = coordinator.commitObservers.add { changes in
                if changes.comesWithForeignChanges { seen.wake(with: ()) }
            }
            let watch = coordinator.stores[0].watchForeignCommits { coordinator.lookForForeignCommits() }
            try commitElsewhere("SELECT 1", number: 1)
            #expect(seen.wait(until: farDeadline) != nil)
            withExtendedLifetime((watch, observer)) {}
        }

        // MARK: Snapshots

        @Test func `a snapshot does not see what is committed later`() throws {
            let store = try stored.store()
            let reader = try store.openReader()
            defer { reader.end() }
            try stored.run("DELETE FROM \(stored.namespace.qualified("_log"))")
            try stored.run("UPDATE \(try person) SET age = 4711")
            #expect(try reader.count(fetch("Person", "age == 4711")) == 0)
            let later = try store.openReader()
            defer { later.end() }
            #expect(try later.count(fetch("Person", "age == 4711")) == 30)
        }

        @Test func `a snapshot that waited for a rewritten table sees its rows`() throws {
            let store = try stored.store()
            let count = try fetch("Person")
            // As a migration does.
            try stored.run("BEGIN")
            try stored.run("LOCK TABLE \(stored.namespace.qualified("_store")) IN ACCESS EXCLUSIVE MODE")
            try stored.run("ALTER TABLE \(try person) ALTER level TYPE bigint")
            let found = Wakeup<Result<Int, any Error>>()
            Thread.detachNewThread {
                found.wake(
                    with: Result {
                        let reader = try store.openReader()
                        defer { reader.end() }
                        return try reader.count(count)
                    })
            }
            let waiting = """
                wait_event_type = 'Lock' AND query LIKE '%LOCK TABLE%\(stored.namespace.name)%'
                """
            try PostgresServer.shared.get().connect().wait(forProcess: waiting)
            try stored.run("COMMIT")
            #expect(try found.wait(until: farDeadline)?.get() == 30)
        }

        // MARK: Faults

        @Test func `a snapshot that is lost throws, and the next one reads`() throws {
            let store = try stored.store()
            let reader = try #require(try store.openReader() as? ServerReader)
            let process = try reader.run(PostgresStatement("SELECT pg_backend_pid()")).required(
                Int32.self, row: 0, column: 0)
            try stored.run("SELECT pg_terminate_backend(\(process), 60000)")
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try reader.count(fetch("Person")) }
                #expect(error?.code == .readFailed)
            }
            reader.end()
            let next = try store.openReader()
            defer { next.end() }
            #expect(try next.count(fetch("Person")) == 30)
        }

        @Test func `a snapshot that has ended throws`() throws {
            let reader = try stored.store().openReader()
            reader.end()
            #expect(throws: StoreError.self) { try reader.count(fetch("Person")) }
        }

        @Test func `connections that were lost while they were idle are replaced`() throws {
            let store = try stored.store()
            let readers = try (0..<4).map { _ in try #require(try store.openReader() as? ServerReader) }
            let processes = try readers.map {
                try $0.run(PostgresStatement("SELECT pg_backend_pid()")).required(Int32.self, row: 0, column: 0)
            }
            for reader in readers { reader.end() }
            for process in processes { try stored.run("SELECT pg_terminate_backend(\(process), 60000)") }
            let reader = try store.openReader()
            defer { reader.end() }
            #expect(try reader.count(fetch("Person")) == 30)
        }

        @Test func `the last connection is told, and one more is refused in time`() throws {
            let store = try stored.store(options: ServerStoreSettings(timeout: .seconds(5), readerCount: 2))
            let first = try store.openReader()
            #expect(!first.isLast)
            let second = try store.openReader()
            #expect(second.isLast)
            let error = #expect(throws: StoreError.self) { try store.openReader() }
            #expect(error?.code == .timeout)
            first.end()
            #expect(throws: Never.self) { try store.openReader().end() }
            try store.close()
            second.end()
            #expect(throws: StoreError.self) { try store.openReader() }
        }

        @Test func `a row that no object can have is left out and reported, and throws by its id`() throws {
            let coordinator = try coordinator()
            let reports = Locked<[any Error]>([])
            coordinator.setErrorHandler { error in reports.withLock { $0.append(error) } }
            try stored.run("UPDATE \(try person) SET salary = 'NaN' WHERE _id IN (3, 4)")
            let reader = try coordinator.stores[0].openReader()
            defer { reader.end() }
            let found = RowCollector()
            try reader.fetch(fetch("Person"), into: found)
            #expect(found.rows.count == 28)
            let report = try #require(reports.withLock { $0.first as? StoreError })
            #expect(report.code == .corrupt && report.message.contains("salary") && report.objectURI != nil)
            #expect(reports.withLock(\.count) == 1)
            let key = try #require(
                stored.graph.objects(of: stored.entity("Person")).first { $0.objectKey.primaryKey == 3 })
            var arena = RowArena()
            #expect(throws: StoreError.self) { try reader.row(of: key.objectKey, in: &arena) }
            try reader.rows(of: [key.objectKey], into: found)
            #expect(found.rows.count == 28)
        }

        @Test func `an object whose to-one refers to an object of a foreign entity is left out and reported`() throws {
            let coordinator = try coordinator()
            let reports = Locked<[any Error]>([])
            coordinator.setErrorHandler { error in reports.withLock { $0.append(error) } }
            let number = try #require(stored.schema.numbers["Department"])
            try stored.run("UPDATE \(try person) SET friend = 1, friend_entity = \(number) WHERE _id = 3")
            let reader = try coordinator.stores[0].openReader()
            defer { reader.end() }
            let found = RowCollector()
            try reader.fetch(fetch("Person"), into: found)
            #expect(found.rows.count == 29 && !found.rows.contains { $0.key.primaryKey == 3 })
            let report = try #require(reports.withLock { $0.first as? StoreError })
            #expect(report.code == .corrupt && report.message.contains("number \(number)"))
        }

        // MARK: Round trips

        @Test func `opening and each read is one round trip, and a step of a condition one more`() throws {
            let proxy = try FaultyProxy(PostgresServer.shared.get())
            var url = proxy.url
            let name = "trips_\(UUID().uuidString)"
            url.parameters["application_name"] = name
            let store = try stored.store(url: url)
            // Opens a connection.
            try store.openReader().end()
            try proxy.waitForRollback(of: "application_name = '\(name)'", stored.connection)
            func count(_ body: () throws -> Void) throws -> Int {
                let before = proxy.roundTripCount
                try body()
                return proxy.roundTripCount - before
            }
            var reader: (any StoreReader)?
            #expect(try count { reader = try store.openReader() } == 1)
            let open = try #require(reader)
            for (format, trips) in [
                // Friends are among those who are asked.
                ("age > 3 AND name BEGINSWITH 'a'", 1), ("name ==[c] 'a'", 1), ("friend.name ==[c] 'a'", 1),
                ("department.budget > 3", 2), ("friend.department.budget > 3", 2), ("ANY friends.age > 3", 2),
                ("ANY teams.members.department.budget > 3", 4),
            ] {
                let fetch = try fetch("Person", format)
                let found = RowCollector()
                #expect(try count { try open.fetch(fetch, into: found) } == trips, "\(format)")
            }
            let keys = stored.graph.objects.map(\.objectKey)
            let found = RowCollector()
            #expect(try count { try open.rows(of: keys, into: found) } == 3)
            open.end()
        }

        @Test func `the end of a snapshot does not wait for the server`() throws {
            let store = try stored.store()
            func process(_ reader: any StoreReader) throws -> Int32 {
                try #require(reader as? ServerReader).run(PostgresStatement("SELECT pg_backend_pid()"))
                    .required(row: 0, column: 0)
            }
            let reader = try store.openReader()
            let first = try process(reader)
            #expect(kill(first, SIGSTOP) == 0)
            reader.end()
            #expect(kill(first, SIGCONT) == 0)
            for _ in 0..<3 {
                let next = try store.openReader()
                #expect(try process(next) == first)
                #expect(try next.count(fetch("Person")) == 30)
                next.end()
            }
            // And the snapshot is gone.
            try stored.connection.wait(forNoProcess: "pid = \(first) AND state LIKE '%transaction%'")
        }
    }
#endif
