#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Commits whose connection is lost while the server still works on them.
    @Suite struct LateCommitTests {
        private let stage: ItemStore
        private let proxy: FaultyProxy
        private let url: ServerURL
        private let application = "late_\(UUID().uuidString)"

        init() throws {
            stage = try ItemStore()
            proxy = FaultyProxy(try PostgresServer.shared.get())
            var url = proxy.url
            url.parameters["application_name"] = application
            self.url = url
        }

        /// A coordinator that soon gives up looking for a commit without an answer.
        private func impatientCoordinator() throws -> PersistentStoreCoordinator {
            var options = ServerStoreSettings.patient()
            options.lookUpTimeout = .milliseconds(100)
            return try stage.coordinator(url, options: options)
        }

        /// A condition that is true of a commit that waits for its turn.
        private var waiting: String { "application_name = '\(application)' AND wait_event_type = 'Lock'" }

        /// Saves the numbers 1, 2 and 3. The last commit waits for its turn as its connection is lost.
        private func loseLast(_ save: (Int64) throws -> Void) throws {
            try save(1)
            try save(2)
            try stage.holdOrder()
            let (proxy, waiting, cut) = (proxy, waiting, DispatchGroup())
            Thread.detachNewThread(in: cut) {
                try PostgresServer.shared.get().connect().wait(forProcess: waiting)
                proxy.cut()
            }
            #expect(throws: (any Error).self) { try save(3) }
            cut.wait()
            proxy.setFault(nil)
            try stage.connection.wait(forProcess: waiting)
        }

        /// Runs `body`, and lets the commits go on as soon as so many wait for their turn.
        private func whileWaiting(for count: Int, body: () throws -> Void) throws {
            // nonisolated(unsafe): the other thread has the stage until `body` ends, which waits for it.
            nonisolated(unsafe) let stage = stage
            let waiting = waiting
            Thread.detachNewThread(in: DispatchGroup()) {
                let process = "(SELECT count(*) FROM pg_stat_activity WHERE \(waiting)) = \(count)"
                try PostgresServer.shared.get().connect().wait(forProcess: process)
                try stage.openGate()
            }
            try body()
        }

        @Test func `a commit that lands late is told to its own process`() throws {
            let context = ManagedObjectContext(coordinator: try impatientCoordinator())
            let item = try context.insert("Item", number: 0)
            try context.save()
            try loseLast { number in
                try item.setValue(.int(number), forKey: "number")
                try context.save()
            }
            context.rollback()
            context.endTurn()
            #expect(try context.all("Item")[0].value(forKey: "number") == 2)
            context.endTurn()
            try stage.openGate()
            try stage.wait(for: [3], "SELECT number FROM \(stage.items)")
            #expect(try context.all("Item")[0].value(forKey: "number") == 3)
        }

        @Test func `a commit of unknown outcome is settled before anything else is written`() throws {
            let context = ManagedObjectContext(coordinator: try impatientCoordinator())
            _ = try context.insert("Item", number: 0)
            try context.save()
            try loseLast { number in
                _ = try context.insert("Item", number: number)
                try context.save()
            }
            context.rollback()
            context.endTurn()
            _ = try context.insert("Item", number: 4)
            // The look-up waits behind the commit, and finds it.
            try whileWaiting(for: 2) {
                let error = #expect(throws: StoreError.self) { try context.save() }
                #expect(error?.code == .outcomeUnknown)
            }
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [0, 1, 2, 3])
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [0, 1, 2, 3, 4])
            #expect(try context.all("Item").count == 5)
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == [1, 2, 3, 4, 5])
        }

        @Test func `a save that would repeat one that has landed late is refused`() throws {
            let context = ManagedObjectContext(coordinator: try impatientCoordinator())
            _ = try context.insert("Item", number: 0)
            try context.save()
            try loseLast { number in
                _ = try context.insert("Item", number: number)
                try context.save()
            }
            context.rollback()
            context.endTurn()
            #expect(try context.all("Item").count == 3)
            context.endTurn()
            _ = try context.insert("Item", number: 3)
            try stage.openGate()
            let numbers = "SELECT number FROM \(stage.items) ORDER BY 1"
            try stage.wait(for: [0, 1, 2, 3], numbers)
            #expect(throws: StoreError.self) { try context.save() }
            #expect(try stage.numbers(numbers) == [0, 1, 2, 3])
            // Once, so that the caller can look.
            context.rollback()
            context.endTurn()
            #expect(try context.all("Item").count == 4)
            _ = try context.insert("Item", number: 4)
            try context.save()
            #expect(try stage.numbers(numbers) == [0, 1, 2, 3, 4])
        }

        @Test func `a commit without an answer is looked for until somebody answers`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator(url))
            for number in 1...2 {
                proxy.setFault(nil)
                _ = try context.insert("Item", number: Int64(number))
                try context.save()
            }
            let (proxy, answerCount, refusals) = (proxy, proxy.counts.toClient, Locked(0))
            proxy.setFault(
                .init(direction: .toClient, byteCount: answerCount - 350, effect: .close) {
                    let count = refusals.withLock { count in
                        count += 1
                        return count
                    }
                    if count == 4 { proxy.setFault(nil) }
                })
            _ = try context.insert("Item", number: 3)
            try context.save()
            #expect(refusals.withLock(\.self) >= 4)
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [1, 2, 3])
        }
    }
#endif
