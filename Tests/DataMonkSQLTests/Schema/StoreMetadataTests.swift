import DataMonkCore
import DataMonkFixtures
import DataMonkSQL
import Foundation
import Testing

struct StoreMetadataTests {
    private func schema(_ names: [String], modifier: String? = nil) throws -> StoreSchema {
        try StoreSchema(
            model: ManagedObjectModel(
                entities: names.map { EntityDescription($0, properties: [], versionHashModifier: modifier) },
                configurations: ["First": [names[0]]], versionIdentifiers: ["1.0"]))
    }

    @Test func `new metadata comes back from its bytes`() throws {
        let metadata = StoreMetadata(schema: try schema(["A", "B"]))
        let read = try StoreMetadata(propertyList: metadata.propertyList())
        #expect(read == metadata)
        #expect(read.versionIdentifiers == ["1.0"])
        #expect(read.versionHashes.count == 2)
    }

    @Test func `Foundation reads our metadata too`() throws {
        let schema = try schema(["A"])
        let data = try StoreMetadata(schema: schema).propertyList()
        let list = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(list["NSStoreType"] as? String == "SQLite")
        #expect(list["NSStoreModelVersionHashes"] as? [String: Data] == schema.model.entityVersionHashesByName)
    }

    @Test func `a store of a configuration carries the hashes of its entities`() throws {
        let model = try schema(["A", "B"]).model
        let metadata = StoreMetadata(schema: try StoreSchema(model: model, configuration: "First"))
        #expect(Array(metadata.versionHashes.keys) == ["A"])
    }

    @Test func `an application's own keys outlive a migration`() throws {
        var metadata = StoreMetadata(schema: try schema(["A"]))
        metadata.values["io.example.user"] = .string("42")
        metadata.migrate(to: try schema(["B"]))
        #expect(metadata.values["io.example.user"] == .string("42"))
        #expect(Array(metadata.versionHashes.keys) == ["B"])
    }

    @Test func `a mismatch names what is new, gone and changed`() throws {
        var metadata = StoreMetadata(schema: try schema(["A", "B"]))
        #expect(metadata.mismatch(with: try schema(["A", "B"])) == nil)
        let other = try schema(["B", "C"], modifier: "2")
        #expect(metadata.mismatch(with: other) == .entities(added: ["C"], removed: ["A"], changed: ["B"]))
        metadata.values["NSStoreModelVersionHashesVersion"] = .integer(4)
        #expect(metadata.mismatch(with: other) == .unknownHashes(version: 4))
    }

    @Test func `bytes that are no property list with keys are refused`() throws {
        #expect(throws: PropertyListError.self) { try StoreMetadata(propertyList: Data("no".utf8)) }
        let list = try BinaryPropertyListWriter.write(.array([]))
        #expect(throws: PropertyListError.self) { try StoreMetadata(propertyList: list) }
    }

    @Test(.requiresFixtures("stores", "more-stores"), arguments: AppleStore.all)
    func `a store of Apple's belongs to its model`(store: AppleStore) throws {
        let schema = try StoreSchema(model: store.model())
        let metadata = try StoreMetadata(propertyList: store.propertyList())
        #expect(metadata.mismatch(with: schema) == nil)
        #expect(metadata.values["NSStoreType"] == .string("SQLite"))
    }
}
