import DataMonk
import Foundation
import Testing

/// What is written down about a store beside its objects.
@Suite struct `Metadata of a store` {
    private let folder: TemporaryFolder
    private let stack: Stack
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
        stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription(
                    "Thing", properties: [.attribute(AttributeDescription("name", .string))],
                    uniquenessConstraints: [["name"]])
            })
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        try stack.addInMemoryStore()
    }

    @Test(arguments: [true, false]) func `is kept by a store of either kind`(isFile: Bool) throws {
        let place = isFile ? url : nil
        try stack.coordinator.setMetadata(["owner": "Monk", "runs": 3], ofStoreAt: place)
        try ManagedObjectContext(coordinator: stack.coordinator).save()
        let metadata = try stack.coordinator.metadata(ofStoreAt: place)
        #expect(metadata["owner"] == "Monk" && metadata["runs"] == 3)
        #expect(metadata["NSStoreType"] == (isFile ? "SQLite" : "InMemory") && metadata["NSStoreUUID"] != nil)
        try stack.coordinator.setMetadata([:], ofStoreAt: place)
        try ManagedObjectContext(coordinator: stack.coordinator).save()
        #expect(try stack.coordinator.metadata(ofStoreAt: place)["owner"] == nil)
    }

    private func nested(_ depth: Int) -> ManagedValue {
        (1..<depth).reduce(.list([])) { value, level in level % 2 == 0 ? .list([value]) : .dictionary(["x": value]) }
    }

    @Test(arguments: [true, false]) func `that is nested too deep is refused`(isFile: Bool) throws {
        let place = isFile ? url : nil
        // Swift itself releases nested values by nested calls: far more levels than that end a thread.
        for depth in [102, 1_000] {
            let error = #expect(throws: StoreError.self) {
                try stack.coordinator.setMetadata(["deep": nested(depth)], ofStoreAt: place)
            }
            #expect(error?.message.contains("nested") == true)
        }
        try stack.coordinator.setMetadata(["deep": nested(100)], ofStoreAt: place)
        try ManagedObjectContext(coordinator: stack.coordinator).save()
        #expect(try stack.coordinator.metadata(ofStoreAt: place)["deep"] == nested(100))
    }

    @Test func `is not the store's own keys, which may come along unchanged`() throws {
        var metadata = try stack.coordinator.metadata(ofStoreAt: url)
        metadata["owner"] = "Monk"
        try stack.coordinator.setMetadata(metadata, ofStoreAt: url)
        metadata["NSStoreUUID"] = "another"
        let error = try #require(throws: StoreError.self) {
            try stack.coordinator.setMetadata(metadata, ofStoreAt: url)
        }
        #expect(error.message.contains("NSStoreUUID"))
        try ManagedObjectContext(coordinator: stack.coordinator).save()
        #expect(try Stack.metadata(ofStoreAt: url)["owner"] == "Monk")
    }

    @Test(arguments: [ManagedValue.null, .uuid(UUID()), .decimal(1), .list([.null])])
    func `is of kinds that a property list holds`(value: ManagedValue) throws {
        for set in [
            { try stack.coordinator.setMetadata(["key": value], ofStoreAt: url) },
            { try Stack.setMetadata(["key": value], ofStoreAt: url) },
        ] {
            #expect(try #require(throws: StoreError.self) { try set() }.message.contains("key"))
        }
    }

    @Test func `of a save that fails waits for the next one`() throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for _ in 0..<2 { _ = try context.insert("Thing", ["name": "same"]) }
        try stack.coordinator.setMetadata(["owner": "Monk"], ofStoreAt: url)
        #expect(throws: SaveError.self) { try context.save() }
        #expect(try Stack.metadata(ofStoreAt: url)["owner"] == nil)
        context.rollback()
        try context.save()
        #expect(try Stack.metadata(ofStoreAt: url)["owner"] == "Monk")
    }

    @Test func `of an unknown place, or of no store, is an error`() throws {
        #expect(throws: StoreError.self) { try stack.coordinator.metadata(ofStoreAt: folder.file("other.sqlite")) }
        #expect(throws: StoreError.self) { try Stack.metadata(ofStoreAt: folder.file("other.sqlite")) }
        try Data("text".utf8).write(to: folder.file("text"))
        #expect(throws: StoreError.self) { try Stack.setMetadata(["a": 1], ofStoreAt: folder.file("text")) }
    }
}
