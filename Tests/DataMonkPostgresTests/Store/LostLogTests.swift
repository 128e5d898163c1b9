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
        private func readLostCommit() throws -> (context: ManagedObjectContext, item: ManagedObject) {
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
            reading.endTurn()
            try stage.run("UPDATE \(stage.items) SET number = 1, _version = 1")
            try stage.run("DELETE FROM \(stage.log) WHERE number = 2")
            return (reading, read)
        }

        @Test func `a commit that was read and is lost is forgotten`() throws {
            let context = try readLostCommit().context
            #expect(try context.all("Item")[0].value(forKey: "number") == 1)
        }

        @Test func `another commit with the number of a lost one is noticed`() throws {
            let context = try readLostCommit().context
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            try other.all("Item")[0].setValue(7, forKey: "number")
            try other.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == [1, 2])
            #expect(try context.all("Item")[0].value(forKey: "number") == 7)
        }

        @Test func `a change based on a lost commit is a conflict with another one of the same version`() throws {
            let (context, item) = try readLostCommit()
            try stage.run("UPDATE \(stage.items) SET number = 7, _version = 2")
            try stage.appendToLog()
            try item.setValue(8, forKey: "number")
            #expect(throws: SaveError.self) { try context.save() }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [7])
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
    }
#endif
