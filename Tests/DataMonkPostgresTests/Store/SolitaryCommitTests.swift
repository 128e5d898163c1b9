#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Commits of a process that writes alone: they take one round trip, with assumptions that the server checks.
    @Suite struct SolitaryCommitTests {
        private let stage: ItemStore
        private let reports = Locked<[any Error]>([])

        init() throws { stage = try ItemStore() }

        /// A context that has saved items, and its process writes alone.
        private func context(_ url: ServerURL? = nil, items: Int = 1) throws -> (ManagedObjectContext, [ManagedObject])
        {
            let coordinator = try stage.coordinator(url, options: .solitary())
            let reports = reports
            coordinator.setErrorHandler { error in reports.withLock { $0.append(error) } }
            let context = ManagedObjectContext(coordinator: coordinator)
            var objects: [ManagedObject] = []
            for number in 0..<items { objects.append(try context.insert("Item", number: Int64(number))) }
            try context.save()
            context.endTurn()
            return (context, objects)
        }

        private func isSolitary(_ context: ManagedObjectContext) -> Bool {
            let store = context.coordinator.stores[0] as? ServerStore
            return store.map { $0.log.solitude($0.settings) != nil } ?? false
        }

        /// Saves a context on another thread, and does something when that waits for another transaction. Expects that the save
        /// is refused then.
        private func expectRefusal(of context: ManagedObjectContext, whenItWaits body: () throws -> Void) throws {
            let (refusals, done) = (Locked<[SaveError]>([]), DispatchGroup())
            // nonisolated(unsafe): this thread uses it again when the other one has ended.
            nonisolated(unsafe) let saved = context
            Thread.detachNewThread(in: done) {
                do {
                    try saved.save()
                } catch let error as SaveError {
                    refusals.withLock { $0.append(error) }
                } catch { Issue.record(error) }
            }
            // On another connection: within a transaction, the server shows the same activity again.
            try PostgresServer.shared.get().connect().wait(
                forProcess: "wait_event = 'transactionid' AND query LIKE '%\(stage.namespace.name)%'")
            try body()
            done.wait()
            #expect(refusals.withLock(\.count) == 1)
        }

        @Test func `take one round trip`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(20))
            let (context, items) = try context(proxy.url, items: 20)
            var commits: Int64 = 1
            let changes = try proxy.fewestRoundTrips(downTo: 1) {
                commits += 1
                for item in items { try item.setValue(.int(commits), forKey: "number") }
                try context.save()
            }
            // The first one takes a block of ids.
            let insertions = try proxy.fewestRoundTrips(downTo: 1) {
                commits += 1
                _ = try context.insert("Box")
                try context.save()
            }
            #expect(changes == 1 && insertions == 1)
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == Array(1...commits))
            #expect(reports.withLock(\.isEmpty))
        }

        @Test func `find what another process has changed, as conflicts`() throws {
            let (context, items) = try context()
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            try other.all("Item")[0].setValue(2, forKey: "number")
            try items[0].setValue(3, forKey: "number")
            try other.save()
            #expect(isSolitary(context))
            #expect(throws: SaveError.self) { try context.save() }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [2])
            #expect(!isSolitary(context))
            context.mergePolicy = .mergeByPropertyObjectTrump
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [3])
            #expect(reports.withLock(\.isEmpty))
        }

        @Test func `find what another process has deleted, or changed while they waited for it`() throws {
            let (context, items) = try context(items: 2)
            for (item, sql, numbers) in [
                (items[0], "DELETE FROM \(stage.items) WHERE number = 0", [1] as [Int64]),
                (items[1], "UPDATE \(stage.items) SET number = 7, _version = _version + 1", [7]),
            ] {
                try stage.run("BEGIN")
                try stage.run(sql)
                try item.setValue(3, forKey: "number")
                try expectRefusal(of: context) { try stage.run("COMMIT") }
                #expect(try stage.numbers("SELECT number FROM \(stage.items)") == numbers)
                context.rollback()
                context.endTurn()
            }
        }

        @Test func `show what another process has committed before`() throws {
            let (context, items) = try context()
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            _ = try other.insert("Item", number: 2)
            try other.save()
            try items[0].setValue(3, forKey: "number")
            #expect(isSolitary(context))
            try context.save()
            context.endTurn()
            #expect(try context.all("Item").count == 2)
            #expect(!isSolitary(context))
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == [1, 2, 3])
        }

        @Test func `write those of a group that are as assumed, and refuse the others`() throws {
            let (context, items) = try context(items: 3)
            let contexts = try (0..<3).map { number in
                let member = ManagedObjectContext(coordinator: context.coordinator)
                let request = FetchRequest(
                    entityName: "Item", condition: .compare("number", .equal, .int(Int64(number))))
                let item = try #require(try member.fetch(request).first)
                try item.setValue(.int(Int64(10 + number)), forKey: "number")
                return member
            }
            #expect(items.count == 3)
            try stage.run("UPDATE \(stage.items) SET number = 5, _version = _version + 1 WHERE number = 1")
            #expect(isSolitary(context))
            #expect(try context.coordinator.saveTogether(contexts) == [true, false, true])
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [5, 10, 12])
            #expect(reports.withLock(\.isEmpty))
        }

        @Test func `change an object several times in a group`() throws {
            let (context, _) = try context()
            let contexts = try (1...Int64(3)).map { number in
                let member = ManagedObjectContext(coordinator: context.coordinator)
                member.mergePolicy = .mergeByPropertyObjectTrump
                let item = try member.all("Item")[0]
                try item.setValue(.int(number), forKey: "number")
                return member
            }
            #expect(try context.coordinator.saveTogether(contexts) == [true, true, true])
            #expect(try stage.numbers("SELECT _version FROM \(stage.items)") == [4])
        }

        @Test func `refer to objects that exist`() throws {
            let (context, items) = try context()
            let box = try context.insert("Box")
            try context.save()
            try stage.run("DELETE FROM \(stage.namespace.qualified("box"))")
            try items[0].setValue(.object(box.anyObjectID), forKey: "box")
            #expect(isSolitary(context))
            #expect(throws: SaveError.self) { try context.save() }
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.items) WHERE box IS NOT NULL") == [0])
        }

        @Test func `are refused if the store was migrated`() throws {
            let (context, items) = try context()
            try stage.run("UPDATE \(stage.namespace.qualified("_store")) SET oldest_version = 1000")
            try items[0].setValue(3, forKey: "number")
            #expect(isSolitary(context))
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .schemaChanged)
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [0])
        }

        @Test func `are in a history that another process has begun`() throws {
            let (context, items) = try context()
            var settings = ServerStoreSettings.patient()
            settings.tracksHistory = true
            let other = try stage.coordinator(options: settings)
            try items[0].setValue(3, forKey: "number")
            #expect(isSolitary(context))
            try context.save()
            let transactions = ServerHistoryTables(namespace: stage.namespace).transactions
            #expect(try stage.numbers("SELECT count(*) FROM \(transactions)") == [1])
            withExtendedLifetime(other) {}
        }

        /// The connection is cut at each of many bytes of a save, from the first one to that behind the last.
        @Test(arguments: [FaultyProxy.Direction.toServer, .toClient])
        func `are committed once, or not at all, if their connection is cut`(_ direction: FaultyProxy.Direction) throws
        {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            let (context, items) = try context(proxy.url)
            func save(_ number: Int64) throws {
                try items[0].setValue(.int(number), forKey: "number")
                try context.save()
                context.endTurn()
            }
            try save(1)
            proxy.setFault(nil)
            try save(2)
            let count = direction == .toServer ? proxy.counts.toServer : proxy.counts.toClient
            var number: Int64 = 2
            for byte in stride(from: 0, through: count + 1, by: max(1, count / 40)) {
                // Solitude ends with each loss.
                repeat {
                    number += 1
                    try save(number)
                } while !isSolitary(context)
                proxy.setFault(
                    FaultyProxy.Fault(direction: direction, byteCount: byte, effect: .close) { proxy.setFault(nil) })
                number += 1
                try save(number)
                proxy.setFault(nil)
                #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [number], "byte \(byte)")
            }
            // A version for each save: none was written twice.
            #expect(try stage.numbers("SELECT _version FROM \(stage.items)") == [number + 1])
            #expect(
                try stage.numbers("SELECT count(*) FROM \(stage.log) WHERE NOT is_fence") == [number + 1])
        }

        /// The connection is cut at each of many bytes of the answers to a save that is based on an old row.
        @Test func `find conflicts though their connection is cut`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            let (context, items) = try context(proxy.url)
            proxy.setFault(nil)
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            for byte in stride(from: 0, to: 2_000, by: 100) {
                // Solitude ends with each conflict.
                for number in [1, 2] {
                    context.endTurn()
                    try #expect(context.all("Item") == items)
                    try items[0].setValue(.int(Int64(number)), forKey: "number")
                    try context.save()
                }
                #expect(isSolitary(context))
                try other.all("Item")[0].setValue(.int(Int64(100 + byte)), forKey: "number")
                try other.save()
                other.endTurn()
                try items[0].setValue(3, forKey: "number")
                proxy.setFault(
                    FaultyProxy.Fault(direction: .toClient, byteCount: byte, effect: .close) { proxy.setFault(nil) })
                let error = #expect(throws: (any Error).self, "byte \(byte)") { try context.save() }
                // The connection of the repetition may be the one that is cut.
                #expect(
                    error is SaveError || [.writeFailed, .readFailed].contains((error as? StoreError)?.code),
                    "byte \(byte): \(error as Any)")
                proxy.setFault(nil)
                context.rollback()
                context.endTurn()
                #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [Int64(100 + byte)], "byte \(byte)")
            }
            #expect(!reports.withLock { "\($0)" }.contains("division"))
        }

        @Test func `let others read while they wait for a row`() throws {
            let (context, items) = try context()
            try stage.run("BEGIN")
            try stage.run("UPDATE \(stage.items) SET number = 7, _version = _version + 1")
            try items[0].setValue(3, forKey: "number")
            let reading = ManagedObjectContext(coordinator: context.coordinator)
            try expectRefusal(of: context) {
                let other = ManagedObjectContext(coordinator: try stage.coordinator())
                _ = try other.insert("Box")
                try other.save()
                // It waits for the one that is announced, if that is not given up.
                #expect(try reading.all("Box").count == 1)
                try stage.run("COMMIT")
            }
        }

        @Test func `wait for rows that no lock names as long as others do`() throws {
            let (context, items) = try context()
            let tag = try context.insert("Tag")
            try items[0].setObjects([tag], forKey: "tags")
            try context.save()
            let links = try stage.run(
                """
                SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
                WHERE nspname = '\(stage.namespace.name)' AND relkind = 'r' AND relname LIKE '%tag%' AND relname <> 'tag'
                """
            ).column(of: String.self)
            try stage.run("BEGIN")
            try stage.run("SELECT FROM \(stage.namespace.qualified(#require(links.first))) FOR UPDATE")
            try items[0].setObjects([], forKey: "tags")
            let done = DispatchGroup()
            // nonisolated(unsafe): this thread uses it again when the other one has ended.
            nonisolated(unsafe) let saved = context
            Thread.detachNewThread(in: done) { #expect(throws: Never.self) { try saved.save() } }
            let connection = try PostgresServer.shared.get().connect()
            let waits = "wait_event = 'transactionid' AND query LIKE '%\(stage.namespace.name)%'"
            try connection.wait(forProcess: waits)
            // Longer than a save waits that travels with its beginning.
            _ = try connection.run(PostgresStatement("SELECT pg_sleep(0.5)"), until: farDeadline)
            try connection.wait(forProcess: waits)
            try stage.run("COMMIT")
            done.wait()
            #expect(reports.withLock(\.isEmpty))
        }

        @Test func `write nothing if their transaction has not begun`() throws {
            let (context, items) = try context()
            let store = try #require(context.coordinator.stores[0] as? ServerStore)
            let connection = try PostgresServer.shared.get().connect()
            // In place of a beginning that the server has refused.
            let beginning = [PostgresStatement("SELECT 1 / 0")]
            for writes in [["UPDATE \(stage.items) SET number = 7"], []] {
                #expect(throws: ServerLog.FailedBeginning.self) {
                    try store.log.commit(
                        on: connection, of: store, beginning: beginning, writes: writes.map { PostgresStatement($0) },
                        history: nil, lockTimeout: .seconds(10), until: farDeadline)
                }
            }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [0])
            #expect(try stage.numbers("SELECT number FROM \(stage.log)") == [1])
            try items[0].setValue(3, forKey: "number")
            try context.save()
        }
    }
#endif
