import DataMonk
import DataMonkTesting
import Foundation
import Testing

@Suite struct `A fetch while a store is added` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `finds what was saved to the new store while its reader was opened`() throws {
        let model = try ManagedObjectModel { EntityDescription("Tag") { AttributeDescription("name", .string) } }
        let stack = Stack(model: model)
        let coordinator = stack.coordinator
        let first = FaultInjectingStore(InMemoryStore(directory: coordinator.directory, index: 0))
        try coordinator.add(first)
        let place = folder.file("second.sqlite")
        first.readCount = 0
        first.disturbRead(0) { begins in
            guard begins else { return }
            do {
                try stack.addDatabaseStore(fileURL: place)
                let context = ManagedObjectContext(coordinator: coordinator)
                try context.assign(try context.insert("Tag", ["name": "new"]), toStoreAt: place)
                try context.save()
            } catch { Issue.record(error) }
        }
        let context = ManagedObjectContext(coordinator: coordinator)
        let tags = try context.fetch(FetchRequest(entityName: "Tag"))
        #expect(try tags.map { try $0.value(forKey: "name") } == [.string("new")])
        context.endTurn()
        try stack.close()
    }
}
