#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Rows of the log that are deleted when they are old.
    @Suite struct LogRetentionTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        private func save(_ numbers: ClosedRange<Int64>, in coordinator: PersistentStoreCoordinator) throws {
            let context = ManagedObjectContext(coordinator: coordinator)
            for number in numbers {
                _ = try context.insert("Item", number: number)
                try context.save()
            }
        }

        @Test func `old rows are deleted but for the last, and who missed them reads all again`() throws {
            let first = try stage.coordinator()
            try save(1...3, in: first)
            let context = ManagedObjectContext(coordinator: first)
            #expect(try context.all("Item").count == 3)
            context.endTurn()
            var settings = ServerStoreSettings.patient()
            settings.logRetention = .zero
            let second = try stage.coordinator(options: settings)
            try save(4...4, in: second)
            #expect(try stage.numbers("SELECT number FROM \(stage.log)") == [4])
            try stage.run("UPDATE \(stage.items) SET number = 7, _version = _version + 1 WHERE number = 1")
            try save(5...5, in: second)
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == [4, 5])
            let numbers = try context.all("Item").map { try $0.value(forKey: "number") }
            #expect(numbers == [7, 2, 3, 4, 5])
        }

        @Test func `a save does not wait for old rows that somebody has locked, and leaves no gap`() throws {
            try save(1...4, in: try stage.coordinator())
            try stage.run("BEGIN")
            try stage.run("SELECT FROM \(stage.log) WHERE number = 3 FOR UPDATE")
            var settings = ServerStoreSettings.patient()
            settings.logRetention = .zero
            let coordinator = try stage.coordinator(options: settings)
            let done = DispatchGroup()
            Thread.detachNewThread(in: done) {
                let context = ManagedObjectContext(coordinator: coordinator)
                _ = try context.insert("Item", number: 5)
                try context.save()
            }
            #expect(done.wait(timeout: .now() + 120) == .success)
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == [3, 4, 5])
            try stage.run("COMMIT")
            try save(6...6, in: try stage.coordinator(options: settings))
            #expect(try stage.numbers("SELECT number FROM \(stage.log)") == [6])
        }

        @Test func `rows that cannot be deleted are reported, and the save stands`() throws {
            let coordinator = try stage.coordinator()
            let reports = Locked<[String]>([])
            coordinator.setErrorHandler { error in reports.withLock { $0.append("\(error)") } }
            try stage.run(
                """
                CREATE FUNCTION \(stage.namespace.qualified("refuse"))() RETURNS trigger LANGUAGE plpgsql AS \
                $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '23503'; END $$
                """)
            try stage.run(
                """
                CREATE TRIGGER refuse BEFORE DELETE ON \(stage.log) FOR EACH STATEMENT \
                EXECUTE FUNCTION \(stage.namespace.qualified("refuse"))()
                """)
            try save(1...1, in: coordinator)
            let report = reports.withLock(\.self)
            #expect(report.count == 1 && report[0].contains("stands") && !report[0].contains("Save again"), "\(report)")
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [1])
        }

        @Test func `young rows stay`() throws {
            try save(1...2, in: try stage.coordinator())
            try save(3...3, in: try stage.coordinator())
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == [1, 2, 3])
        }
    }
#endif
