import DataMonk
import DataMonkTesting
import Foundation
import Synchronization
import Testing

/// The highest version that a row can have.
@Suite struct `The last version of a row` {
    private final class Kept: AtomicStore {
        let contents: Mutex<AtomicContents>
        var typeName: String { "Kept" }

        init() {
            contents = Mutex(
                AtomicContents(objects: [
                    AtomicObject(entityName: "Tag", id: 1, version: .max, values: ["name": "a", "rank": 1])
                ]))
        }

        func load(model: ManagedObjectModel) throws -> AtomicContents? { contents.withLock { $0 } }
        func save(_ saved: AtomicContents, model: ManagedObjectModel) throws { contents.withLock { $0 = saved } }
        var object: AtomicObject? { contents.withLock { $0.objects.first } }
    }

    private func open(_ store: Kept) async throws -> (Stack, ManagedObjectContext) {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Tag", uniquenessConstraints: [["name"]]) {
                    AttributeDescription("name", .string)
                    AttributeDescription("rank", .integer64)
                }
            })
        try await stack.addStore(.custom(store))
        return (stack, ManagedObjectContext(coordinator: stack.coordinator))
    }

    private func expectFirstVersion(
        after change: (ManagedObjectContext) throws -> Void
    ) async throws {
        let store = Kept()
        let (stack, context) = try await open(store)
        try change(context)
        context.endTurn()
        try stack.close()
        #expect(store.object?.version == 1 && store.object?.values["rank"] == 2)
        let (again, reader) = try await open(store)
        #expect(try reader.count(FetchRequest(entityName: "Tag")) == 1)
        reader.endTurn()
        try again.close()
    }

    @Test func `is followed by the first one in a save`() async throws {
        try await expectFirstVersion { context in
            try context.fetch(FetchRequest(entityName: "Tag"))[0].setValue(2, forKey: "rank")
            try context.save()
        }
    }

    @Test func `is followed by the first one in a batch update`() async throws {
        try await expectFirstVersion { context in
            try context.execute(BatchUpdateRequest(entityName: "Tag", propertiesToUpdate: ["rank": .value(2)]))
        }
    }

    @Test func `is followed by the first one in an import`() async throws {
        try await expectFirstVersion { context in
            var request = BatchInsertRequest(entityName: "Tag", objects: [["name": "a", "rank": 2]])
            request.duplicates = .updated
            try context.execute(request)
        }
    }
}
