#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// The commits that a process sees while one of its own is in flight.
    @Suite struct InFlightTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        /// Saves an item that waits at the gate, and commits another process's change of item 1 meanwhile.
        private func save(in coordinator: PersistentStoreCoordinator, meanwhile body: () throws -> Void) throws {
            try saveAlone(in: coordinator) { other in
                for sql in [
                    "UPDATE \(stage.items) SET number = 7, _version = _version + 1 WHERE _id = 1",
                    """
                    INSERT INTO \(stage.log) (number, process, attempt) \
                    SELECT max(number) + 1, '\(UUID().uuidString)', 1 FROM \(stage.log)
                    """,
                ] { _ = try other.run(PostgresStatement(sql), until: farDeadline) }
                try body()
            }
        }

        /// Saves an item that waits at the gate.
        private func saveAlone(
            in coordinator: PersistentStoreCoordinator, meanwhile body: (PostgresConnection) throws -> Void
        ) throws {
            try stage.addGate(forItemsNumbered: 3)
            try stage.closeGate()
            let done = DispatchGroup()
            Thread.detachNewThread(in: done) {
                let context = ManagedObjectContext(coordinator: coordinator)
                _ = try context.insert("Item", number: 3)
                try context.save()
            }
            let other = try PostgresServer.shared.get().connect()
            try other.wait(forProcess: "\(stage.connection.serverProcessID) = ANY (pg_blocking_pids(pid))")
            try body(other)
            try stage.openGate()
            done.wait()
        }

        @Test func `a reader that waits for a commit keeps no connection`() throws {
            let coordinator = try stage.coordinator(
                options: .patient(readerCount: 1))
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: 1)
            try context.save()
            let read = DispatchGroup()
            let numbers = Locked<[ManagedValue]>([])
            try save(in: coordinator) {
                Thread.detachNewThread(in: read) {
                    let context = ManagedObjectContext(coordinator: coordinator)
                    let found = try context.all("Item").map { try $0.value(forKey: "number") }
                    numbers.withLock { $0 = found }
                }
                // Returns once the reader waits: until then, it uses the only connection.
                while coordinator.waitingReaderCount == 0 { sched_yield() }
                try coordinator.stores[0].openReader().end()
            }
            read.wait()
            #expect(numbers.withLock { $0 } == [7, 3])
        }

        @Test func `a fetch waits for a commit until its own deadline`() throws {
            let coordinator = try stage.coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            let item = try context.insert("Item", number: 1)
            try context.save()
            try save(in: coordinator) {
                var request = FetchRequest(entityName: "Item")
                request.deadline = .milliseconds(100)
                let error = #expect(throws: FetchError.self) { try context.fetch(request) }
                #expect(error?.code == .deadlinePassed)
                request.resultType = .objectIDs
                #expect(throws: FetchError.self) { try context.objectIDs(request) }
                context.deadlineOfCaller = { .now }
                #expect(throws: StoreError.self) { try context.existingObject(with: item.anyObjectID) }
                context.deadlineOfCaller = nil
            }
            #expect(try context.all("Item").map { try $0.value(forKey: "number") } == [7, 3])
        }

        @Test func `a store that was removed does not keep readers from reading beside a commit`() throws {
            let coordinator = try stage.coordinator(isSecond: true)
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: 1)
            try context.save()
            try saveAlone(in: coordinator) { _ in
                let other = ManagedObjectContext(coordinator: coordinator)
                let numbers = try other.all("Item").map { try $0.value(forKey: "number") }
                #expect(numbers == [1])
            }
            #expect(try context.all("Item").map { try $0.value(forKey: "number") } == [1, 3])
        }

        @Test func `a commit is published with the foreign ones before it`() throws {
            let coordinator = try stage.coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: 1)
            try context.save()
            let told = Locked<[Bool]>([])
            let token = coordinator.commitObservers.add { changes in
                told.withLock { $0.append(changes.comesWithForeignChanges) }
            }
            defer { coordinator.commitObservers.remove(token) }
            try save(in: coordinator) {}
            #expect(told.withLock { $0 } == [true])
            context.endTurn()
            #expect(try context.all("Item").map { try $0.value(forKey: "number") } == [7, 3])
        }

        @Test func `ids that others have assigned are known for copies`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            for _ in 0..<70 { _ = try context.insert("Item") }
            try context.save()
            let other = try stage.coordinator()
            let reader = try other.stores[0].openReader()
            defer { reader.end() }
            let (item, tag) = (other.model.entitiesByName["Item"], other.model.entitiesByName["Tag"])
            let limits = try [item, tag].map { try reader.primaryKeyLimit(of: #require($0)) }
            #expect(limits[0] >= 70 && limits[1] == 0)
        }
    }
#endif
