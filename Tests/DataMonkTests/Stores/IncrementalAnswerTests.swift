import DataMonk
import DataMonkTesting
import Foundation
import Synchronization
import Testing

/// What an incremental store may tell of itself and of its references, and what it may not.
@Suite struct `Answers of incremental stores` {
    private func expectCorrupt(
        _ text: String, _ store: RecordStore, afterSaves saves: Int = 0, _ body: (ManagedObjectContext) throws -> Void
    ) async throws {
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let error = #expect(throws: StoreError.self, "\(text)") { try body(context) }
        #expect(error?.code == .corrupt, "\(text): \(String(describing: error))")
        #expect(error?.message.contains(text) == true, "\(text): \(String(describing: error))")
        #expect(store.saves.count == saves, "Nothing else is written.")
        context.rollback()
        context.endTurn()
        try stack.close()
    }

    private func first(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
        try #require(try context.fetch(FetchRequest(entityName: name)).first)
    }

    // MARK: References

    private static let noIDs: [Int64] = [-1, 0, 107, 9_999, 1 << 46 | 106, 1 << 50, .max, .min]

    @Test(arguments: noIDs) func `a reference to an id that no object was given is refused`(id: Int64) async throws {
        let good = try await RecordStore.filled()
        for (entity, name) in [("Cat", "keeper"), ("Person", "pet")] {
            let wrong = good.altered(objects: { objects in
                objects.map { object in
                    var object = object
                    if object.entityName == entity { object.destinations[name] = [id] }
                    return object
                }
            })
            try await expectCorrupt("\(name) of \(entity)", wrong) { _ = try first(entity, in: $0) }
        }
        try await expectCorrupt("no object was given", good.altered(destinations: { _ in [id] })) { context in
            _ = try first("Person", in: context).objects(forKey: "cats")
        }
    }

    @Test func `a to-many that leads to another entity is refused`() async throws {
        let good = try await RecordStore.filled()
        try await expectCorrupt("leads to Cat", good.altered(destinations: { _ in [106] })) { context in
            _ = try first("Person", in: context).objects(forKey: "cats")
        }
        try await expectCorrupt("leads to Cat", good.altered(destinations: { _ in [103] })) { context in
            _ = try first("Person", in: context).objects(forKey: "cats")
        }
    }

    @Test func `a to-one that leads to another entity is refused, and not lost`() async throws {
        let good = try await RecordStore.filled()
        let wrong = good.altered(objects: { objects in
            objects.map { object in
                var object = object
                if object.entityName == "Cat" { object.destinations["keeper"] = [106] }
                return object
            }
        })
        try await expectCorrupt("leads to Person", wrong) { context in
            let cat = try first("Cat", in: context)
            try cat.setValue("Tam", forKey: "name")
            try context.save()
        }
        try await expectCorrupt("leads to Person", wrong) { context in
            var request = FetchRequest(entityName: "Cat")
            request.relationshipKeyPathsForPrefetching = ["keeper"]
            _ = try context.fetch(request)
        }
    }

    // MARK: Versions

    @Test func `a store that keeps no versions is found out before it loses an update`() async throws {
        let good = try await RecordStore.filled()
        let forgetful = good.altered(objects: { objects in
            objects.map { object in
                var object = object
                object.version = 1
                return object
            }
        })
        try await expectCorrupt("version", forgetful, afterSaves: 1) { context in
            let other = ManagedObjectContext(coordinator: context.coordinator)
            let request = FetchRequest(entityName: "Person", condition: .compare("email", .equal, "2"))
            let (mine, theirs) = (try context.fetch(request)[0], try other.fetch(request)[0])
            try theirs.setValue(17, forKey: "age")
            try other.save()
            other.endTurn()
            #expect(forgetful.saves.count == 1)
            try mine.setValue(18, forKey: "age")
            try context.save()
        }
    }

    // MARK: The header

    @Test func `a store that vanishes, or becomes another one, is not overwritten`() async throws {
        let good = try await RecordStore.filled()
        for header in [nil, StoreHeader(lastID: 106)] {
            let store = good.altered()
            let stack = try await store.open()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            try context.insert("Dog")
            let known = store.state.withLock { $0.header }
            store.state.withLock { $0.header = header }
            let read = #expect(throws: StoreError.self) { try context.count(FetchRequest(entityName: "Person")) }
            let write = #expect(throws: StoreError.self) { try context.save() }
            #expect(read?.code == .fileMoved && write?.code == .fileMoved)
            #expect(store.saves.isEmpty && store.state.withLock { $0.objects.count } == 5)
            store.state.withLock { $0.header = known }
            try context.save()
            #expect(try context.count(FetchRequest(entityName: "Dog")) == 2)
            context.endTurn()
            try stack.close()
        }
    }

    @Test func `a store that appears where there was none is not overwritten`() async throws {
        let good = try await RecordStore.filled()
        let store = RecordStore()
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Dog")
        store.state.withLock { state in
            (state.header, state.objects) = good.state.withLock { ($0.header, $0.objects) }
        }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .fileMoved && store.state.withLock { $0.objects.count } == 5)
        context.endTurn()
        try stack.close()
    }

    @Test func `ids are not given twice, though the store forgets the last one`() async throws {
        let store = try await RecordStore.filled().altered()
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Dog", ["name": "Rex"])
        try context.save()
        context.endTurn()
        store.state.withLock { $0.header?.lastID = 104 }
        let objects = store.state.withLock { $0.objects }
        try context.insert("Dog", ["name": "Rob"])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .corrupt && error?.message.contains("107") == true)
        #expect(store.state.withLock { $0.objects } == objects && store.saves.count == 1)
        context.endTurn()
        try stack.close()
    }
}
