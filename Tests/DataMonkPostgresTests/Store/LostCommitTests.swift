#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Commits whose answers are lost.
    @Suite struct LostCommitTests {
        private let stage: ItemStore
        private let proxy: FaultyProxy

        init() throws {
            stage = try ItemStore()
            proxy = FaultyProxy(try PostgresServer.shared.get())
        }

        /// A save at every cut of the network: what the caller is told must agree with what the server did.
        @Test(arguments: [FaultyProxy.Direction.toServer, .toClient])
        func `a save that is cut at any byte tells the truth`(direction: FaultyProxy.Direction) throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator(proxy.url))
            _ = try context.insert("Item", number: -1)
            try context.save()
            var saved: Set<Int64> = []
            var (byteCount, refusedCount) = (0, 0)
            while true {
                let (proxy, effect) = (proxy, byteCount % 2 == 0 ? FaultyProxy.Fault.Effect.close : .reset)
                let happened = Locked(false)
                proxy.setFault(
                    .init(direction: direction, byteCount: byteCount, effect: effect) {
                        // Once: the look-up gets through.
                        happened.withLock { $0 = true }
                        proxy.setFault(nil)
                    })
                _ = try context.insert("Item", number: Int64(byteCount))
                do {
                    try context.save()
                    saved.insert(Int64(byteCount))
                } catch {
                    refusedCount += 1
                    context.rollback()
                }
                if !happened.withLock(\.self) { break }
                byteCount += testEffort > 1 ? 1 : 11
            }
            proxy.setFault(nil)
            let found = try stage.numbers("SELECT number FROM \(stage.items) WHERE number >= 0 ORDER BY 1")
            #expect(found == saved.sorted(), "\(refusedCount) were refused")
            #expect(saved.count > 20)
            // Each is there once, and so are the rows that kept others out.
            let numbers = try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1")
            #expect(numbers == (1...Int64(numbers.count)).map { $0 } && numbers.count > saved.count)
        }

        /// A context whose store soon gives up looking for a commit without an answer.
        private func impatientContext() throws -> ManagedObjectContext {
            var settings = ServerStoreSettings.patient()
            settings.lookUpTimeout = .milliseconds(100)
            return ManagedObjectContext(coordinator: try stage.coordinator(proxy.url, options: settings))
        }

        /// Saves three items. The last commit gets no answer, and nobody can be asked for it. Returns the error of that save.
        private func loseThird(in context: ManagedObjectContext) throws -> StoreError {
            for number in 1...2 {
                proxy.setFault(nil)
                _ = try context.insert("Item", number: Int64(number))
                try context.save()
            }
            let answerCount = proxy.counts.toClient
            _ = try context.insert("Item", number: 3)
            // The last answers are those of the commit, the flush and the notification; no new connection gets through either.
            proxy.setFault(.init(direction: .toClient, byteCount: answerCount - 350, effect: .close))
            let error = try #require(throws: StoreError.self) { try context.save() }
            #expect(error.code == .outcomeUnknown)
            proxy.setFault(nil)
            try stage.wait(for: [1, 2, 3], numbers)
            return error
        }

        private var numbers: String { "SELECT number FROM \(stage.items) ORDER BY 1" }

        @Test func `a commit that nobody can ask for is told as unknown, and is seen later`() throws {
            let context = try impatientContext()
            let error = try loseThird(in: context)
            // The reason of the look-up is told, behind that of the commit.
            #expect((error.underlyingError as? PostgresFailure)?.isConnectionLost != true, "\(error)")
            #expect(error.message.contains("could not be asked for the commit afterwards"))
            context.rollback()
            context.endTurn()
            #expect(try context.all("Item").count == 3)
        }

        @Test func `a commit of unknown outcome whose row was deleted is not repeated without a word`() throws {
            let context = try impatientContext()
            _ = try loseThird(in: context)
            // As others do with rows older than their retention. The context has read nothing since.
            try stage.appendToLog()
            try stage.run("DELETE FROM \(stage.log) WHERE number <= 3")
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .outcomeUnknown && error?.message.contains("cannot tell") == true)
            #expect(try stage.numbers(numbers) == [1, 2, 3])
            // Once, so that the caller can look.
            context.rollback()
            context.endTurn()
            #expect(try context.all("Item").count == 3)
            _ = try context.insert("Item", number: 4)
            try context.save()
            #expect(try stage.numbers(numbers) == [1, 2, 3, 4])
        }

        @Test func `a commit of unknown outcome is found though the rows before it were deleted`() throws {
            let context = try impatientContext()
            _ = try loseThird(in: context)
            try stage.run("DELETE FROM \(stage.log) WHERE number <= 2")
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .outcomeUnknown && error?.message.contains("is in the store") == true)
            #expect(try stage.numbers(numbers) == [1, 2, 3])
        }

        @Test func `a commit that a look-up has found missing is kept out`() throws {
            let coordinator = try stage.coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: 1)
            try context.save()
            let store = try #require(coordinator.stores[0] as? ServerStore)
            // As the look-up of the next attempt does.
            try stage.run(
                "INSERT INTO \(stage.log) (number, process, attempt) VALUES (2, '\(store.log.process)', 2)")
            let transaction = try store.beginTransaction()
            var changes = ChangeSet()
            changes.deleted = try context.all("Item").map { .init(key: $0.objectKey, base: nil) }
            #expect(try transaction.write(changes).isEmpty)
            #expect(throws: StoreError.self) { try transaction.commit() }
            #expect(!transaction.isOutcomeUnknown)
            transaction.rollBack()
            transaction.end()
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [1])
            // A later attempt is another one.
            _ = try context.insert("Item", number: 2)
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [1, 2])
        }
    }
#endif
