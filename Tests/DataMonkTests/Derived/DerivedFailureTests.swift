import DataMonk
import DataMonkCore
import DataMonkTesting
import Testing

/// Derived values where the store fails, and behind the store that makes it fail.
@Suite struct `Derived values of a store that fails` {
    private let coordinator: PersistentStoreCoordinator
    private let store: FaultInjectingStore
    private let context: ManagedObjectContext

    init() throws {
        coordinator = PersistentStoreCoordinator(model: try Gallery.model.get())
        store = FaultInjectingStore(InMemoryStore(directory: coordinator.directory, index: 0))
        try coordinator.add(store)
        context = ManagedObjectContext(coordinator: coordinator)
    }

    private func insert(_ name: String) throws -> ManagedObject {
        try context.insert(try context.entity(named: name))
    }

    @Test(arguments: [FaultInjectingStore.Place.written, .readBack, .commit])
    func `are those of before a failed save, and right after the next one`(place: FaultInjectingStore.Place) throws {
        let album = try insert("Album")
        try context.save()
        #expect(try album.value(forKey: "photoCount") == 0)
        try insert("Photo").setValue(.object(album.anyObjectID), forKey: "album")
        store.fail(place)
        #expect(throws: StoreError.self) { try context.save() }
        #expect(try album.value(forKey: "photoCount") == 0)
        try context.save()
        #expect(try album.value(forKey: "photoCount") == 1)
    }
}
