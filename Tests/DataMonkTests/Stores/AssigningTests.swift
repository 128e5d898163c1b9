import DataMonk
import Foundation
import Testing

/// New objects of an entity that several stores hold.
@Suite @MainActor struct `Assigning objects to stores` {
    private let stores: TagStores
    private var stack: Stack { stores.stack }
    private var context: ManagedObjectContext { stores.context }
    private var second: URL { stores.second }

    init() throws { stores = try TagStores() }

    private func store(of object: ManagedObject) -> Int? {
        stack.coordinator.stores.firstIndex { $0.identifier.uuidString == object.anyObjectID.uri.host?.uppercased() }
    }

    private func names() throws -> Set<ManagedValue> {
        let reader = ManagedObjectContext(coordinator: stack.coordinator)
        return Set(try reader.fetch(FetchRequest(entityName: "Tag")).map { try $0.value(forKey: "name") })
    }

    @Test func `an assigned object goes into its store, every other one into the first`() throws {
        let tags = try ["a", "b", "c"].map { try context.insert("Tag", ["name": .string($0)]) }
        try context.assign(tags[1], toStoreAt: second)
        try context.assign(tags[2])
        try context.save()
        #expect(tags.map(store) == [0, 1, 2])
        #expect(try names() == ["a", "b", "c"])
    }

    @Test func `a permanent id is of the store that was assigned, and so is an object of a child`() throws {
        let child = ManagedObjectContext(parent: context)
        let tag = try child.insert("Tag", ["name": "child's"])
        try child.assign(tag, toStoreAt: second)
        try child.save()
        try context.save()
        let early = try context.insert("Tag", ["name": "early"])
        try context.assign(early, toStoreAt: second)
        try context.obtainPermanentIDs(for: [early])
        #expect(store(of: early) == 1 && store(of: tag) == 1)
        try context.save()
        #expect(store(of: early) == 1)
    }

    @Test func `a parent's rollback keeps the stores of its children's objects`() throws {
        let child = ManagedObjectContext(parent: context)
        let tag = try child.insert("Tag", ["name": "child's"])
        try child.assign(tag, toStoreAt: second)
        try context.assign(try context.insert("Tag", ["name": "discarded"]), toStoreAt: second)
        context.rollback()
        try child.save()
        try context.save()
        #expect(store(of: tag) == 1)
        #expect(try names() == ["child's"])
    }

    @Test func `an object of a draft goes into the store that it was assigned to`() async throws {
        let World = try MainContext(stack: stack)
        let draft = World.draft()
        let tag = try draft.managedObjectContext.insert("Tag", ["name": "drafted"])
        try draft.managedObjectContext.assign(tag, toStoreAt: second)
        try await draft.commit()
        #expect(store(of: tag) == 1)
    }

    @Test func `a save that fails keeps the assignment`() throws {
        let old = try context.insert("Tag", ["name": "old"])
        try context.save()
        let tag = try context.insert("Tag", ["name": "kept"])
        try context.assign(tag, toStoreAt: second)
        try old.setValue("mine", forKey: "name")
        let other = ManagedObjectContext(coordinator: stack.coordinator)
        try other.existingObject(with: old.anyObjectID).setValue("theirs", forKey: "name")
        try other.save()
        #expect(throws: SaveError.self) { try context.save() }
        try context.refresh(old, mergeChanges: false)
        try context.save()
        #expect(try store(of: tag) == 1 && names() == ["theirs", "kept"])
    }

    @Test func `undo brings an object back into the store that it was deleted from`() throws {
        let tag = try context.insert("Tag", ["name": "back"])
        try context.assign(tag, toStoreAt: second)
        try context.save()
        context.undoManager = ContextUndoManager()
        context.delete(tag)
        try context.save()
        context.undo()
        try context.save()
        #expect(try store(of: tag) == 1 && names() == ["back"])
    }

    @Test func `an object that has a store, a store without the entity, and no store at all are refused`() throws {
        let (tag, note) = (try context.insert("Tag"), try context.insert("Note"))
        try context.save()
        #expect(
            try #require(throws: SaveError.self) { try context.assign(tag, toStoreAt: second) }.code == .alreadyStored)
        let fresh = try context.insert("Note")
        let error = try #require(throws: SaveError.self) { try context.assign(fresh, toStoreAt: second) }
        #expect(error.code == .noStoreForEntity && error.entityName == "Note")
        #expect(throws: StoreError.self) { try context.assign(fresh, toStoreAt: stores.folder.file("none.sqlite")) }
        try context.save()
        #expect(store(of: fresh) == 0 && store(of: note) == 0)
    }
}
