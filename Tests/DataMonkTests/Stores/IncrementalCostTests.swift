import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// The number of calls and of objects that answers of an incremental store take.
@Suite struct `Costs of incremental stores` {
    /// A store with many persons, of whom every 50th is 1 year old.
    private static func crowd(_ count: Int) async throws -> RecordStore {
        let store = RecordStore()
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let person = try #require(stack.model.entitiesByName["Person"])
        for number in 0..<count {
            try context.insert(person).setValue(.int(number.isMultiple(of: 50) ? 1 : 2), forKey: "age")
        }
        try context.save()
        context.endTurn()
        try stack.close()
        store.reset()
        return store
    }

    @Test func `more objects than are kept are read in batches, in whatever order they are asked for`() async throws {
        let store = try await Self.crowd(4_700)
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let ids = try context.objectIDs(FetchRequest(entityName: "Person"))
        store.reset()
        let persons = try context.objects(with: ids.reversed())
        #expect(persons.count == 4_700 && store.readCalls <= 20, "\(store.readCalls) calls")
        store.reset()
        for person in persons { try person.setValue(3, forKey: "age") }
        try context.save()
        #expect(store.readCalls <= 60, "\(store.readCalls) calls")
        context.endTurn()
        try stack.close()
    }

    @Test func `a limit without an order ends the reading`() async throws {
        let store = try await Self.crowd(1_300)
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var request = FetchRequest(entityName: "Person", condition: .compare("age", .lessThan, 2))
        (request.fetchLimit, request.fetchOffset) = (3, 2)
        let found = try context.objectIDs(request).map { $0.uri.lastPathComponent }
        #expect(found == ["p202", "p252", "p302"])
        #expect(store.readIDs.count == 500)
        #expect(try context.fetch(request).count == 3 && context.count(request) == 3)
        #expect(store.readIDs.count == 1_500)
        request.fetchLimit = 0
        #expect(try context.count(request) == 24)
        request.sortTerms = [.init("age", ascending: true)]
        request.fetchLimit = 5
        #expect(try context.objectIDs(request).count == 5)
        context.endTurn()
        try stack.close()
    }
}
