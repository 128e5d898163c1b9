import DataMonk
import DataMonkFixtures
import DataMonkSQLite
import Foundation
import Testing

/// Stores that are opened with the model inside them.
@Suite struct `Models inside stores` {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    private func makeStore(configuration: String? = nil) throws -> ManagedObjectModel {
        let model = try ManagedObjectModel(configurations: ["people": ["Person"]], versionIdentifiers: ["2"]) {
            EntityDescription("Person") {
                AttributeDescription("name", .string, isOptional: false, defaultValue: "")
                RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)
            }
            EntityDescription("Place") { AttributeDescription("name", .string) }
        }
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url, configuration: configuration)
        try stack.close()
        return model
    }

    private func change(_ sql: String) throws {
        let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        try connection.execute(sql)
        try connection.close()
    }

    private func refusal() throws -> StoreError {
        try #require(throws: StoreError.self) { try ManagedObjectModel.load(fromStoreAt: url) }
    }

    // MARK: Opened

    @Test func `a new store carries its model`() throws {
        let model = try makeStore()
        let loaded = try ManagedObjectModel.load(fromStoreAt: url)
        #expect(loaded.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(loaded.entities.map(\.description) == model.entities.map(\.description))
        #expect(loaded.configurations == model.configurations)
        #expect(loaded.versionIdentifiers == ["2"])
    }

    @Test func `a store of a configuration carries the whole model`() throws {
        let model = try makeStore(configuration: "people")
        let loaded = try ManagedObjectModel.load(fromStoreAt: url)
        #expect(loaded.entityVersionHashesByName == model.entityVersionHashesByName)
        try Stack(model: loaded).addDatabaseStore(fileURL: url, configuration: "people")
    }

    @Test @MainActor func `objects of a store's own model have their values by key`() async throws {
        _ = try makeStore()
        let stack = Stack(model: try ManagedObjectModel.load(fromStoreAt: url))
        try stack.addDatabaseStore(fileURL: url)
        let World = try MainContext(stack: stack)
        try await World.update { update in
            let monk = try update.create(entityName: "Person")
            try monk.setValue("Monk", forKey: "name")
            let knight = try update.create(entityName: "Person")
            try knight.setValue("Knight", forKey: "name")
            try monk.setObjects([knight], forKey: "friends")
            try update.commit()
        }
        let knight = try #require(try World.fetchAll(entityName: "Person", %"name" == "Knight").first)
        #expect(try knight.objects(forKey: "friends").map { try $0.value(forKey: "name") } == ["Monk"])
        #expect(try World.count(entityName: "Person") == 2)
    }

    @Test func `a store without its model opens with a given one`() throws {
        let model = try makeStore()
        try change("DROP TABLE Z_MODELCACHE")
        try Stack(model: model).addDatabaseStore(fileURL: url)
    }

    @Test(
        .requiresFixtures("stores", "more-stores"),
        arguments: Fixtures.stores)
    func `Apple's stores open with the model inside them`(path: String) throws {
        let original = try Fixtures.store(path)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix) {
            try FileManager.default.copyItem(atPath: original.path + suffix, toPath: url.path + suffix)
        }
        let bytes = try Data(contentsOf: url)
        let model = try ManagedObjectModel.load(fromStoreAt: url)
        #expect(try Data(contentsOf: url) == bytes)
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var count = 0
        for entity in model.entities where entity.superentity == nil {
            for object in try context.fetch(FetchRequest(entityName: entity.name)) {
                for attribute in object.entity.attributes { _ = try object.value(forKey: attribute.name) }
                count += 1
            }
        }
        context.endTurn()
        #expect(count > 0)
    }

    // MARK: Untouched

    @Test func `a store that nobody has open is read without a trace`() throws {
        _ = try makeStore()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        _ = try ManagedObjectModel.load(fromStoreAt: url)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == names)
    }

    @Test func `the model of a store at work is read beside the writer`() throws {
        let model = try makeStore()
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        _ = try context.insert(model.entities[0])
        try context.save()
        let log = try Data(contentsOf: folder.file("store.sqlite-wal"))
        #expect(try ManagedObjectModel.load(fromStoreAt: url).versionChecksum == model.versionChecksum)
        #expect(try Data(contentsOf: folder.file("store.sqlite-wal")) == log)
    }

    // MARK: Refused

    @Test(arguments: [
        "DROP TABLE Z_MODELCACHE", "DELETE FROM Z_MODELCACHE", "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL",
    ])
    func `a store without its model says so`(sql: String) throws {
        _ = try makeStore()
        try change(sql)
        let error = try refusal()
        #expect(error.code == .missingModel && error.storeURL == url)
    }

    @Test(arguments: ["x'00'", "x'ffffffff'", "'text'", "zeroblob(100)"])
    func `a damaged model is told from damaged data`(content: String) throws {
        let model = try makeStore()
        try change("UPDATE Z_MODELCACHE SET Z_CONTENT = \(content)")
        #expect(try refusal().code == .corrupt)
        try Stack(model: model).addDatabaseStore(fileURL: url)
    }

    @Test func `a model that is not the store's is refused`() throws {
        _ = try makeStore()
        let other = folder.file("other.sqlite")
        try Stack(model: ManagedObjectModel { EntityDescription("Person") { AttributeDescription("age", .double) } })
            .addDatabaseStore(fileURL: other)
        try change(
            "ATTACH '\(other.path)' AS other; UPDATE Z_MODELCACHE SET Z_CONTENT = (SELECT Z_CONTENT FROM other.Z_MODELCACHE)"
        )
        let error = try refusal()
        #expect(error.code == .incompatibleVersionHash && error.message.contains("Person, Place"))
    }

    @Test func `what is no store is named as what it is`() throws {
        #expect(try refusal().code == .fileNotFound)
        try Data("Hello, hello, hello!".utf8).write(to: url)
        #expect(try refusal().code == .notADatabase)
        try FileManager.default.removeItem(at: url)
        let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWriteCreate))
        try other.execute("CREATE TABLE accounts(id INTEGER PRIMARY KEY)")
        try other.close()
        #expect(try refusal().code == .incompatibleSchema)
    }
}
