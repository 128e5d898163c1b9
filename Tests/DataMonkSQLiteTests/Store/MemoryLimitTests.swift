import CSQLite
import DataMonkCore
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// SQLite's limit of memory holds for a whole process, so the test runs in one of its own.
@Suite struct `A store without memory` {
    @Test func `refuses a commit, and takes it when there is memory again`() async throws {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let model = try ManagedObjectModel {
                EntityDescription("Note") { AttributeDescription("text", .string) }
                EntityDescription("Tag") { AttributeDescription("name", .string) }
            }
            var refused = 0
            for room in stride(from: 0, to: 60_000, by: 1_000) {
                let coordinator = PersistentStoreCoordinator(model: model)
                try coordinator.add(
                    SQLiteStore.open(
                        directory.url.appendingPathComponent("\(room).sqlite"), configuration: nil,
                        directory: coordinator.directory, index: 0))
                let context = ManagedObjectContext(coordinator: coordinator)
                _ = try context.insert(coordinator.model.entities[0])
                // Prepares the beginning and the end of transactions.
                try context.save()
                _ = try context.insert(coordinator.model.entities[1])
                sqlite3_hard_heap_limit64(sqlite3_memory_used() + Int64(room))
                do { try context.save() } catch let error as StoreError {
                    refused += 1
                    sqlite3_hard_heap_limit64(0)
                    #expect(throws: Never.self, "\(room) bytes: \(error)") { try context.save() }
                }
                sqlite3_hard_heap_limit64(0)
                context.endTurn()
                try coordinator.close()
            }
            #expect(refused > 0)
        }
    }
}
