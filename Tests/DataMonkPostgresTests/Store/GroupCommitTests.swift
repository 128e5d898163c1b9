#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Saves that wait for each other, and are written in one transaction.
    @Suite struct GroupCommitTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        /// Contexts of a coordinator, each with all items in the order of their numbers.
        private func contexts(
            _ count: Int, of coordinator: PersistentStoreCoordinator
        ) throws -> [(context: ManagedObjectContext, items: [ManagedObject])] {
            try (0..<count).map { _ in
                let context = ManagedObjectContext(coordinator: coordinator)
                let items = try context.all("Item").map { (number: try $0.value(forKey: "number"), item: $0) }
                return (context, items.sorted { "\($0.number)" < "\($1.number)" }.map(\.item))
            }
        }

        private func insertItems(_ numbers: ClosedRange<Int64>, in coordinator: PersistentStoreCoordinator) throws {
            let context = ManagedObjectContext(coordinator: coordinator)
            for number in numbers { _ = try context.insert("Item", number: number) }
            try context.save()
        }

        @Test func `saves of a group are sent together`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(20))
            let coordinator = try stage.coordinator(proxy.url)
            try insertItems(1...9, in: coordinator)
            let savers = try contexts(9, of: coordinator)
            var base: Int64 = 0
            let count = try proxy.fewestRoundTrips(downTo: 2) {
                base += 100
                for (index, saver) in savers.enumerated() {
                    try saver.items[index].setValue(.int(base + Int64(index)), forKey: "number")
                    saver.context.endTurn()
                }
                #expect(try coordinator.saveTogether(savers.map(\.context)).allSatisfy(\.self))
            }
            #expect(count == 2)
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == Array(base...base + 8))
        }

        /// Counts the statements that write to tables.
        private func countStatements(in tables: [String]) throws {
            let (log, function) = (stage.namespace.qualified("log"), stage.namespace.qualified("note"))
            try stage.run("CREATE TABLE \(log) (operation text)")
            try stage.run(
                """
                CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS \
                'BEGIN INSERT INTO \(log) VALUES (TG_OP || '' '' || TG_TABLE_NAME); RETURN NULL; END'
                """)
            for table in tables {
                try stage.run(
                    """
                    CREATE TRIGGER note AFTER INSERT OR UPDATE ON \(stage.namespace.qualified(table)) \
                    FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
                    """)
            }
        }

        private var countedStatements: [String] {
            get throws {
                let log = stage.namespace.qualified("log")
                return try stage.run("SELECT operation FROM \(log) ORDER BY 1").column(of: String.self)
            }
        }

        @Test(arguments: [false, true]) func `rows of several saves are written by one statement`(
            keepsHistory: Bool
        ) throws {
            let settings = ServerStoreSettings.patient()
            let coordinator = try stage.coordinator(options: keepsHistory ? settings.trackingHistory() : settings)
            try insertItems(1...6, in: coordinator)
            // From then on, the store has ids for boxes.
            let first = ManagedObjectContext(coordinator: coordinator)
            _ = try first.insert("Box")
            try first.save()
            try countStatements(in: ["item", "box"] + (keepsHistory ? ["_history_changes"] : []))
            let savers = try contexts(9, of: coordinator)
            let date = Date(timeIntervalSinceReferenceDate: 0)
            for (index, saver) in savers.enumerated() {
                if index < 6 {
                    try saver.items[index].setValue(.int(Int64(100 + index)), forKey: "number")
                } else {
                    _ = try saver.context.insert("Box")
                }
                // A statement of other columns.
                if index == 3 { try saver.items[3].setValue(.date(date), forKey: "time") }
            }
            #expect(try coordinator.saveTogether(savers.map(\.context)).allSatisfy(\.self))
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == Array(100...105))
            #expect(try stage.numbers("SELECT number FROM \(stage.items) WHERE time IS NOT NULL") == [103])
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.namespace.qualified("box"))") == [4])
            let history = keepsHistory ? ["INSERT _history_changes"] : []
            #expect(try countedStatements == history + ["INSERT box", "UPDATE item", "UPDATE item"])
            guard keepsHistory else { return }
            let transactions = try coordinator.execute(.fetchHistory(after: nil)).transactions
            #expect(transactions.map(\.changes.count) == [6] + Array(repeating: 1, count: 10))
        }

        @Test func `a save whose row is refused keeps no other one of the statement out`() throws {
            let coordinator = try stage.coordinator()
            try insertItems(1...3, in: coordinator)
            try stage.run("ALTER TABLE \(stage.items) ADD CHECK (number <> 12)")
            let savers = try contexts(3, of: coordinator)
            for (index, saver) in savers.enumerated() {
                try saver.items[index].setValue(.int(Int64(11 + index)), forKey: "number")
            }
            #expect(try coordinator.saveTogether(savers.map(\.context)) == [true, false, true])
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY _id") == [11, 2, 13])
        }

        @Test func `saves of a group that write the same rows all count`() throws {
            let coordinator = try stage.coordinator()
            try insertItems(1...3, in: coordinator)
            let savers = try contexts(12, of: coordinator)
            for (index, saver) in savers.enumerated() {
                saver.context.mergePolicy = .mergeByPropertyObjectTrump
                // Each row by four saves, in two shapes.
                try saver.items[index % 3].setValue(.int(Int64(10 * index)), forKey: "number")
                if index % 2 == 0 { try saver.items[index % 3].setValue(.date(.distantPast), forKey: "time") }
            }
            #expect(try coordinator.saveTogether(savers.map(\.context)).allSatisfy(\.self))
            for (row, number) in try stage.numbers("SELECT number FROM \(stage.items) ORDER BY _id").enumerated() {
                #expect(number / 10 % 3 == row)
            }
            #expect(try stage.numbers("SELECT count(time) FROM \(stage.items)") == [3])
            #expect(try stage.numbers("SELECT _version FROM \(stage.items) ORDER BY _id") == [5, 5, 5])
        }

        @Test(arguments: [ServerStoreSettings.patient(), .solitary()])
        func `reads and saves go on after the server has forgotten the statements of connections`(
            settings: ServerStoreSettings
        ) throws {
            let coordinator = PersistentStoreCoordinator(model: try ItemStore.model())
            let store = try ServerStore(
                PostgresServer.shared.get().url(), namespace: stage.namespace, directory: coordinator.directory,
                index: 0, settings: settings)
            try coordinator.add(store)
            func forget() throws {
                for pool in [store.writer, store.pool] {
                    let lease = try pool.lease(until: farDeadline)
                    _ = try lease.connection.run(PostgresStatement("DEALLOCATE ALL"), until: farDeadline)
                    lease.end()
                }
            }
            try insertItems(1...4, in: coordinator)
            let savers = try contexts(4, of: coordinator)
            // Twice, so that the statements of each way have been prepared before they are forgotten.
            for round in 0..<2 as Range<Int64> {
                for (index, saver) in savers.enumerated() {
                    saver.context.endTurn()
                    try saver.items[index].setValue(.int(10 * (round + 1) + Int64(index)), forKey: "number")
                }
                try forget()
                try savers[0].context.save()
                try forget()
                #expect(try coordinator.saveTogether(savers.dropFirst().map(\.context)).allSatisfy(\.self))
                try forget()
                #expect(try contexts(1, of: coordinator)[0].items.count == 4 + Int(round))
                try forget()
                try insertItems(round...round, in: coordinator)
            }
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY _id") == [20, 21, 22, 23, 0, 1])
        }

        @Test func `a save that is refused in a group leaves rows as the saves behind it expect them`() throws {
            let coordinator = try stage.coordinator()
            try insertItems(1...4, in: coordinator)
            // As if in another process.
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            let box = try other.insert("Box")
            try other.save()
            let savers = try contexts(4, of: coordinator)
            // The box is gone when this is saved, which is found after the rows were written.
            let lost = try #require(try savers[1].context.all("Box").first)
            try savers[1].items[1].setValue(.object(lost.anyObjectID), forKey: "box")
            other.delete(box)
            try other.save()
            try savers[0].items[0].setValue(11, forKey: "number")
            try savers[1].items[2].setValue(12, forKey: "number")
            try savers[2].items[2].setValue(13, forKey: "number")
            // Another one has changed it in the same group.
            try savers[3].items[0].setValue(14, forKey: "number")
            #expect(try coordinator.saveTogether(savers.map(\.context)) == [true, false, true, false])
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY _id") == [11, 2, 13, 4])
        }

        @Test func `a save that a server refuses keeps no other one of the group out of a second server`() throws {
            let (second, coordinator) = (try ItemStore(), try stage.coordinator())
            try coordinator.add(
                ServerStore(
                    PostgresServer.shared.get().url(), namespace: second.namespace, directory: coordinator.directory,
                    index: 1, settings: .patient()))
            try insertItems(1...1, in: coordinator)
            try insertItems(2...3, in: second.coordinator())
            try second.run("ALTER TABLE \(second.items) ADD CHECK (number <> 13)")
            let savers = try contexts(2, of: coordinator)
            try savers[0].items[0].setValue(11, forKey: "number")
            try savers[0].items[1].setValue(12, forKey: "number")
            try savers[1].items[2].setValue(13, forKey: "number")
            #expect(try coordinator.saveTogether(savers.map(\.context)) == [true, false])
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [11])
            #expect(try second.numbers("SELECT number FROM \(second.items) ORDER BY 1") == [3, 12])
        }
    }
#endif
