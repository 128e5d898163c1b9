import DataMonk
import DataMonkFixtures
import Foundation
import Testing

/// Copies of stores that Apple's Core Data wrote, brought to the versions that their applications went through.
@Suite(.requiresFixtures("stores", "more-stores", "models"))
struct `Migrating stores of Core Data` {
    /// What goes from version to version was their authors' wish.
    private static let discarding: DiscardableData = [.everything, .laterVersions]

    private static func model(_ path: String) throws -> ManagedObjectModel {
        try ManagedObjectModel.load(contentsOf: Fixtures.url("stores/\(path).xcdatamodel"))
    }

    private static func stage(_ path: String) throws -> (MigrationStage, GraphDump) {
        let stage = try MigrationStage()
        let store = try Fixtures.url("stores/\(path).sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: stage.url.path + suffix)
        }
        let before = try stage.contents(model(path))
        #expect(!before.objects.isEmpty)
        return (stage, before)
    }

    /// What is expected after some keys were renamed, removed and added.
    private static func changed(
        _ dump: GraphDump, _ entity: String = "", renamed: [String: String] = [:], removed: Set<String> = [],
        added: [String: String] = [:]
    ) -> GraphDump {
        var dump = dump
        for (name, values) in dump.objects where entity.isEmpty || name.hasPrefix(entity + "/") {
            var new = added
            for (key, value) in values where !removed.contains(key) { new[renamed[key] ?? key] = value }
            dump.objects[name] = new
        }
        return dump
    }

    private static func expect(
        _ stage: MigrationStage, _ path: String, _ expected: GraphDump,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        // Tables that stay keep the indexes that old frameworks gave them under other names.
        let isOld = path.hasPrefix("Moody")
        let model = try model(path)
        let found =
            try isOld
            ? stage.contents(model, discarding: discarding)
            : stage.migrate(to: model, discarding: discarding, sourceLocation: sourceLocation)
        #expect(found == expected, "\(found.differences(from: expected))", sourceLocation: sourceLocation)
    }

    @Test func `Bookmarks through four versions`() throws {
        let (stage, first) = try Self.stage("Bookmarks/Bookmarks_V1")
        try Self.expect(stage, "Bookmarks/Bookmarks_V2", first)
        let third = Self.changed(
            first, removed: ["isFavorite"], added: ["isPendingDeletion": "bool(false)", "modifiedAt": "null"])
        try Self.expect(stage, "Bookmarks/Bookmarks_V3", third)
        try Self.expect(
            stage, "Bookmarks/Bookmarks_V4", Self.changed(third, renamed: ["favoriteFolder": "favoriteFolders"]))
    }

    @Test(arguments: [1, 2, 3]) func `Bookmarks from each version straight to the last`(version: Int) throws {
        let (stage, before) = try Self.stage("Bookmarks/Bookmarks_V\(version)")
        var expected = Self.changed(before, renamed: ["favoriteFolder": "favoriteFolders"], removed: ["isFavorite"])
        if version < 3 {
            expected = Self.changed(expected, added: ["isPendingDeletion": "bool(false)", "modifiedAt": "null"])
        }
        try Self.expect(stage, "Bookmarks/Bookmarks_V4", expected)
    }

    @Test func `Moody through three versions`() throws {
        let (stage, first) = try Self.stage("Moody/Moody")
        let second = Self.changed(
            first, "Mood", renamed: ["remoteIdentifier": "remoteID"], added: ["rating": "int(0)"])
        try Self.expect(stage, "Moody/Moody_2", second)
        let third = try stage.contents(Self.model("Moody/Moody_3"), discarding: Self.discarding)
        try Self.expectEmpty("moods", of: "Continent", in: third, after: second)
    }

    @Test func `MigrationExample through three versions`() throws {
        let (stage, first) = try Self.stage("MigrationExample/MigrationExample_1")
        let second = Self.changed(first, renamed: ["color": "hexColor"])
        try Self.expect(stage, "MigrationExample/MigrationExample_2", second)
        let third = try stage.contents(
            Self.model("MigrationExample/MigrationExample_3"), discarding: Self.discarding)
        try Self.expectEmpty("sections", of: "Post", in: third, after: second)
    }

    /// The authors filled this required to-many by mappings of their own. An inferred migration leaves it empty, as Core
    /// Data's does.
    private static func expectEmpty(
        _ key: String, of entity: String, in found: GraphDump, after earlier: GraphDump
    ) throws {
        let owners = found.objects.filter { $0.key.hasPrefix(entity + "/") }
        #expect(!owners.isEmpty && owners.values.allSatisfy { $0[key] == "" })
        #expect(Set(found.objects.keys) == Set(earlier.objects.keys))
    }

    @Test func `MigrationExample to its fourth version, from the model's folder`() throws {
        let (stage, third) = try Self.stage("MigrationExample/MigrationExample_3")
        let stack = try Stack(
            ModelBundle(contentsOf: Fixtures.url("models/MigrationExample/MigrationExample.xcdatamodeld")),
            versionName: "CoreDataMigration_Example 4")
        try stack.addDatabaseStore(fileURL: stage.url)
        let found = try GraphDump(stack)
        let expected = Self.changed(third, "Post", added: ["softDeleted": "bool(false)"])
        #expect(found == expected, "\(found.differences(from: expected))")
        try stack.close()
    }

    @Test func `SampleModel loses attributes and renames a sub-entity`() throws {
        let (stage, first) = try Self.stage("CoreDataPlus/SampleModel_V1")
        var expected = GraphDump()
        for (name, values) in Self.changed(first, removed: ["color", "id"]).objects {
            expected.objects[name.replacing("ExpensiveSportCar/", with: "LuxuryCar/")] = values.mapValues {
                $0.replacing("ExpensiveSportCar/", with: "LuxuryCar/").split(separator: " ").joined(separator: " ")
            }
        }
        let found = try stage.migrate(to: Self.model("CoreDataPlus/SampleModel_V2"), discarding: Self.discarding)
        func sorted(_ dump: GraphDump) -> [String: [String: [Substring]]] {
            dump.objects.mapValues { $0.mapValues { $0.split(separator: " ").sorted() } }
        }
        #expect(sorted(found) == sorted(expected))
        #expect(found.objects.count == 145)
    }

    @Test func `SampleModel2 keeps its objects and counts, and gets triggers as Core Data writes them`() throws {
        let first = try StoreCopy(of: "CoreDataPlus/SampleModel2_V1.sqlite")
        let second = try StoreCopy(of: "CoreDataPlus/SampleModel2_V2.sqlite")
        let covers = try first.rows("SELECT Z_PK, hex(ZCOVER) FROM ZBOOK ORDER BY Z_PK")
        let stack = Stack(model: try second.model())
        try stack.addDatabaseStore(fileURL: first.url, discarding: Self.discarding)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let book = try #require(try context.fetch(FetchRequest(entityName: "Book")).first)
        let count = try book.members("pages").count
        context.delete(try #require(try book.members("pages").first))
        try context.save()
        #expect(try book.value(forKey: "pagesCount") == .int(Int64(count - 1)))
        context.endTurn()
        try stack.close()
        let triggers = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"
        #expect(try first.rows(triggers) == second.rows(triggers))
        #expect(try first.rows("SELECT Z_PK, hex(ZFRONTCOVER) FROM ZBOOK ORDER BY Z_PK") == covers)
        let wrong = """
            SELECT count(*) FROM ZBOOK b \
            WHERE b.ZPAGESCOUNT IS NOT (SELECT count(*) FROM ZPAGE p WHERE p.ZBOOK = b.Z_PK)
            """
        #expect(try first.rows(wrong) == [["0"]])
        #expect(try first.rows("SELECT count(*) FROM ZPAGE") == [["4969"]])
    }

    // Moody's second version went by a mapping of its own, which gives objects new keys.
    @Test(arguments: [
        ("MigrationExample/MigrationExample_1", "MigrationExample/MigrationExample_2"),
        ("CoreDataPlus/SampleModel_V1", "CoreDataPlus/SampleModel_V2"),
    ])
    func `the outcome is what Core Data made of the same store`(first: String, second: String) throws {
        let (stage, _) = try Self.stage(first)
        let (migrated, expected) = try Self.stage(second)
        let identity = "SELECT Z_UUID FROM Z_METADATA"
        #expect(try stage.text(identity) == migrated.text(identity))
        let found = try stage.contents(Self.model(second), discarding: Self.discarding)
        #expect(found == expected, "\(found.differences(from: expected))")
    }

    @Test func `SampleModel3 gets an attribute, and an entity that sorts before its own`() throws {
        let (stage, before) = try Self.stage("CoreDataPlus/SampleModel3_V1")
        let next = try ManagedObjectModel {
            EntityDescription("Pet") {
                AttributeDescription("name", .string)
                RelationshipDescription("owner", to: "User", inverse: "pets")
            }
            EntityDescription("User") {
                AttributeDescription("name", .string, isOptional: false)
                AttributeDescription("petName", .string)
                AttributeDescription("age", .integer16, isOptional: false, defaultValue: 0)
                RelationshipDescription("pets", to: "Pet", inverse: "owner", isToMany: true)
            }
        }
        let expected = Self.changed(before, added: ["age": "int(0)", "pets": ""])
        #expect(try stage.migrate(to: next) == expected)
    }

    @Test func `uniqueness that an old framework wrote into its tables can be taken back`() throws {
        let (stage, before) = try Self.stage("Moody/Moody_2")
        let count = "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '% UNIQUE %'"
        #expect(try stage.text(count) != "0")
        var entities = try Self.model("Moody/Moody_2").entities.map(\.description)
        for index in entities.indices { entities[index].uniquenessConstraints = [] }
        #expect(try stage.contents(ManagedObjectModel(entities: entities)) == before)
        #expect(try stage.text(count) == "0")
    }

    @Test func `a model with nearly every feature goes to its second version`() throws {
        let bundle = try ModelBundle(contentsOf: Fixtures.url("models/everything/model.xcdatamodeld"))
        let stage = try MigrationStage()
        let first = try bundle.model(versionName: "model")
        try stage.write(first) { context in
            for entity in first.entities where !entity.isAbstract {
                let object = try context.insert(entity)
                // The model's own default has not the form that the model asks for.
                for case .attribute(let attribute) in entity.properties
                where attribute.description.regularExpression != nil {
                    try object.setValue("Regular Expression", forKey: attribute.name)
                }
            }
        }
        let before = try stage.contents(first)
        let after = try stage.migrate(to: bundle.model(versionName: "model 2"))
        #expect(Set(after.objects.keys) == Set(before.objects.keys))
    }

    @Test func `the store keeps its identity, its metadata and its highest keys`() throws {
        let (stage, _) = try Self.stage("Moody/Moody_2")
        let facts = "SELECT Z_UUID || ' ' || (SELECT group_concat(Z_NAME || Z_MAX) FROM Z_PRIMARYKEY) FROM Z_METADATA"
        let before = try stage.text(facts)
        let keys = try stage.metadata().keys
        var model = try Self.model("Moody/Moody_2").entities.map(\.description)
        model[0].versionHashModifier = "next"
        _ = try stage.contents(ManagedObjectModel(entities: model))
        #expect(try stage.text(facts) == before)
        #expect(Set(keys).isSubset(of: try stage.metadata().keys))
    }
}
