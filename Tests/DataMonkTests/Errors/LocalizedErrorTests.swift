import DataMonk
import Foundation
import Testing

/// What an error says to code that knows no more than that it is one.
@Suite struct `Every error's localized description` {
    private func expectMessage(_ error: any Error, _ message: String) {
        #expect(error.localizedDescription == message)
    }

    @Test func `is its message`() throws {
        let world = try Stack(Person.self)
        try world.addInMemoryStore()
        let context = ManagedObjectContext(coordinator: world.coordinator)
        let fetch = try #require(throws: FetchError.self) { try context.fetch(FetchRequest(entityName: "Persn")) }
        expectMessage(fetch, fetch.message)
        let monk = try context.insert(Person.self)
        try monk.setValue(.null, forKey: "name")
        let save = try #require(throws: SaveError.self) { try context.save() }
        expectMessage(save, save.message)
        let store = try #require(throws: StoreError.self) {
            try Stack(Person.self).coordinator.metadata(ofStoreAt: URL(filePath: "/nowhere"))
        }
        expectMessage(store, store.message)
        let migration = MigrationError(.failed, "It failed.")
        expectMessage(migration, "It failed.")
        expectMessage(ModelError(code: .unknownClass, message: "No class."), "No class.")
    }

    @Test func `is the message of an update's error, too`() throws {
        let stack = try Stack(Person.self)
        try stack.addInMemoryStore()
        let context = try Context(stack: stack, updateOrder: .serial)
        try context.beginUpdateAndWait { _ in
            let error = #expect(throws: UpdateError.self) { try context.beginUpdateAndWait { _ in } }
            #expect(error?.localizedDescription == error?.message)
        }
    }
}
