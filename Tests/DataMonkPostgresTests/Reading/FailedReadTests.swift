#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Reads that fail within a turn, and those after them.
    @Suite struct FailedReadTests {
        private let stage: ItemStore
        private let context: ManagedObjectContext
        /// A context whose snapshots the server ends soon.
        private let idleContext: ManagedObjectContext
        private let application = "failed_\(UUID().uuidString)"

        init() throws {
            stage = try ItemStore()
            let writing = ManagedObjectContext(coordinator: try stage.coordinator())
            for number in 1...2 { _ = try writing.insert("Item", number: Int64(number)) }
            _ = try writing.insert("Box")
            try writing.save()
            var url = try PostgresServer.shared.get().url()
            url.parameters["application_name"] = application
            var settings = ServerStoreSettings.patient()
            settings.snapshotIdleTimeout = .milliseconds(500)
            idleContext = ManagedObjectContext(coordinator: try stage.coordinator(url, options: settings))
            idleContext.setOwner(isCaller: { true })
            context = ManagedObjectContext(coordinator: try stage.coordinator(url))
            context.setOwner(isCaller: { true })
        }

        private func faults(in context: ManagedObjectContext) throws -> [ManagedObject] {
            var request = FetchRequest(entityName: "Item")
            request.includesPropertyValues = false
            return try context.fetch(request)
        }

        /// Expects that the turn goes on after a read that has failed.
        private func expectReadable(_ items: [ManagedObject]) throws {
            #expect(try items[0].value(forKey: "number") == 1)
            #expect(context.failedAccesses.isEmpty)
            #expect(try context.all("Box").count == 1)
            try items[1].setValue(3, forKey: "number")
            try context.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [1, 3])
        }

        @Test func `a fetch that takes too long does not fail the reads after it`() throws {
            let items = try faults(in: context)
            var request = FetchRequest(entityName: "Box")
            request.deadline = .milliseconds(100)
            try stage.run("BEGIN")
            try stage.run("LOCK TABLE \(stage.namespace.qualified("box")) IN ACCESS EXCLUSIVE MODE")
            #expect(throws: FetchError.self) { try context.fetch(request) }
            try stage.run("COMMIT")
            try expectReadable(items)
        }

        /// Expects that reads which have little time end, though nothing that they wait for does.
        private func expectEnd(of read: @escaping @Sendable () throws -> Void) {
            let done = DispatchGroup()
            Thread.detachNewThread(in: done, read)
            #expect(done.wait(timeout: .now() + 120) == .success)
        }

        @Test(arguments: [false, true])
        func `a snapshot that cannot be opened fails a fetch at its deadline, and others at their caller's`(
            allAreLent: Bool
        ) throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            let coordinator = try stage.coordinator(proxy.url, options: .patient(readerCount: 1))
            let reader = allAreLent ? try coordinator.stores[0].openReader() : nil
            if !allAreLent { proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .stall)) }
            expectEnd {
                let context = ManagedObjectContext(coordinator: coordinator)
                var request = FetchRequest(entityName: "Item")
                request.deadline = .milliseconds(100)
                let error = #expect(throws: FetchError.self) { try context.fetch(request) }
                #expect(error?.code == .deadlinePassed)
                for past in [0, 100] {
                    context.deadlineOfCaller = { .now + .milliseconds(past) }
                    let error = #expect(throws: StoreError.self) { try context.objects(withKeys: []) }
                    #expect(error?.code == .timeout)
                }
            }
            reader?.end()
            withExtendedLifetime(proxy) {}
        }

        @Test func `objects are still read after their caller's deadline, if the server answers`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            let item = try #require(try faults(in: context).first)
            context.endTurn()
            context.deadlineOfCaller = { .now - .seconds(1) }
            #expect(try item.value(forKey: "number") == 1)
            #expect(context.failedAccesses.isEmpty)
        }

        @Test func `a step of a condition that takes too long fails the fetch`() throws {
            let writing = ManagedObjectContext(coordinator: try stage.coordinator())
            try stage.run("BEGIN")
            try stage.run("LOCK TABLE \(stage.namespace.qualified("tag")) IN ACCESS EXCLUSIVE MODE")
            let coordinator = writing.coordinator
            expectEnd {
                let context = ManagedObjectContext(coordinator: coordinator)
                var request = FetchRequest(entityName: "Item")
                request.condition = try Condition(format: "ANY tags.items.number > 0")
                request.deadline = .milliseconds(500)
                let error = #expect(throws: FetchError.self) { try context.fetch(request) }
                #expect(error?.code == .deadlinePassed)
            }
            try stage.run("COMMIT")
        }

        @Test func `what a condition asks of unsaved objects fails the fetch if it takes too long`() throws {
            let writing = ManagedObjectContext(coordinator: try stage.coordinator())
            try writing.insert("Item", number: 3).setValue(.object(writing.insert("Box").anyObjectID), forKey: "box")
            try writing.save()
            let coordinator = try stage.coordinator()
            nonisolated(unsafe) let stage = stage
            expectEnd {
                let context = ManagedObjectContext(coordinator: coordinator)
                var request = FetchRequest(entityName: "Item")
                request.condition = try Condition(format: "number == 3")
                let item = try #require(try context.fetch(request).first)
                try item.setValue(4, forKey: "number")
                try stage.run("BEGIN")
                try stage.run("LOCK TABLE \(stage.items) IN ACCESS EXCLUSIVE MODE")
                request.condition = try Condition(format: "box.items.@count == 1")
                request.deadline = .milliseconds(500)
                let error = #expect(throws: FetchError.self) { try context.fetch(request) }
                #expect(error?.code == .deadlinePassed)
            }
            try stage.run("COMMIT")
        }

        @Test func `prefetching that takes too long fails the fetch`() throws {
            let writing = ManagedObjectContext(coordinator: try stage.coordinator())
            try writing.insert("Item", number: 3).setValue(.object(writing.insert("Box").anyObjectID), forKey: "box")
            try writing.save()
            let coordinator = try stage.coordinator()
            try stage.run("BEGIN")
            try stage.run("LOCK TABLE \(stage.namespace.qualified("box")) IN ACCESS EXCLUSIVE MODE")
            expectEnd {
                let context = ManagedObjectContext(coordinator: coordinator)
                var request = FetchRequest(entityName: "Item")
                request.relationshipKeyPathsForPrefetching = ["box"]
                request.deadline = .milliseconds(500)
                let error = #expect(throws: FetchError.self) { try context.fetch(request) }
                #expect(error?.code == .deadlinePassed)
            }
            try stage.run("COMMIT")
        }

        @Test func `a snapshot whose commits take too long to find out fails at its caller's deadline`() throws {
            let coordinator = try stage.coordinator()
            let isLocked = Locked(false)
            nonisolated(unsafe) let stage = stage
            expectEnd {
                let context = ManagedObjectContext(coordinator: coordinator)
                // Asked while the snapshot is opened: the commit is one that it may contain, or not.
                context.deadlineOfCaller = {
                    let isFirst = isLocked.withLock { isLocked in
                        defer { isLocked = true }
                        return !isLocked
                    }
                    if isFirst {
                        #expect(throws: Never.self) {
                            let writing = ManagedObjectContext(coordinator: coordinator)
                            _ = try writing.insert("Item", number: 3)
                            try writing.save()
                            try stage.run("BEGIN")
                            try stage.run("LOCK TABLE \(stage.items) IN ACCESS EXCLUSIVE MODE")
                        }
                    }
                    return .now + .milliseconds(100)
                }
                let error = #expect(throws: StoreError.self) { try context.objects(withKeys: []) }
                #expect(error?.code == .timeout)
            }
            try stage.run("COMMIT")
        }

        @Test func `a statement that fails does not fail the reads after it`() throws {
            let items = try faults(in: context)
            try stage.run("BEGIN")
            try stage.run("LOCK TABLE \(stage.namespace.qualified("box")) IN ACCESS EXCLUSIVE MODE")
            let waiting = "application_name = '\(application)' AND wait_event_type = 'Lock'"
            nonisolated(unsafe) let watching = try PostgresServer.shared.get().connect()
            Thread.detachNewThread {
                #expect(throws: Never.self) {
                    try watching.wait(forProcess: waiting)
                    let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE \(waiting)"
                    _ = try watching.run(PostgresStatement(cancel), until: farDeadline)
                }
            }
            #expect(throws: StoreError.self) { try context.all("Box") }
            try stage.run("COMMIT")
            try expectReadable(items)
        }

        @Test func `a connection that is lost fails one read`() throws {
            let items = try faults(in: context)
            try stage.run(
                """
                SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = '\(application)'
                """)
            #expect(throws: StoreError.self) { try context.all("Box") }
            try expectReadable(items)
        }

        @Test func `a snapshot that the server has ended meanwhile is replaced before the next read`() throws {
            let items = try faults(in: idleContext)
            try stage.connection.wait(forNoProcess: "application_name = '\(application)' AND xact_start IS NOT NULL")
            #expect(try items[0].value(forKey: "number") == 1)
            #expect(idleContext.failedAccesses.isEmpty)
        }
    }
#endif
