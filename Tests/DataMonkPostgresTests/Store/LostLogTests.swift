#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Servers that have lost their last commits: they crashed before these were on disk, or another one took over.
    @Suite struct LostLogTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        /// Lets a process read a commit that is lost then.
        ///
        /// - Parameter isKeptOut: Whether the process that has lost it knows so already.
        private func readLostCommit(
            isKeptOut: Bool = false, andThen change: (ManagedObject) throws -> Void = { _ in }
        ) throws -> ManagedObjectContext {
            let writing = ManagedObjectContext(coordinator: try stage.coordinator())
            let reading = ManagedObjectContext(coordinator: try stage.coordinator())
            let item = try writing.insert("Item", number: 1)
            try writing.save()
            #expect(try reading.all("Item")[0].value(forKey: "number") == 1)
            reading.endTurn()
            try item.setValue(2, forKey: "number")
            try writing.save()
            let read = try reading.all("Item")[0]
            #expect(try read.value(forKey: "number") == 2)
            try change(read)
            reading.endTurn()
            try stage.run("UPDATE \(stage.items) SET number = 1, _version = 1")
            try stage.run(
                isKeptOut
                    ? "UPDATE \(stage.log) SET is_fence = true WHERE number = 2"
                    : "DELETE FROM \(stage.log) WHERE number = 2")
            return reading
        }

        /// Saves a number in another process.
        private func saveElsewhere(_ number: Int64) throws {
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            try other.all("Item")[0].setValue(.int(number), forKey: "number")
            try other.save()
        }

        @Test func `a commit that was read and is lost is forgotten`() throws {
            let context = try readLostCommit()
            #expect(try context.all("Item")[0].value(forKey: "number") == 1)
        }

        @Test func `a row that keeps a lost commit out does not count as the commit`() throws {
            let context = try readLostCommit(isKeptOut: true)
            #expect(try context.all("Item")[0].value(forKey: "number") == 1)
        }

        @Test func `a lost commit is forgotten, though callers have less time than a new connection takes`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            let coordinator = try stage.coordinator(proxy.url)
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: 1)
            try context.save()
            #expect(try context.all("Item").count == 1)
            try stage.run("DELETE FROM \(stage.items)")
            try stage.run("DELETE FROM \(stage.log)")
            // Those who are late already have a second.
            proxy.setOpeningDelay(.seconds(2))
            let end = ContinuousClock.now + .seconds(60)
            var found: Int?
            while found == nil, .now < end {
                context.deadlineOfCaller = { .now }
                if (try? context.objects(withKeys: [])) == nil { continue }
                context.deadlineOfCaller = nil
                found = try context.all("Item").count
            }
            #expect(found == 0)
            withExtendedLifetime(proxy) {}
        }

        @Test func `another commit with the number of a lost one is noticed`() throws {
            let context = try readLostCommit()
            try saveElsewhere(7)
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == [1, 2])
            #expect(try context.all("Item")[0].value(forKey: "number") == 7)
        }

        @Test func `ids that a lost commit has taken are not used`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            _ = try context.insert("Item", number: 1)
            try context.save()
            try stage.run("DELETE FROM \(stage.items)")
            try stage.run("DELETE FROM \(stage.log)")
            try stage.run("ALTER SEQUENCE \(stage.namespace.qualified("item_id")) RESTART")
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            for number in 2...4 { _ = try other.insert("Item", number: Int64(number)) }
            try other.save()
            _ = try context.insert("Item", number: 5)
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [2, 3, 4, 5])
        }

        @Test func `ids that were taken before a connection was lost are not used`() throws {
            var url = try PostgresServer.shared.get().url()
            let name = "keys_\(UUID().uuidString)"
            url.parameters["application_name"] = name
            let context = ManagedObjectContext(coordinator: try stage.coordinator(url))
            _ = try context.insert("Item", number: 1)
            try context.save()
            // A server that crashes gives out again what it has not written to its disk.
            try stage.run(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = '\(name)'")
            try stage.run("ALTER SEQUENCE \(stage.namespace.qualified("item_id")) RESTART WITH 2")
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            for number in 2...4 { _ = try other.insert("Item", number: Int64(number)) }
            try other.save()
            _ = try context.insert("Item", number: 5)
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [1, 2, 3, 4, 5])
        }

        // MARK: Changes of what was read in a lost commit

        @Test func `a change is a conflict, although others have given the object the same version`() throws {
            let context = try readLostCommit { try $0.setValue("a", forKey: "code") }
            try saveElsewhere(7)
            #expect(throws: SaveError.self) { try context.save() }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [7])
            context.mergePolicy = .mergeByPropertyObjectTrump
            try context.save()
            let item = try context.all("Item")[0]
            #expect(try item.value(forKey: "number") == 7 && item.value(forKey: "code") == "a")
            #expect(try stage.numbers("SELECT number FROM \(stage.items) WHERE code = 'a'") == [7])
        }

        @Test func `a change that is made after the loss is a conflict as well`() throws {
            var item: ManagedObject?
            let context = try readLostCommit { item = $0 }
            try saveElsewhere(7)
            try item?.setValue(8, forKey: "number")
            #expect(throws: SaveError.self) { try context.save() }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [7])
        }

        @Test func `a change that is given up leaves nothing of the lost commit`() throws {
            let context = try readLostCommit { try $0.setValue("a", forKey: "code") }
            try saveElsewhere(7)
            #expect(throws: SaveError.self) { try context.save() }
            context.rollback()
            context.endTurn()
            #expect(try context.all("Item")[0].value(forKey: "number") == 7)
        }

        @Test func `an increment is put onto the number that others have saved`() throws {
            let context = try readLostCommit { try $0.incrementValue(forKey: "number", by: 10) }
            try saveElsewhere(7)
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [17])
            #expect(try context.all("Item")[0].value(forKey: "number") == 17)
        }

        @Test func `a deletion is a conflict`() throws {
            let context = try readLostCommit { $0.managedObjectContext?.delete($0) }
            try saveElsewhere(7)
            #expect(throws: SaveError.self) { try context.save() }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [7])
        }

        // MARK: Reports

        /// Collects the errors that a context's stack reports.
        private func reports(of context: ManagedObjectContext) -> Locked<[String]> {
            let reports = Locked<[String]>([])
            context.coordinator.directory.setErrorHandler { error in reports.withLock { $0.append("\(error)") } }
            return reports
        }

        @Test func `a lost commit of others is reported once`() throws {
            let context = try readLostCommit()
            let reports = reports(of: context)
            for _ in 0..<2 {
                _ = try context.all("Item")
                context.endTurn()
            }
            #expect(reports.withLock { $0.count } == 1)
            #expect(reports.withLock { $0.first?.contains("of this process") } == false)
            #expect(reports.withLock { $0.first?.contains("(commitsLost)") } == true)
        }

        @Test func `a row that somebody keeps locked is told as such behind a log that was lost`() throws {
            var options = ServerStoreSettings()
            options.lockTimeout = .milliseconds(200)
            options.contentionTime = .zero
            let context = ManagedObjectContext(coordinator: try stage.coordinator(options: options))
            let item = try context.insert("Item", number: 1)
            try context.save()
            try stage.run("DELETE FROM \(stage.log)")
            try stage.appendToLog()
            try stage.run("BEGIN")
            try stage.run("SELECT FROM \(stage.items) FOR UPDATE")
            try item.setValue(2, forKey: "number")
            let error = #expect(throws: (any Error).self) { try context.save() }
            #expect((error as? StoreError)?.code == .timeout, "\(String(describing: error))")
            try stage.run("COMMIT")
        }

        @Test func `an old row of one's own that was deleted is no lost commit`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            let reports = reports(of: context)
            let item = try context.insert("Item", number: 1)
            try context.save()
            for number in 2...4 {
                try saveElsewhere(Int64(number))
                context.endTurn()
                #expect(try context.all("Item")[0].value(forKey: "number") == .int(Int64(number)))
                // As others do with rows older than their retention. The context has seen later ones.
                try stage.run("DELETE FROM \(stage.log) WHERE number = 1")
            }
            #expect(reports.withLock(\.self).isEmpty)
            #expect(!context.coordinator.stores.contains { ($0 as? ServerStore)?.log.hasLostCommits == true })
            // A later commit is lost, of others.
            try stage.run("DELETE FROM \(stage.log) WHERE number = 4")
            try stage.appendToLog()
            context.endTurn()
            _ = try context.all("Item")
            #expect(reports.withLock { $0.count } == 1)
            #expect(reports.withLock { $0.first?.contains("of this process") } == false)
            try item.setValue(5, forKey: "number")
            try context.save()
        }

        @Test func `the loss of the first commit is reported, though its answer was lost before`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            /// Saves an object in a store, whose answers are cut at a byte. Returns their number.
            func save(in stage: ItemStore, answerCount: Int?) throws -> (ManagedObjectContext, Int) {
                let context = ManagedObjectContext(coordinator: try stage.coordinator(proxy.url))
                proxy.setFault(
                    answerCount.map { count in
                        .init(direction: .toClient, byteCount: count, effect: .close) { proxy.setFault(nil) }
                    })
                _ = try context.insert("Item", number: 1)
                try context.save()
                return (context, proxy.counts.toClient)
            }
            let (_, answerCount) = try save(in: try ItemStore(), answerCount: nil)
            let (context, _) = try save(in: stage, answerCount: answerCount - 350)
            let reports = reports(of: context)
            try stage.run("DELETE FROM \(stage.items)")
            try stage.run("DELETE FROM \(stage.log)")
            try stage.appendToLog()
            context.endTurn()
            #expect(try context.all("Item").isEmpty)
            #expect(reports.withLock { $0.count } == 1)
            #expect(reports.withLock { $0.first?.contains("of this process") } == true)
        }

        @Test func `a lost commit that was acknowledged is reported as such`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            let reports = reports(of: context)
            for number in 1...2 {
                _ = try context.insert("Item", number: Int64(number))
                try context.save()
            }
            try stage.run("DELETE FROM \(stage.items) WHERE number = 2")
            try stage.run("DELETE FROM \(stage.log) WHERE number = 2")
            context.endTurn()
            #expect(try context.all("Item").count == 1)
            #expect(reports.withLock { $0.count } == 1)
            #expect(reports.withLock { $0.first?.contains("of this process") } == true)
        }

        @Test func `a lost commit that nobody was told of yet is reported as such`() throws {
            let coordinator = try stage.coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            let reports = reports(of: context)
            _ = try context.insert("Item", number: 1)
            try context.save()
            let transaction = try coordinator.stores[0].beginTransaction()
            defer { transaction.end() }
            try transaction.commit()
            // A standby would not have it yet either.
            try stage.run("DELETE FROM \(stage.log) WHERE number = 2")
            context.endTurn()
            _ = try context.all("Item")
            #expect(reports.withLock { $0.first?.contains("of this process") } == true)
        }

        @Test func `a store that was created again is another one`() throws {
            let context = try readLostCommit()
            try stage.run("DROP SCHEMA \"\(stage.namespace.name)\" CASCADE")
            _ = try stage.coordinator()
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try context.all("Item") }
                #expect(error?.code == .fileMoved)
                context.endTurn()
            }
        }
    }
#endif
