import DataMonkTesting
import Testing

@testable import DataMonkCore

/// The memory of rows that small saves have written, which contexts and the row cache may keep for long.
@Suite struct `A row of a small save` {
    private let context: ManagedObjectContext

    init() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("age", .integer64)
                RelationshipDescription("friend", to: "Person")
            }
        }
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add(InMemoryStore(directory: coordinator.directory, index: 0))
        context = ManagedObjectContext(coordinator: coordinator)
    }

    private func save(age: Int64, _ object: ManagedObject) throws -> Int {
        try object.setValue(.int(age), forKey: "age")
        try context.save()
        return Int(try #require(object.block).capacity)
    }

    @Test func `keeps no memory for others`() throws {
        let entity = try #require(context.coordinator.model.entitiesByName["Person"])
        let object = try context.insert(entity)
        try object.setValue("Monk", forKey: "name")
        let size = object.home.layout.headerSize + object.home.layout.slotsSize + 8
        #expect(try save(age: 1, object) <= 2 * size)
        #expect(try save(age: 2, object) <= 2 * size)
        #expect(try save(age: 3, object) <= 2 * size)
    }

    @Test func `keeps none either beside an object that it refers to`() throws {
        let entity = try #require(context.coordinator.model.entitiesByName["Person"])
        let friend = try context.insert(entity)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let known = try other.existingObject(with: friend.anyObjectID)
        let object = try other.insert(entity)
        try object.setValue(.object(known.anyObjectID), forKey: "friend")
        try known.setValue(2, forKey: "age")
        try other.save()
        let size = object.home.layout.headerSize + object.home.layout.slotsSize
        #expect(try #require(object.block).capacity <= 2 * size)
    }

    @Test func `shares a block in a large save`() throws {
        let entity = try #require(context.coordinator.model.entitiesByName["Person"])
        let objects = try (0..<100).map { _ in try context.insert(entity) }
        try context.save()
        #expect(Set(objects.compactMap { $0.block.map(ObjectIdentifier.init) }).count < 20)
        for object in objects { try object.setValue(1, forKey: "age") }
        try context.save()
        #expect(Set(objects.compactMap { $0.block.map(ObjectIdentifier.init) }).count < 20)
    }
}
