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
