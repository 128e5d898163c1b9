import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// A store that a newer program has migrated, opened by a program of a version before.
@Suite struct `Stores of a later version` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(_ attributes: String...) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Person") { attributes.map { .attribute(AttributeDescription($0, .string)) } }
        }
    }

    private func open(
        _ model: ManagedObjectModel, autoMigrating: Bool = true, discarding: DiscardableData = [],
        resetOnFailure: Bool = false
    ) throws {
        let stack = Stack(model: model)
        try stack.addDatabaseStore(
            fileURL: stage.url, autoMigrating: autoMigrating, discarding: discarding, resetOnFailure: resetOnFailure)
        try stack.close()
    }

    @Test func `are refused, though nothing would be lost`() throws {
        try stage.write(model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        try open(model("name", "nick"))
        try open(model("name", "nick", "title"))
        let bytes = try stage.bytes
        for earlier in [try model("name"), try model("name", "nick")] {
            for autoMigrating in [true, false] {
                for resetOnFailure in [true, false] {
                    let error = try #require(throws: MigrationError.self) {
                        try open(
                            earlier, autoMigrating: autoMigrating, discarding: .everything,
                            resetOnFailure: resetOnFailure)
                    }
                    #expect(error.code == .newerStore && error.storeURL == stage.url)
                    #expect(error.message.contains(".laterVersions"))
                }
            }
        }
        #expect(try stage.bytes == bytes && stage.files == ["store.sqlite"])
    }

    @Test func `are earlier ones to a program whose stages say so`() throws {
        let (first, second) = (try model("name"), try model("name", "nick"))
        try stage.write(second) { try $0.insert("Person", ["name": "Monk"]) }
        // A new store does not know of versions before its own.
        try open(first)
        #expect(throws: MigrationError.self) { try open(second) }
        let stages = StagedMigration(from: first, [.lightweight(to: second)])
        try stage.open(second, stages: stages)
        #expect(throws: MigrationError.self) { try open(first) }
        #expect(try stage.contents(second)["Person/1"]["name"] == "string(\"Monk\")")
    }

    @Test func `are earlier ones also to a store of a part of the model`() throws {
        func model(_ attributes: String...) throws -> ManagedObjectModel {
            try ManagedObjectModel(configurations: ["Local": ["Person"], "Cloud": ["Note"]]) {
                EntityDescription("Person") { attributes.map { .attribute(AttributeDescription($0, .string)) } }
                EntityDescription("Note") { AttributeDescription("text", .string) }
            }
        }
        let (first, second) = (try model("name"), try model("name", "nick"))
        try stage.write(second, configuration: "Local") { try $0.insert("Person", ["name": "Monk"]) }
        for (model, stages) in [
            (first, nil), (second, StagedMigration(from: first, [.lightweight(to: second)])),
        ] {
            let stack = Stack(model: model)
            try stack.addDatabaseStore(fileURL: stage.url, configuration: "Local", stages: stages)
            try stack.close()
        }
        #expect(try stage.contents(second, configuration: "Local")["Person/1"]["name"] == "string(\"Monk\")")
    }

    @Test func `are refused as such while the newer program has them open`() throws {
        let (first, second, third) = (try model("name"), try model("name", "nick"), try model("name", "nick", "title"))
        try stage.write(second) { try $0.insert("Person", ["name": "Monk"]) }
        let newer = Stack(model: third)
        try newer.addDatabaseStore(fileURL: stage.url)
        let stages = StagedMigration(from: first, [.lightweight(to: second)])
        let error = #expect(throws: MigrationError.self) { try stage.open(second, stages: stages) }
        #expect(error?.code == .newerStore, "\(error as Any)")
        try newer.close()
    }

    @Test func `are migrated back where that is asked for, and the line of versions goes on from there`() throws {
        try stage.write(model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        try open(model("name", "nick"))
        try open(model("name", "nick", "title"))
        try open(model("name"), discarding: .laterVersions)
        try open(model("name"))
        // The versions that were cut off are new ones again.
        try open(model("name", "nick", "title"))
        try open(model("name", "nick"))
        #expect(throws: MigrationError.self) { try open(model("name", "nick", "title")) }
        #expect(throws: MigrationError.self) { try open(model("name")) }
        #expect(try stage.contents(model("name", "nick"))["Person/1"]["name"] == "string(\"Monk\")")
    }

    @Test func `lose nothing on their way back without a word`() throws {
        try stage.write(model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        try stage.write(model("name", "nick")) { try $0.insert("Person", ["nick": "Pigsy"]) }
        let error = try stage.refusal(model("name"), discarding: .laterVersions)
        #expect(error.code == .wouldDiscard && error.propertyName == "nick" && error.problems.first?.count == 1)
        try open(model("name"), discarding: [.laterVersions, .property("Person", "nick")])
    }

    @Test func `are known by metadata that an application cannot take away`() throws {
        try stage.write(model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        #expect(try stage.metadata()["DataMonkModelVersions"] == nil)
        try open(model("name", "nick"))
        try Stack.setMetadata(["note": "kept"], ofStoreAt: stage.url)
        #expect((try stage.metadata()["DataMonkModelVersions"] as? [String])?.count == 2)
        let error = try #require(throws: MigrationError.self) { try open(model("name")) }
        #expect(error.code == .newerStore)
    }

    @Test func `a branch is a later version of what it came from, not of what it has never been`() throws {
        try stage.write(model("name")) { try $0.insert("Person", ["name": "Monk"]) }
        try open(model("name", "left"))
        try open(model("name", "right"))
        for earlier in [try model("name"), try model("name", "left")] {
            let error = try #require(throws: MigrationError.self) { try open(earlier) }
            #expect(error.code == .newerStore)
        }
        try open(model("name", "other"))
    }

    @Test func `a store of no entities takes any model`() throws {
        try stage.write(model("name")) { _ in }
        // As releases before the check on models made them.
        let connection = try SQLiteConnection(fileURL: stage.url, options: SQLiteOptions(access: .readWrite))
        var metadata = try stage.metadata()
        metadata["NSStoreModelVersionHashes"] = [String: Data]()
        let list = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ?") {
            try $0.bind(list, at: 1)
            try $0.run()
        }
        try connection.execute("DROP TABLE ZPERSON; DELETE FROM Z_PRIMARYKEY; DELETE FROM Z_MODELCACHE")
        try connection.close()
        #expect(try stage.contents(model("name"), discarding: []).objects.isEmpty)
    }
}
