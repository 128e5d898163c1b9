#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Commits that the synchronous standby does not have yet when it takes over.
    @Suite struct UnconfirmedCommitTests {
        private let pair: PostgresPair

        // A standby shows later what it has on its disk.
        init() throws { pair = try PostgresPair(["recovery_min_apply_delay = 50ms"]) }

        private func coordinator(_ url: ServerURL? = nil) throws -> (PersistentStoreCoordinator, Locked<[String]>) {
            let coordinator = PersistentStoreCoordinator(model: try ItemStore.model())
            let reports = Locked<[String]>([])
            coordinator.directory.setErrorHandler { error in reports.withLock { $0.append("\(error)") } }
            try coordinator.add(
                ServerStore(
                    url ?? pair.url, namespace: ServerNamespace(name: "items"), directory: coordinator.directory,
                    index: 0, settings: .patient()))
            return (coordinator, reports)
        }

        @Test func `a save waits until the standby shows it if the role says so`() throws {
            var url = pair.url
            url.parameters["options"] = "-c synchronous_commit=remote_apply"
            let context = ManagedObjectContext(coordinator: try coordinator(url).0)
            for number in 1...5 {
                _ = try context.insert("Item", number: Int64(number))
                try context.save()
                #expect(
                    try pair.standby.run("SELECT count(*) FROM items.item").column(of: Int64.self) == [Int64(number)])
            }
        }

        private func numbers(_ context: ManagedObjectContext) throws -> [ManagedValue] {
            try context.all("Item").map { try $0.value(forKey: "number") }
        }

        /// Servers that stop send the answers that they have: one of a flush that was not confirmed must not count.
        @Test(arguments: [PostgresServer.Ending.immediate, .fast])
        func `a commit that the standby does not have is forgotten by those who read it, and made again`(
            ending: PostgresServer.Ending
        ) throws {
            let (writers, writerReports) = try coordinator()
            let (readers, readerReports) = try coordinator()
            let writing = ManagedObjectContext(coordinator: writers)
            let item = try writing.insert("Item", number: 1)
            try writing.save()
            try pair.detachStandby()
            let saved = DispatchGroup()
            // nonisolated(unsafe): this thread leaves the context to the other one until that has ended.
            nonisolated(unsafe) let (context, changed) = (writing, item)
            Thread.detachNewThread(in: saved) {
                try changed.setValue(2, forKey: "number")
                try context.save()
            }
            try pair.primary.connect().wait(forProcess: "wait_event = 'SyncRep'")
            let reading = ManagedObjectContext(coordinator: readers)
            #expect(try numbers(reading) == [2])
            reading.endTurn()
            try pair.failOver(ending)
            #expect(try numbers(reading) == [1])
            // The row that keeps the first attempt out waits for a standby as well.
            try pair.addStandby()
            saved.wait()
            reading.endTurn()
            #expect(try numbers(reading) == [2])
            let fences = try pair.primary.run("SELECT is_fence FROM items._log ORDER BY number").column(of: Bool.self)
            #expect(fences == [false, true, false])
            #expect(readerReports.withLock { $0.count } == 1)
            #expect(readerReports.withLock { $0.first?.contains("of this process") } == false)
            // It is acknowledged, and nothing that was acknowledged is lost.
            #expect(writerReports.withLock { $0.contains { $0.contains("standby") } } == false)
        }
    }
#endif
