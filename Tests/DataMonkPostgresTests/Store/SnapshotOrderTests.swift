#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Snapshots of three writers' commits, on the primary and on a standby: the log in them has no holes and agrees with the
    /// rows, and no context goes back.
    @Suite struct SnapshotOrderTests {
        private let pair: PostgresPair

        // Without a delay, who would go back hardly ever does.
        init() throws { pair = try PostgresPair(["recovery_min_apply_delay = 20ms"]) }

        private static let writerCount = 3
        private static var commitCount: Int { 60 * testEffort }

        private func coordinator() throws -> PersistentStoreCoordinator {
            var url = pair.url
            url.parameters["target_session_attrs"] = "prefer-standby"
            let coordinator = PersistentStoreCoordinator(model: try ItemStore.model())
            try coordinator.add(
                ServerStore(
                    url, namespace: ServerNamespace(name: "items"), directory: coordinator.directory, index: 0,
                    settings: .patient()))
            return coordinator
        }

        /// Writes, each time one more, into an item of its own, and adds a box.
        private func write(_ item: Int) throws {
            let context = ManagedObjectContext(coordinator: try coordinator())
            let items = try context.all("Item")
            for _ in 0..<Self.commitCount {
                try items[item].incrementValue(forKey: "number", by: 1)
                _ = try context.insert("Box")
                try context.save()
            }
        }

        /// Looks at the tables, each time in one snapshot. Returns the number of snapshots, and those that are wrong.
        private func look(at server: PostgresServer, until isComplete: Locked<Bool>) throws -> (Int, [String]) {
            let connection = try server.connect()
            // The first commit has made the items.
            let statement = PostgresStatement(
                """
                SELECT concat_ws(' ', count(*), max(number), sum, boxes), \
                count(*) = max(number) AND min(number) = 1 AND max(number) - 1 = sum AND sum = boxes FROM items._log, \
                (SELECT sum(number) FROM items.item) items, (SELECT count(*) AS boxes FROM items.box) boxes \
                GROUP BY sum, boxes
                """)
            var (count, wrong) = (0, [String]())
            while !isComplete.withLock(\.self) {
                let result = try connection.run(statement, until: farDeadline)
                count += 1
                if try !result.required(Bool.self, row: 0, column: 1) {
                    wrong.append(try result.required(String.self, row: 0, column: 0))
                }
            }
            return (count, wrong)
        }

        /// Reads in contexts of one process. Returns the number of reads, and the counts of boxes that are less than one before.
        private func read(until isComplete: Locked<Bool>) throws -> (Int, [Int]) {
            let coordinator = try coordinator()
            var (count, last, wrong) = (0, 0, [Int]())
            while !isComplete.withLock(\.self) {
                // As somebody who follows the commits does, or who writes: both ask the primary.
                if count.isMultiple(of: 7) { coordinator.lookForForeignCommits() }
                let context = ManagedObjectContext(
                    coordinator: coordinator, isReadOnly: !count.isMultiple(of: 5))
                let boxes = try context.all("Box").count
                count += 1
                if boxes < last { wrong.append(boxes) }
                last = boxes
            }
            try coordinator.stores[0].close()
            return (count, wrong)
        }

        @Test func `no snapshot has holes, and no context goes back`() throws {
            let context = ManagedObjectContext(coordinator: try coordinator())
            for _ in 0..<Self.writerCount { _ = try context.insert("Item") }
            try context.save()
            try pair.waitUntilCurrent()
            let (written, done, isComplete) = (DispatchGroup(), DispatchGroup(), Locked(false))
            let found = Locked<[String]>([])
            for server in [pair.primary, pair.standby] {
                Thread.detachNewThread(in: done) {
                    let (count, wrong) = try look(at: server, until: isComplete)
                    #expect(wrong == [], "of \(count)")
                    found.withLock { $0.append("\(count) snapshots") }
                }
            }
            Thread.detachNewThread(in: done) {
                let (count, wrong) = try read(until: isComplete)
                #expect(wrong == [], "of \(count)")
                found.withLock { $0.append("\(count) reads") }
            }
            for item in 0..<Self.writerCount { Thread.detachNewThread(in: written) { try write(item) } }
            written.wait()
            isComplete.withLock { $0 = true }
            done.wait()
            // Each read ends with one, as the connections have told when they were closed.
            let ends = try pair.standby.run("SELECT sum(xact_rollback)::int8 FROM pg_stat_database")
            print(
                "Snapshots of \(Self.writerCount * Self.commitCount) commits: \(found.withLock(\.self)),",
                "about \(try ends.required(Int64.self, row: 0, column: 0)) transactions on the standby")
        }
    }
#endif
