#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Synchronization
    import Testing

    struct Notes: AtomicStore {
        let saved = Saved()
        var typeName: String { "Notes" }

        func load(model: ManagedObjectModel) throws -> AtomicContents? { saved.contents }

        func save(_ contents: AtomicContents, model: ManagedObjectModel) throws { saved.contents = contents }
    }

    /// What `Notes` has saved.
    final class Saved: Sendable {
        private let state = Mutex<AtomicContents?>(nil)

        var contents: AtomicContents? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    struct Shelf: IncrementalSnapshot {
        let header: StoreHeader
        let objects: [Int64: AtomicObject]
        let model: ManagedObjectModel

        func ids(of entityName: String, where condition: Condition?) throws -> [Int64] {
            let names = Set(model.entitiesByName[entityName]?.family.map(\.name) ?? [])
            return objects.values.filter { names.contains($0.entityName) }.map(\.id)
        }

        func objects(withIDs ids: [Int64]) throws -> [AtomicObject] { ids.compactMap { objects[$0] } }

        func destinations(of relationshipName: String, from id: Int64) throws -> [Int64] {
            objects[id]?.destinations[relationshipName] ?? []
        }
    }

    final class Shelves: IncrementalStore {
        private let state = Mutex<Shelf?>(nil)
        var typeName: String { "Shelves" }

        func snapshot(model: ManagedObjectModel) throws -> (any IncrementalSnapshot)? { state.withLock { $0 } }

        func save(_ changes: IncrementalChanges, model: ManagedObjectModel) throws {
            state.withLock { shelf in
                var objects = shelf?.objects ?? [:]
                for object in changes.inserted { objects[object.id] = object }
                for object in changes.updated { objects[object.id]?.update(from: object) }
                for id in changes.deletedIDs { objects[id] = nil }
                shelf = Shelf(header: changes.header, objects: objects, model: model)
            }
        }
    }

    @Suite struct StoresTests {
        @Test(arguments: StoreContract.rules) func `shelves keep the contract`(rule: StoreContract.Rule) throws {
            try StoreContract(incrementalStore: { Shelves() }).check(rule)
        }

        @Test @MainActor func `shelves keep objects`() async throws {
            let stack = try Stack(Person.self)
            try await stack.addStore(.custom(Shelves()))
            let World = try MainContext(stack: stack)
            try await World.update { update in
                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
            #expect(try World.fetch(Person.self).name == "Monk")
            try stack.close()
        }

        @Test(arguments: StoreContract.rules) func `keeps the contract`(rule: StoreContract.Rule) throws {
            try StoreContract(atomicStore: { Notes() }).check(rule)
        }

        @Test func `a stack takes stores of every kind`() async throws {
            try await Village.withFile { url in
                let folder = url.deletingLastPathComponent().appending(path: "Village-\(UUID())")
                // The folder may not be there.
                defer { try? FileManager.default.removeItem(at: folder) }
                let stack = try Stack(Person.self)
                try await stack.addStore(.database(fileURL: folder.appending(path: "Village.sqlite")))
                try await stack.addStore(.xml(fileURL: folder.appending(path: "Village.xml")))
                try await stack.addStore(.custom(Notes()))
                #expect(stack.storeDescriptions.map(\.type) == [.sqlite, .xml, .custom])
                try stack.close()
            }
        }

        @Test func `stores have the entities of their configurations`() async throws {
            try await Village.withFile { url in
                let folder = url.deletingLastPathComponent().appending(path: "Village-\(UUID())")
                // The folder may not be there.
                defer { try? FileManager.default.removeItem(at: folder) }
                let (library, settings) = (folder.appending(path: "Library"), folder.appending(path: "Settings"))
                let stack = Stack(
                    model: try ManagedObjectModel(configurations: ["Library": ["Book"], "Settings": ["Choice"]]) {
                        EntityDescription("Book") { AttributeDescription("title", .string) }
                        EntityDescription("Choice") { AttributeDescription("name", .string) }
                    })
                try await stack.addStore(.database(fileURL: library, configuration: "Library"))
                try await stack.addStore(.xml(fileURL: settings, configuration: "Settings"))
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                for entity in stack.model.entities { _ = try context.insert(entity) }
                try context.save()
                #expect(try String(contentsOf: settings, encoding: .utf8).contains("type=\"CHOICE\""))
                #expect(try context.fetch(FetchRequest(entityName: "Book")).count == 1)
                try stack.close()
            }
        }
    }
#endif
