import DataMonk
import Foundation
import Testing

/// Batch requests for some of the stores that hold an entity.
@Suite struct `Batch requests for some stores` {
    private let stores: TagStores
    private var stack: Stack { stores.stack }
    private var context: ManagedObjectContext { stores.context }
    private var first: URL { stores.first }
    private var second: URL { stores.second }

    /// Each of two files and a store in memory holds one tag.
    init() throws {
        stores = try TagStores()
        for place in [first, second, nil] {
            try context.assign(try context.insert("Tag", ["name": "old"]), toStoreAt: place)
        }
        try context.save()
    }

    /// The names of the tags in each of the stores, in the order in which these were added.
    private func names() throws -> [[ManagedValue]] {
        var names = stack.coordinator.stores.map { _ in [ManagedValue]() }
        let reader = ManagedObjectContext(coordinator: stack.coordinator)
        for tag in try reader.fetch(FetchRequest(entityName: "Tag")) {
            let host = tag.anyObjectID.uri.host?.uppercased()
            let place = try #require(stack.coordinator.stores.firstIndex { $0.identifier.uuidString == host })
            names[place].append(try tag.value(forKey: "name"))
        }
        return names
    }

    @Test func `an update changes the named stores alone`() throws {
        var request = BatchUpdateRequest(entityName: "Tag", propertiesToUpdate: ["name": "new"])
        request.affectedStores = [second]
        #expect(try context.execute(request).count == 1)
        #expect(try names() == [["old"], ["new"], ["old"]])
        request.affectedStores = [nil, second]
        #expect(try context.execute(request).count == 2)
        #expect(try names() == [["old"], ["new"], ["new"]])
        request.affectedStores = nil
        #expect(try context.execute(request).count == 3)
    }

    @Test func `a deletion deletes from the named stores alone`() throws {
        var request = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Tag"))
        request.affectedStores = [first]
        #expect(try context.execute(request).count == 1)
        #expect(try names() == [[], ["old"], ["old"]])
    }

    @Test func `a deletion by id refuses an object of another store`() throws {
        let ids = try context.objectIDs(FetchRequest(entityName: "Tag"))
        var request = BatchDeleteRequest(objectIDs: ids)
        request.affectedStores = [first]
        let error = try #require(throws: FetchError.self) { try context.execute(request) }
        #expect(error.code == .invalidRequest && error.objectID != nil)
        #expect(try names() == [["old"], ["old"], ["old"]])
        request.affectedStores = [first, second, nil]
        #expect(try context.execute(request).count == 3)
    }

    @Test func `an insertion goes into the named store`() throws {
        for (store, name) in [(second, "second"), (nil, "memory")] as [(URL?, String)] {
            var request = BatchInsertRequest(entityName: "Tag", objects: [["name": .string(name)]])
            request.affectedStores = [store]
            try context.execute(request)
        }
        try context.execute(BatchInsertRequest(entityName: "Tag", objects: [["name": "first"]]))
        #expect(try names().map { Set($0) } == [["old", "first"], ["old", "second"], ["old", "memory"]])
        var several = BatchInsertRequest(entityName: "Tag", objects: [["name": "lost"]])
        several.affectedStores = [first, second]
        #expect(throws: FetchError.self) { try context.execute(several) }
    }

    @Test func `a store that is not there, or lacks the entity, is refused before anything changes`() throws {
        var request = BatchUpdateRequest(entityName: "Tag", propertiesToUpdate: ["name": "new"])
        request.affectedStores = [second, stores.folder.file("none.sqlite")]
        let missing = try #require(throws: StoreError.self) { try context.execute(request) }
        #expect(missing.message.contains("none.sqlite") && missing.message.contains(second.path))
        request.affectedStores = []
        #expect(try #require(throws: FetchError.self) { try context.execute(request) }.code == .invalidRequest)
        var notes = BatchInsertRequest(entityName: "Note", objects: [["name": "lost"]])
        notes.affectedStores = [second]
        #expect(try #require(throws: SaveError.self) { try context.execute(notes) }.code == .noStoreForEntity)
        #expect(try names() == [["old"], ["old"], ["old"]])
        #expect(try context.count(FetchRequest(entityName: "Note")) == 0)
    }
}
