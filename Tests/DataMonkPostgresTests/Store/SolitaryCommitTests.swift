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
            return store.map { $0.log.historyInSolitude($0.settings) != nil } ?? false
        }

        @Test func `take one round trip`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(20))
            let (context, items) = try context(proxy.url, items: 20)
            var counts: [String: Int] = [:]
            // The parts of a save may also pass one after the other, on a machine that does something else meanwhile.
            func count(_ kind: String, _ change: () throws -> Void) throws {
                try change()
                proxy.setFault(nil)
                try context.save()
                counts[kind] = min(counts[kind] ?? .max, proxy.roundTripCount)
            }
            for round in 1...5 {
                try count("change") { for item in items { try item.setValue(.int(Int64(round)), forKey: "number") } }
                // The first one takes a block of ids.
                try count("insertion") { _ = try context.insert("Box") }
            }
            #expect(counts == ["change": 1, "insertion": 1])
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == Array(1...11))
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
                let (error, done) = (Locked<(any Error)?>(nil), DispatchGroup())
                // nonisolated(unsafe): this thread uses it again when the other one has ended.
                nonisolated(unsafe) let saved = context
                Thread.detachNewThread(in: done) {
                    do { try saved.save() } catch let failure { error.withLock { $0 = failure } }
                }
                try stage.wait(for: [1], "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'transactionid'")
                try stage.run("COMMIT")
                done.wait()
                #expect(error.withLock { $0 is SaveError })
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
    }
#endif
