#if Postgres
    import DataMonk
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Writes that meet other processes' writes, and are repeated.
    @Suite struct ContentionTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        /// Lets the server refuse the first writes to items with an error, once for each statement.
        private func refuseWrites(_ count: Int, with code: String, names constraint: String = "") throws {
            let (function, attempts) = (stage.namespace.qualified("refuse"), stage.namespace.qualified("attempts"))
            try stage.run("CREATE SEQUENCE \(attempts)")
            // Sequences are not rolled back.
            try stage.run(
                """
                CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                IF nextval('\(attempts)') <= \(count) THEN RAISE EXCEPTION 'refused' \
                USING ERRCODE = '\(code)', CONSTRAINT = '\(constraint)'; END IF; RETURN NULL; END $$
                """)
            try stage.run(
                """
                CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON \(stage.items) FOR EACH STATEMENT \
                EXECUTE FUNCTION \(function)()
                """)
        }

        @Test(arguments: [("40001", 5), ("40P01", 5), ("55P03", 1)])
        func `a save that others are in the way of is repeated`(code: String, count: Int) throws {
            let coordinator = try stage.coordinator()
            let reports = Locked(0)
            coordinator.setErrorHandler { _ in reports.withLock { $0 += 1 } }
            let context = ManagedObjectContext(coordinator: coordinator)
            let item = try context.insert("Item", number: 1)
            try context.save()
            try refuseWrites(count, with: code)
            try item.setValue(2, forKey: "number")
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [2])
            #expect(reports.withLock(\.self) == 0)
        }

        @Test func `a commit that others are in the way of is repeated, though it is one of two stores`() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("beside_\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
            let stack = Stack(model: try ItemStore.model())
            try stack.addDatabaseStore(fileURL: folder.appendingPathComponent("beside.sqlite"))
            let coordinator = stack.coordinator
            try coordinator.add(
                ServerStore(
                    PostgresServer.shared.get().url(), namespace: stage.namespace, directory: coordinator.directory,
                    index: 1, settings: .patient()))
            let (function, attempts) = (stage.namespace.qualified("refuse"), stage.namespace.qualified("attempts"))
            try stage.run("CREATE SEQUENCE \(attempts)")
            try stage.run(
                """
                CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                IF nextval('\(attempts)') <= 2 THEN RAISE EXCEPTION 'refused' USING ERRCODE = '40001'; END IF; \
                RETURN NULL; END $$
                """)
            try stage.run(
                """
                CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON \(stage.items) DEFERRABLE INITIALLY DEFERRED \
                FOR EACH ROW EXECUTE FUNCTION \(function)()
                """)
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Label")
            try context.assign(context.insert("Item", number: 1))
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [1])
            #expect(try context.all("Label").count == 1)
        }

        @Test func `batch requests that others are in the way of are repeated`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            for _ in 0..<2 { _ = try context.insert("Item", number: 1) }
            try context.save()
            try refuseWrites(3, with: "40P01")
            let update = BatchUpdateRequest(entityName: "Item", propertiesToUpdate: ["number": .keyPath("number") + 1])
            #expect(try context.execute(update).count == 2)
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [2, 2])
            try stage.run("ALTER SEQUENCE \(stage.namespace.qualified("attempts")) RESTART")
            #expect(try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Item"))).count == 2)
            #expect(try stage.numbers("SELECT number FROM \(stage.items)").isEmpty)
        }

        @Test(arguments: [("40P01", 6), ("55P03", 2)])
        func `a save that others are always in the way of fails, and nothing is saved`(
            code: String, count: Int64
        ) throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            try context.save()
            try refuseWrites(100, with: code)
            _ = try context.insert("Item", number: 1)
            #expect(throws: (any Error).self) { try context.save() }
            #expect(try stage.numbers("SELECT last_value FROM \(stage.namespace.qualified("attempts"))") == [count])
            #expect(try stage.numbers("SELECT number FROM \(stage.items)").isEmpty)
        }

        @Test func `a unique value whose holder has gone is written again`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            // Once for the save, and once for the row alone.
            try refuseWrites(2, with: "23505")
            try context.insert("Item", number: 1).setValue("a", forKey: "code")
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [1])
        }

        @Test func `one taken value among many is found in few round trips`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            let context = ManagedObjectContext(coordinator: try stage.coordinator(proxy.url))
            try context.insert("Item", number: 0).setValue("17", forKey: "code")
            try context.save()
            for number in 1...500 {
                try context.insert("Item", number: Int64(number)).setValue(.string("\(number)"), forKey: "code")
            }
            proxy.setFault(nil)
            #expect(throws: SaveError.self) { try context.save() }
            #expect(proxy.roundTripCount < 100, "\(proxy.roundTripCount)")
        }

        // MARK: Groups

        @Test(arguments: [false, true])
        func `a group locks all its rows before it writes the first one`(hadOtherStore: Bool) throws {
            let coordinator = try stage.coordinator(isSecond: hadOtherStore)
            let context = ManagedObjectContext(coordinator: coordinator)
            for number in 1...3 { _ = try context.insert("Item", number: Int64(number)) }
            try context.save()
            let other = try PostgresServer.shared.get().connect()
            func hold(_ id: Int, _ connection: PostgresConnection) throws {
                for sql in ["BEGIN", "SELECT FROM \(stage.items) WHERE _id = \(id) FOR UPDATE"] {
                    _ = try connection.run(PostgresStatement(sql), until: farDeadline)
                }
            }
            try hold(1, stage.connection)
            try hold(2, other)
            let done = DispatchGroup()
            // The first save waits for row 1, and those of 3 and 2 for the first one, in this order.
            for (count, id) in [1, 3, 2].enumerated() {
                Thread.detachNewThread(in: done) {
                    let context = ManagedObjectContext(coordinator: coordinator)
                    let item = try #require(try context.all("Item").first { $0.objectKey.primaryKey == Int64(id) })
                    try item.setValue(7, forKey: "number")
                    try context.save()
                }
                if count == 0 { try wait(forProcessBehind: stage.connection) }
                while coordinator.waitingCommits < count { sched_yield() }
            }
            try stage.run("COMMIT")
            try wait(forProcessBehind: other)
            #expect(try stage.numbers("SELECT _id FROM \(stage.items) WHERE _id = 3 FOR UPDATE SKIP LOCKED") == [3])
            _ = try other.run(PostgresStatement("COMMIT"), until: farDeadline)
            done.wait()
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [7, 7, 7])
        }

        /// Saves by threads, each of which changes an item of its own.
        private struct Savers: Sendable {
            let read = DispatchGroup()
            let tried = DispatchGroup()
            let done = DispatchGroup()
            let start = DispatchSemaphore(value: 0)
            let release = DispatchSemaphore(value: 0)
            let failed = Locked<[Int64]>([])

            /// Saves a new number of an item after `start`. If that fails, saves it again after `release`.
            func add(_ id: Int64, in coordinator: PersistentStoreCoordinator) {
                read.enter()
                tried.enter()
                Thread.detachNewThread(in: done) {
                    let context = ManagedObjectContext(coordinator: coordinator)
                    let item = Result { try #require(try context.all("Item").first { $0.objectKey.primaryKey == id }) }
                    read.leave()
                    start.wait()
                    let saved = Result {
                        try item.get().setValue(7, forKey: "number")
                        try context.save()
                    }
                    tried.leave()
                    guard case .failure(let error) = saved else { return }
                    #expect((error as? StoreError)?.code == .timeout && context.hasChanges)
                    failed.withLock { $0.append(id) }
                    release.wait()
                    try context.save()
                }
            }
        }

        @Test func `a row that stays locked fails the saves that touch it, and no others`() throws {
            var settings = ServerStoreSettings.patient(readerCount: 20)
            settings.lockTimeout = .seconds(1)
            settings.contentionTime = .zero
            let coordinator = try stage.coordinator(options: settings)
            let context = ManagedObjectContext(coordinator: coordinator)
            let items = try (1...20).map { try context.insert("Item", number: $0) }
            try context.save()
            let savers = Savers()
            for item in items { savers.add(item.objectKey.primaryKey, in: coordinator) }
            savers.read.wait()
            // Counts the statements that write, without regard to how they are sent.
            try refuseWrites(0, with: "55P03")
            try stage.run("BEGIN")
            try stage.run("SELECT FROM \(stage.items) WHERE _id IN (1, 2, 3) FOR UPDATE")
            for _ in items { savers.start.signal() }
            savers.tried.wait()
            #expect(try stage.numbers("SELECT _id FROM \(stage.items) WHERE number <> 7 ORDER BY 1") == [1, 2, 3])
            // None is tried more than twice, once of it in a group.
            let attempts = try stage.numbers("SELECT last_value FROM \(stage.namespace.qualified("attempts"))")
            #expect(attempts.allSatisfy { $0 <= 40 }, "\(attempts)")
            try stage.run("COMMIT")
            for _ in items { savers.release.signal() }
            savers.done.wait()
            #expect(savers.failed.withLock { $0.sorted() } == [1, 2, 3])
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.items) WHERE number = 7") == [20])
        }

        @Test func `locks of rows that take too long in all count as one that was missed`() throws {
            var settings = ServerStoreSettings.patient()
            settings.lockTimeout = .seconds(2)
            let coordinator = try stage.coordinator(options: settings)
            let context = ManagedObjectContext(coordinator: coordinator)
            let items = try (1...20).map { try context.insert("Item", number: $0) }
            try context.save()
            // Nobody keeps a row for as long as the store waits for one, and all of them for much longer.
            try stage.run("BEGIN")
            for id in (1...20).reversed() {
                try stage.run("SAVEPOINT row_\(id)")
                try stage.run("SELECT FROM \(stage.items) WHERE _id = \(id) FOR UPDATE")
            }
            nonisolated(unsafe) let stage = stage
            let (watching, releasing) = (try PostgresServer.shared.get().connect(), DispatchGroup())
            nonisolated(unsafe) let watcher = watching
            Thread.detachNewThread(in: releasing) {
                try watcher.wait(forProcess: "\(stage.connection.serverProcessID) = ANY (pg_blocking_pids(pid))")
                for id in 1...20 {
                    try stage.run("SELECT pg_sleep(0.5)::text")
                    try stage.run("ROLLBACK TO SAVEPOINT row_\(id)")
                }
                try stage.run("COMMIT")
            }
            let transaction = try #require(try coordinator.stores[0].beginTransaction() as? ServerTransaction)
            let process = try process(of: transaction)
            let error = #expect(throws: StoreError.self) {
                try transaction.lockRows(of: ChangeSet(deleting: items.map(\.objectKey)))
            }
            #expect(error?.isContention == true, "\(String(describing: error))")
            transaction.rollBack()
            transaction.end()
            releasing.wait()
            // The server has answered, so the connection is not spent.
            let next = try #require(try coordinator.stores[0].beginTransaction() as? ServerTransaction)
            #expect(try self.process(of: next) == process)
            next.rollBack()
            next.end()
        }

        @Test func `locks of rows of several tables that take too long in all count as one that was missed`() throws {
            var settings = ServerStoreSettings.patient()
            settings.lockTimeout = .seconds(4)
            let coordinator = try stage.coordinator(options: settings)
            let context = ManagedObjectContext(coordinator: coordinator)
            let names = ["Box", "Item", "Label", "Tag"]
            let objects = try names.map { try context.insert($0) }
            try context.save()
            // Nobody keeps a row for as long as the store waits for one, and all of them for longer than it waits in all.
            let tables = try #require(coordinator.stores[0] as? ServerStore).schema.tables.map(\.name)
            try stage.run("BEGIN")
            for table in tables.reversed() {
                try stage.run("SAVEPOINT held_\(table)")
                try stage.run("SELECT FROM \(stage.namespace.qualified(table)) FOR UPDATE")
            }
            nonisolated(unsafe) let stage = stage
            nonisolated(unsafe) let watcher = try PostgresServer.shared.get().connect()
            let releasing = DispatchGroup()
            Thread.detachNewThread(in: releasing) {
                try watcher.wait(forProcess: "\(stage.connection.serverProcessID) = ANY (pg_blocking_pids(pid))")
                for table in tables {
                    try stage.run("SELECT pg_sleep(2)::text")
                    try stage.run("ROLLBACK TO SAVEPOINT held_\(table)")
                }
                try stage.run("COMMIT")
            }
            let transaction = try #require(try coordinator.stores[0].beginTransaction() as? ServerTransaction)
            let error = #expect(throws: StoreError.self) {
                try transaction.lockRows(of: ChangeSet(deleting: objects.map(\.objectKey)))
            }
            #expect(error?.isLockTimeout == true, "\(String(describing: error))")
            transaction.rollBack()
            transaction.end()
            releasing.wait()
        }

        private func process(of transaction: ServerTransaction) throws -> Int32 {
            try transaction.run([PostgresStatement("SELECT pg_backend_pid()")])[0].required(row: 0, column: 0)
        }

        @Test(arguments: [false, true])
        func `batch requests take part in the impatience after a lock that was missed`(isMissedByBatch: Bool) throws {
            var settings = ServerStoreSettings.patient()
            settings.lockTimeout = .seconds(1)
            let context = ManagedObjectContext(coordinator: try stage.coordinator(options: settings))
            let items = try (1...2).map { try context.insert("Item", number: $0) }
            try context.save()
            let (function, times) = (stage.namespace.qualified("note_time"), stage.namespace.qualified("times"))
            try stage.run("CREATE TABLE \(times) (milliseconds bigint)")
            try stage.run(
                """
                CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO \(times) \
                SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout'; RETURN NULL; END $$
                """)
            try stage.run(
                "CREATE TRIGGER note_time AFTER UPDATE ON \(stage.items) FOR EACH STATEMENT EXECUTE FUNCTION \(function)()"
            )
            func write(_ number: Int64, byBatch isBatch: Bool) throws {
                if isBatch {
                    var update = BatchUpdateRequest(entityName: "Item", propertiesToUpdate: ["number": 7])
                    update.condition = try Condition(format: "number == \(number)")
                    _ = try context.execute(update)
                } else {
                    try items[Int(number) - 1].setValue(7, forKey: "number")
                    try context.save()
                }
            }
            try stage.run("BEGIN")
            try stage.run("SELECT FROM \(stage.items) WHERE _id = 1 FOR UPDATE")
            #expect(throws: StoreError.self) { try write(1, byBatch: isMissedByBatch) }
            context.rollback()
            try write(2, byBatch: !isMissedByBatch)
            try stage.run("COMMIT")
            #expect(try stage.numbers("SELECT milliseconds FROM \(times)") == [100])
        }

        @Test func `a save of a removed store's object fails, and those that are written with it do not`() throws {
            let coordinator = PersistentStoreCoordinator(model: try ItemStore.model())
            try coordinator.add(InMemoryStore(directory: coordinator.directory, index: 0))
            let removed = ManagedObjectContext(coordinator: coordinator)
            let removedItem = try removed.insert("Item", number: 1)
            try removed.save()
            try coordinator.add(
                ServerStore(
                    PostgresServer.shared.get().url(), namespace: stage.namespace, directory: coordinator.directory,
                    index: 1, settings: .patient()))
            try coordinator.removeStore(at: 0)
            let reports = Locked<[String]>([])
            coordinator.setErrorHandler { error in reports.withLock { $0.append("\(error)") } }
            try removedItem.setValue(2, forKey: "number")
            let contexts = try (3...4).map { (number: Int64) in
                let context = ManagedObjectContext(coordinator: coordinator)
                let item = try context.insert("Item", number: number)
                try context.save()
                try item.setValue(.int(number + 10), forKey: "number")
                return context
            }
            #expect(try coordinator.saveTogether([contexts[0], removed, contexts[1]]) == [true, false, true])
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [13, 14])
            // The group has not fallen.
            #expect(reports.withLock(\.self).isEmpty)
        }

        private func wait(forProcessBehind connection: PostgresConnection) throws {
            let watching = try PostgresServer.shared.get().connect()
            try watching.wait(forProcess: "\(connection.serverProcessID) = ANY (pg_blocking_pids(pid))")
        }

        // MARK: Cut off

        @Test func `a save that is cut off in the middle does not keep its locks, and is repeated`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            let coordinator = try stage.coordinator(proxy.url)
            let context = ManagedObjectContext(coordinator: coordinator)
            let item = try context.insert("Item", number: 1)
            try context.save()
            try item.setValue(2, forKey: "number")
            for number in 1...150 {
                let code = "\(number)" + String(repeating: "-", count: 1_000)
                try context.insert("Item", number: 3).setValue(.string(code), forKey: "code")
            }
            let cut = DispatchSemaphore(value: 0)
            proxy.setFault(
                .init(direction: .toServer, byteCount: 100_000, effect: .stall) {
                    proxy.setFault(nil)
                    cut.signal()
                })
            nonisolated(unsafe) let stage = stage
            let watching = DispatchGroup()
            Thread.detachNewThread(in: watching) {
                cut.wait()
                try stage.run("SET lock_timeout TO '300s'")
                #expect(try stage.numbers("SELECT number FROM \(stage.items) WHERE _id = 1 FOR UPDATE") == [1])
            }
            try context.save()
            watching.wait()
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.items)") == [151])
        }
    }

    extension Thread {
        /// Runs work on a thread of its own, and records its error.
        static func detachNewThread(in group: DispatchGroup, _ work: @escaping @Sendable () throws -> Void) {
            group.enter()
            detachNewThread {
                #expect(throws: Never.self) { try work() }
                group.leave()
            }
        }
    }
#endif
