import DataMonk
import Foundation
import Testing

/// Migrations that would take something away: refused with a count of what would be lost, and done once it may be.
@Suite struct `Migrations that would discard data` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: entities)
    }

    private static func person(_ properties: PropertyDescription...) -> EntityDescription {
        EntityDescription("Person", properties: properties)
    }

    private static let visit = EntityDescription("Visit") { AttributeDescription("place", .string) }

    private static func text(_ name: String, _ defaultValue: ManagedValue = .null) -> PropertyDescription {
        .attribute(AttributeDescription(name, .string, defaultValue: defaultValue))
    }

    /// What an error lists, such as `Person.name discardedValues 2`.
    private func list(_ error: MigrationError) -> [String] {
        #expect(error.code == .wouldDiscard)
        return error.problems.map { problem in
            let place = [problem.entityName, problem.propertyName].compactMap(\.self).joined(separator: ".")
            return "\(place) \(problem.kind.rawValue) \(problem.count ?? -1)"
        }
    }

    // MARK: Objects

    @Test func `a model that forgets an entity does not lose its objects`() throws {
        let both = try model(Self.person(Self.text("name")), Self.visit)
        try stage.write(both) { context in for _ in 0..<3 { try context.insert("Person", ["name": "Monk"]) } }
        let before = try stage.contents(both)
        let error = try stage.refusal(model(Self.visit), discarding: [])
        #expect(list(error) == ["Person discardedObjects 3"])
        #expect(error.message.contains("3 objects") && error.message.contains(".entity(\"Person\")"))
        #expect(try stage.contents(both) == before)
        #expect(try stage.contents(model(Self.visit), discarding: .entity("Person")).objects.isEmpty)
    }

    @Test func `resetOnFailure does not take everything away where something would be lost`() throws {
        let both = try model(Self.person(Self.text("name")), Self.visit)
        try stage.write(both) { try $0.insert("Person", ["name": "Monk"]) }
        let error = try #require(throws: MigrationError.self) {
            try Stack(model: try model(Self.visit)).addDatabaseStore(fileURL: stage.url, resetOnFailure: true)
        }
        #expect(error.code == .wouldDiscard)
        #expect(try stage.files == ["store.sqlite"])
        #expect(try stage.contents(both).objects.count == 1)
    }

    // MARK: Damaged rows

    private func animals(_ names: [String], before: String? = nil) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            entities: [EntityDescription("Animal", isAbstract: true) { AttributeDescription("name", .string) }]
                + names.map { EntityDescription($0, superentityName: "Animal", properties: []) }
                + (before.map { [EntityDescription($0, properties: [])] } ?? []))
    }

    private func damage(_ numbers: String...) throws {
        for (place, number) in numbers.enumerated() {
            _ = try StoreCopy.rows(stage.url, "UPDATE ZANIMAL SET Z_ENT = \(number) WHERE Z_PK = \(place + 1)")
        }
    }

    private func rows() throws -> [[String]] {
        try StoreCopy.rows(stage.url, "SELECT coalesce(Z_ENT, 'none'), ZNAME FROM ZANIMAL ORDER BY Z_PK")
    }

    @Test func `a row of an unknown entity keeps its number, or gets one that no entity has`() throws {
        try stage.write(animals(["Cat", "Dog"])) { context in
            for name in ["a", "b", "c", "d"] { try context.insert("Cat", ["name": .string(name)]) }
        }
        try damage("99", "4", "NULL")
        // Animal 1, Cat 2, Dog 3 become 2, 3, 4.
        #expect(try stage.contents(animals(["Cat", "Dog"], before: "Aardvark")).objects.keys.sorted() == ["Cat/4"])
        #expect(try rows() == [["99", "a"], ["-4", "b"], ["none", "c"], ["3", "d"]])
    }

    @Test func `rows of unknown entities are counted where only a part of a table stays`() throws {
        let (both, cats) = (try animals(["Cat", "Dog"]), try animals(["Cat"]))
        try stage.write(both) { context in
            for name in ["a", "b", "c"] { try context.insert("Cat", ["name": .string(name)]) }
        }
        try damage("99", "NULL")
        let error = try stage.refusal(cats, discarding: [])
        #expect(list(error) == ["Animal damagedObjects 2"])
        #expect(error.message.contains("2 rows") && error.message.contains(".entity(\"Animal\")"))
        // Who has both versions has not said that damaged rows may go.
        let stack = Stack(model: cats, earlierModels: [both])
        #expect(throws: MigrationError.self) { try stack.addDatabaseStore(fileURL: stage.url) }
        #expect(try stage.contents(cats, discarding: .entity("Animal")).objects.keys.sorted() == ["Cat/3"])
    }

    @Test func `rows of unknown entities go with their table when it may go`() throws {
        let both = try ManagedObjectModel(entities: animals(["Cat"]).entities.map(\.description) + [Self.visit])
        try stage.write(both) { try $0.insert("Cat", ["name": "a"]) }
        try damage("99")
        #expect(list(try stage.refusal(model(Self.visit), discarding: [])) == ["Animal discardedObjects 1"])
        #expect(try stage.contents(model(Self.visit), discarding: .entity("Animal")).objects.isEmpty)
    }

    @Test func `an entity without objects goes without a word`() throws {
        try stage.write(try model(Self.person(Self.text("name")), Self.visit)) { try $0.insert("Visit") }
        #expect(try stage.migrate(to: model(Self.visit), discarding: []).objects.count == 1)
    }

    // MARK: Values

    @Test func `values count, nulls and defaults do not`() throws {
        let old = try model(Self.person(Self.text("name"), Self.text("rank", "novice"), Self.text("title")))
        try stage.write(old) { context in
            try context.insert("Person", ["name": "Monk", "rank": "master"])
            try context.insert("Person", ["name": "Pigsy"])
            try context.insert("Person", ["rank": .null])
        }
        let new = try model(Self.person(Self.text("note")))
        let error = try stage.refusal(new, discarding: [])
        #expect(list(error) == ["Person.name discardedValues 2", "Person.rank discardedValues 1"])
        #expect(!error.message.contains("Monk"))
        #expect(list(try stage.refusal(new, discarding: .property("Person", "name"))).count == 1)
        #expect(list(try stage.refusal(new, discarding: [.entity("Person"), .property("Visit", "name")])).count == 2)
        let contents = try stage.migrate(
            to: new, discarding: [.property("Person", "rank"), .property("Person", "name")])
        #expect(contents.objects.count == 3)
    }

    @Test func `defaults of every type are no loss`() throws {
        let attributes: [(AttributeType, ManagedValue)] = [
            (.integer16, 7), (.boolean, true), (.double, 2.5), (.double, 3), (.float, 0.1), (.decimal, .decimal(2.25)),
            (.string, "text"), (.date, .date(Date(timeIntervalSinceReferenceDate: 7))), (.uuid, .uuid(UUID())),
            (.binary, .data(Data([0, 1]))),
        ]
        let old = try model(
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                attributes.enumerated().map { offset, attribute in
                    .attribute(AttributeDescription("a\(offset)", attribute.0, defaultValue: attribute.1))
                }
                AttributeDescription(
                    "photo", .binary, defaultValue: .data(Data([9])), allowsExternalBinaryDataStorage: true)
            })
        try stage.write(old) { try $0.insert("Person", ["name": "Monk"]) }
        let new = try model(Self.person(Self.text("name")))
        #expect(try stage.migrate(to: new, discarding: [])["Person/1"] == ["name": "string(\"Monk\")"])
    }

    @Test func `an attribute that becomes transient or moves away from an entity loses its values`() throws {
        let monk = EntityDescription("Monk", superentityName: "Person", properties: [])
        try stage.write(try model(Self.person(Self.text("name"), Self.text("rank")), monk)) { context in
            try context.insert("Person", ["name": "a", "rank": "b"])
            try context.insert("Monk", ["name": "c", "rank": "d"])
        }
        let transient = AttributeDescription("name", .string, isTransient: true)
        let lower = EntityDescription("Monk", superentityName: "Person", properties: [Self.text("rank")])
        let error = try stage.refusal(model(Self.person(.attribute(transient)), lower), discarding: [])
        #expect(list(error) == ["Person.name discardedValues 2", "Person.rank discardedValues 1"])
    }

    @Test func `elements of a composite attribute count one by one`() throws {
        func place(_ elements: String...) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Place") {
                    AttributeDescription(
                        "position", .composite, elements: elements.map { AttributeDescription($0, .double) })
                }
            }
        }
        try stage.write(try place("latitude", "longitude")) {
            try $0.insert("Place", ["position": .dictionary(["latitude": 1.5, "longitude": 2.5])])
        }
        let error = try stage.refusal(place("longitude"), discarding: [])
        #expect(list(error) == ["Place.position.latitude discardedValues 1"])
        _ = try stage.contents(place("longitude"), discarding: .property("Place", "position.latitude"))
        _ = try stage.contents(place("height"), discarding: .property("Place", "position"))
    }

    // MARK: Links

    /// Two owners, three items, and the links between them.
    private func writeLinks(_ items: RelationshipDescription, _ owner: RelationshipDescription?) throws {
        let old = try model(
            EntityDescription("Item", properties: owner.map { [.relationship($0)] } ?? []),
            EntityDescription("Owner") { items })
        try stage.write(old) { context in
            let owners = [try context.insert("Owner"), try context.insert("Owner")]
            let items = try (0..<3).map { _ in try context.insert("Item") }
            try owners[0].setObjects([items[0], items[1]], forKey: "items")
            try owners[1].setObjects([items[2]], forKey: "items")
        }
    }

    @Test(arguments: ["to-one", "to-many", "none"])
    func `links of a relationship that is gone count, whatever its inverse`(inverse: String) throws {
        let hasInverse = inverse != "none"
        let items = RelationshipDescription("items", to: "Item", inverse: hasInverse ? "owner" : nil, isToMany: true)
        let owner = RelationshipDescription("owner", to: "Owner", inverse: "items", isToMany: inverse == "to-many")
        try writeLinks(items, hasInverse ? owner : nil)
        let new = try model(EntityDescription("Item", properties: []), EntityDescription("Owner", properties: []))
        let error = try stage.refusal(new, discarding: [])
        let name = hasInverse ? "Item.owner" : "Owner.items"
        #expect(list(error) == ["\(name) discardedLinks 3"])
        // Either side will do.
        #expect(try stage.migrate(to: new, discarding: .property("Owner", "items")).objects.count == 5)
    }

    @Test func `links that stay on one side are no loss`() throws {
        let items = RelationshipDescription("items", to: "Item", inverse: "owner", isToMany: true)
        try writeLinks(items, RelationshipDescription("owner", to: "Owner", inverse: "items"))
        let alone = RelationshipDescription("owner", to: "Owner")
        let new = try model(EntityDescription("Item") { alone }, EntityDescription("Owner", properties: []))
        #expect(try stage.migrate(to: new, discarding: [])["Item/3"] == ["owner": "Owner/2"])
    }

    @Test func `links to objects that may go are not asked for`() throws {
        let items = RelationshipDescription("items", to: "Item", inverse: "owner", isToMany: true)
        try writeLinks(items, RelationshipDescription("owner", to: "Owner", inverse: "items"))
        let new = try model(EntityDescription("Item", properties: []))
        #expect(list(try stage.refusal(new, discarding: [])) == ["Owner discardedObjects 2"])
        #expect(try stage.migrate(to: new, discarding: .entity("Owner")).objects.count == 3)
    }

    // MARK: Permission

    @Test func `everything may go at once`() throws {
        try stage.write(try model(Self.person(Self.text("name")), Self.visit)) { context in
            try context.insert("Person", ["name": "Monk"])
            try context.insert("Visit")
        }
        let new = try model(Self.person(Self.text("note")))
        #expect(list(try stage.refusal(new, discarding: [])).count == 2)
        #expect(try stage.migrate(to: new, discarding: .everything).objects == ["Person/1": ["note": "null"]])
    }

    @Test func `an application that has described both versions need not say more`() throws {
        let old = try model(Self.person(Self.text("name")), Self.visit)
        let new = try model(Self.person(Self.text("note")))
        try stage.write(old) { try $0.insert("Person", ["name": "Monk"]) }
        let strange = Stack(model: new, earlierModels: [try model(Self.visit)])
        #expect(throws: MigrationError.self) { try strange.addDatabaseStore(fileURL: stage.url) }
        let stack = Stack(model: new, earlierModels: [try model(Self.visit), old])
        let told = Locked<[MigrationError]>([])
        stack.onError { error in told.withLock { $0 += [error as? MigrationError].compactMap(\.self) } }
        try stack.addDatabaseStore(fileURL: stage.url)
        #expect(try GraphDump(stack).objects == ["Person/1": ["note": "null"]])
        try stack.close()
        let losses = told.withLock { $0 }
        #expect(losses.map(\.code) == [.discarded] && losses.first?.problems.map(\.count) == [1])
        #expect(losses.first?.message.contains("Person.name: It is no longer stored, and 1 value went.") == true)
    }

    @Test func `a model file with both versions is such a description, one that cannot be read is none`() throws {
        let folder = try TemporaryFolder()
        let bundle = folder.file("Village.xcdatamodeld")
        func write(_ version: String, _ attribute: String) throws {
            let version = bundle.appending(path: "\(version).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(
                """
                <model><entity name="Person"><attribute name="\(attribute)" optional="YES" attributeType="String"/>\
                </entity></model>
                """.utf8
            ).write(to: version.appending(path: "contents"))
        }
        try write("Village", "name")
        try write("Village 2", "note")
        let first = Stack(model: try ModelBundle(contentsOf: bundle).model(versionName: "Village"))
        try stage.write(first.model) { try $0.insert("Person", ["name": "Monk"]) }
        let bytes = try stage.bytes
        let stack = try Stack(ModelBundle(contentsOf: bundle), versionName: "Village 2")
        try stack.addDatabaseStore(fileURL: stage.url)
        #expect(try GraphDump(stack).objects == ["Person/1": ["note": "null"]])
        try stack.close()

        // One that is not the store's does not matter.
        try stage.restore(bytes)
        try write("Village 3", "nothing")
        try Data("<model>".utf8).write(to: bundle.appending(path: "Village 3.xcdatamodel/contents"))
        let unneeded = try Stack(ModelBundle(contentsOf: bundle), versionName: "Village 2")
        try unneeded.addDatabaseStore(fileURL: stage.url)
        try unneeded.close()

        try stage.restore(bytes)
        try Data("<model>".utf8).write(to: bundle.appending(path: "Village.xcdatamodel/contents"))
        let broken = try Stack(ModelBundle(contentsOf: bundle), versionName: "Village 2")
        let error = try #require(throws: MigrationError.self) { try broken.addDatabaseStore(fileURL: stage.url) }
        #expect(error.code == .wouldDiscard && error.underlyingError is ModelError)
        #expect(try stage.bytes == bytes)
    }
}
