import DataMonk
import DataMonkTesting
import Foundation
import Synchronization
import Testing

/// Stores of one's own that are read object by object.
@Suite struct `Incremental stores` {
    @Test(arguments: StoreContract.rules) func `keep the contract`(rule: StoreContract.Rule) throws {
        try StoreContract(incrementalStore: { RecordStore() }).check(rule)
    }

    @Test func `are not asked by a relationship for what a transaction has changed`() throws {
        let rule = try #require(StoreContract.rules.first { $0.description.contains("changed in others") })
        let contract = StoreContract(incrementalStore: {
            RecordStore(matching: { object, condition, objects in
                guard case .comparison(let comparison)? = condition, case .value(let name) = comparison.right,
                    comparison.left == .keyPath("idol.name")
                else { return true }
                let idol = object.destinations["idol"]?.first.flatMap { objects[$0] }
                return idol?.values["name"] == name
            })
        })
        try contract.check(rule)
    }

    @Test func `give what was saved to the next stack`() async throws {
        let store = try await RecordStore.filled()
        let context = ManagedObjectContext(coordinator: try await store.open().coordinator)
        let person = try #require(
            try context.fetch(FetchRequest(entityName: "Person", condition: .compare("email", .equal, "1"))).first)
        let names = try person.objects(forKey: "cats").map { try $0.value(forKey: "name") }
        #expect(names.count == 2 && Set(names) == ["Tom", "Tim"])
        #expect(try person.value(forKey: "pet") != .null)
        #expect(store.saves.last?.updated.first?.destinations["cats"]?.count == 2)
        context.endTurn()
        #expect(store.state.withLock { $0.openSnapshots } == 0)
    }

    @Test func `are asked for nothing but what is needed`() async throws {
        let store = try await RecordStore.filled()
        store.state.withLock { $0.readIDs = [] }
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let request = FetchRequest(entityName: "Person", condition: .compare("email", .equal, "2"))
        let person = try #require(try context.fetch(request).first)
        #expect(store.readIDs == [103], "The condition leaves out the others.")
        try person.setValue(17, forKey: "age")
        try context.save()
        let changes = try #require(store.saves.last)
        #expect(changes.inserted.isEmpty && changes.deletedIDs.isEmpty && changes.updated.map(\.id) == [103])
        #expect(changes.updated[0].values == ["email": "2", "age": 17] && changes.updated[0].version == 2)
        #expect(changes.updated[0].destinations == ["pet": []], "To-manys that have not changed are left out.")
        context.delete(person)
        try context.save()
        #expect(store.saves.last?.deletedIDs == [103])
        #expect(Set(store.readIDs) == [103])
        context.endTurn()
        try stack.close()
    }

    @Test func `an error of a save leaves the changes unsaved`() async throws {
        let store = try await RecordStore.filled()
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Dog", ["name": "Rex"])
        store.state.withLock { $0.failure = CocoaError(.fileWriteOutOfSpace) }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .saveFailed && error?.underlyingError is CocoaError)
        store.state.withLock { $0.failure = nil }
        try context.save()
        #expect(try context.count(FetchRequest(entityName: "Dog")) == 2)
        context.endTurn()
        try stack.close()
    }

    @Test func `an error of a read is the fetch's`() async throws {
        let store = try await RecordStore.filled()
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        store.state.withLock { $0.failure = CocoaError(.fileReadUnknown) }
        let error = #expect(throws: StoreError.self) { try context.fetch(FetchRequest(entityName: "Person")) }
        #expect(error?.code == .readFailed && error?.underlyingError is CocoaError)
        context.endTurn()
        store.state.withLock { $0.failure = nil }
        #expect(try context.fetch(FetchRequest(entityName: "Person")).count == 2)
        context.endTurn()
        try stack.close()
    }

    @Test func `a wrong answer is an error that names it`() async throws {
        let good = try await RecordStore.filled()
        let wrong: [(String, RecordStore)] = [
            ("lists the object 102 of Person twice", good.altered(ids: { $0 + $0 })),
            (
                "lists the object 9 of Person, which it does not return",
                good.altered(ids: { $0.map { $0 - 93 }.filter { $0 == 9 } })
            ),
            ("lists the object 102 of Person, which it does not return", good.altered(objects: { _ in [] })),
            ("is returned twice", good.altered(objects: { $0 + $0 })),
            ("was not asked for", good.altered(objects: { $0 + [AtomicObject(entityName: "Dog", id: 90)] })),
            (
                "Did you mean \"email\"?",
                good.altered(objects: {
                    $0.map { AtomicObject(entityName: $0.entityName, id: $0.id, values: ["emial": "x"]) }
                })
            ),
            (
                "of an abstract entity",
                good.altered(objects: { $0.map { AtomicObject(entityName: "Animal", id: $0.id) } })
            ),
            (
                "has a String where",
                good.altered(objects: {
                    $0.map { AtomicObject(entityName: $0.entityName, id: $0.id, values: ["age": "x"]) }
                })
            ),
        ]
        for (text, store) in wrong {
            let stack = try await store.open()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let error = #expect(throws: StoreError.self, "\(text)") {
                try context.fetch(FetchRequest(entityName: "Person"))
            }
            #expect(
                error?.code == .corrupt && error?.message.contains(text) == true,
                "\(text): \(String(describing: error))")
            context.endTurn()
            try stack.close()
        }
    }

    @Test func `a store of another version is refused`() async throws {
        let store = try await RecordStore.filled()
        let other = Stack(
            model: try ManagedObjectModel { EntityDescription("Person") { AttributeDescription("age", .integer16) } })
        let error = await #expect(throws: StoreError.self) { try await other.addStore(.custom(store)) }
        #expect(error?.code == .incompatibleVersionHash)
        let empty = Stack(model: try RecordStore.model())
        let missing = await #expect(throws: StoreError.self) {
            try await empty.addStore(.custom(RecordStore(), readOnly: true))
        }
        #expect(missing?.code == .fileNotFound)
    }

    @Test func `are migrated to a file and back`() async throws {
        let store = try await RecordStore.filled()
        let folder = try TemporaryFolder()
        let stack = Stack(model: try RecordStore.model())
        let file = StoreDescription.database(fileURL: folder.file("store.sqlite"))
        #expect(try await stack.migrateStore(.custom(store), to: file).objectCount == 5)
        let back = RecordStore()
        #expect(try await stack.migrateStore(file, to: .custom(back)).objectCount == 5)
        // Objects get other ids on the way.
        func contents(of store: RecordStore) -> [[String: ManagedValue]: [String: Int]] {
            let objects = store.state.withLock { $0.objects }.values
            return Dictionary(uniqueKeysWithValues: objects.map { ($0.values, $0.destinations.mapValues(\.count)) })
        }
        #expect(contents(of: back) == contents(of: store))
    }
}
