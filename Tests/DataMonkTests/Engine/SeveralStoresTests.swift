import DataMonk
import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// A model spread over two stores by its configurations.
@Suite struct `Several stores` {
    private let stack: Stack
    private let context: ManagedObjectContext

    init() throws {
        let model = try ManagedObjectModel(
            configurations: ["private": ["Note", "Tag"], "shared": ["Paper", "Tag"]]
        ) {
            EntityDescription("Note") {
                AttributeDescription("name", .string)
                RelationshipDescription("paper", to: "Paper")
                RelationshipDescription("tag", to: "Tag")
            }
            EntityDescription("Paper") { AttributeDescription("name", .string) }
            EntityDescription("Tag") { AttributeDescription("name", .string) }
            EntityDescription("Stray") { AttributeDescription("name", .string) }
        }
        stack = Stack(model: model)
        try stack.addInMemoryStore(configuration: "private")
        try stack.addInMemoryStore(configuration: "shared")
        context = ManagedObjectContext(coordinator: stack.coordinator)
    }

    private func insert(_ entity: String, _ name: String) throws -> ManagedObject {
        let object = try context.insert(#require(stack.model.entitiesByName[entity]))
        try object.setValue(.string(name), forKey: "name")
        return object
    }

    private func names(_ entity: String) throws -> [ManagedValue] {
        let reading = ManagedObjectContext(coordinator: stack.coordinator)
        return try reading.fetch(FetchRequest(entityName: entity)).map { try $0.value(forKey: "name") }
    }

    @Test func `each object goes into the store of its entity`() throws {
        let (note, paper) = (try insert("Note", "n"), try insert("Paper", "p"))
        try context.save()
        #expect(note.anyObjectID.uri.host != paper.anyObjectID.uri.host)
        #expect(try names("Note") == ["n"] && names("Paper") == ["p"])
        try note.setValue("changed", forKey: "name")
        context.delete(paper)
        try context.save()
        #expect(try names("Note") == ["changed"] && names("Paper").isEmpty)
    }

    @Test func `an entity of several stores goes into the first`() throws {
        let (tag, note) = (try insert("Tag", "t"), try insert("Note", "n"))
        try note.setValue(.object(tag.anyObjectID), forKey: "tag")
        try context.save()
        #expect(tag.anyObjectID.uri.host == note.anyObjectID.uri.host)
        #expect(try names("Tag") == ["t"])
    }

    /// The same model over two stores, of which the second one can be made to fail.
    private func failing() throws -> (context: ManagedObjectContext, second: FaultInjectingStore) {
        let coordinator = PersistentStoreCoordinator(model: stack.model)
        let directory = coordinator.directory
        try coordinator.add(InMemoryStore(directory: directory, index: 0, configuration: "private"))
        let second = FaultInjectingStore(InMemoryStore(directory: directory, index: 1, configuration: "shared"))
        try coordinator.add(second)
        return (ManagedObjectContext(coordinator: coordinator), second)
    }

    private func stored(_ entity: String, beside context: ManagedObjectContext) throws -> [ManagedValue] {
        let reading = ManagedObjectContext(coordinator: context.coordinator)
        return try reading.fetch(FetchRequest(entityName: entity)).map { try $0.value(forKey: "name") }
    }

    @Test(arguments: [FaultInjectingStore.Place.commit, .answer])
    func `what one store has taken of a save that another one failed stays as it was taken`(
        place: FaultInjectingStore.Place
    ) throws {
        let (context, second) = try failing()
        let note = try context.insert(#require(stack.model.entitiesByName["Note"]))
        try note.setValue("taken", forKey: "name")
        let paper = try context.insert(#require(stack.model.entitiesByName["Paper"]))
        try paper.setValue("sent", forKey: "name")
        second.fail(place)
        #expect(throws: StoreError.self) { try context.save() }
        try note.setValue("later", forKey: "name")
        #expect(try stored("Note", beside: context) == ["taken"])
        #expect(try stored("Paper", beside: context) == (place == .answer ? ["sent"] : []))
        #expect(try note.value(forKey: "name") == "later")
    }

    @Test func `what one store has taken of a batch request that another one failed stays as it was taken`() throws {
        let (context, second) = try failing()
        let tag = try context.insert(#require(stack.model.entitiesByName["Tag"]))
        try context.save()
        let request = BatchUpdateRequest(entityName: "Tag", propertiesToUpdate: ["name": "changed"])
        second.fail(.write)
        #expect(throws: StoreError.self) { try context.execute(request) }
        #expect(try stored("Tag", beside: context) == [.null])
        second.fail(.commit)
        #expect(throws: StoreError.self) { try context.execute(request) }
        #expect(try stored("Tag", beside: context) == ["changed"])
        try context.refresh(tag, mergeChanges: false)
        #expect(try tag.value(forKey: "name") == "changed")
    }

    @Test func `a link from one store into another is refused by name, and nothing is written`() throws {
        let note = try insert("Note", "n")
        try note.setValue(.object(insert("Paper", "p").anyObjectID), forKey: "paper")
        let error = try #require(throws: SaveError.self) { try context.save() }
        #expect(error.code == .linkBetweenStores && error.message.contains("Note.paper"))
        #expect(try context.hasChanges && names("Note").isEmpty && names("Paper").isEmpty)
        try note.setValue(nil, forKey: "paper")
        try context.save()
        #expect(try names("Note") == ["n"] && names("Paper") == ["p"])
    }

    @Test func `an entity that no store holds cannot be saved, and is not found`() throws {
        let stray = try insert("Stray", "s")
        let error = try #require(throws: SaveError.self) { try context.save() }
        #expect(error.code == .noStoreForEntity && error.entityName == "Stray")
        context.delete(stray)
        try context.save()
        #expect(try names("Stray").isEmpty)
        #expect(try context.count(FetchRequest(entityName: "Stray")) == 0)
    }
}
