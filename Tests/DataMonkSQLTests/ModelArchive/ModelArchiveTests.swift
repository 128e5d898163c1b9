import DataMonkCore
import DataMonkFixtures
import DataMonkSQL
import DataMonkTesting
import Foundation
import Testing

/// What no store at hand shows: every part of a description survives being written and read.
struct ModelArchiveTests {
    private func read(_ model: ManagedObjectModel) throws -> ModelContents {
        let archived = try ModelCache.read(ModelCache.data(for: model))
        #expect(archived.omissions == [])
        return archived.contents
    }

    private func entity(_ properties: PropertyDescription...) throws -> EntityDescription {
        let model = try ManagedObjectModel(entities: [EntityDescription("Thing", properties: properties)])
        return try #require(try read(model).entities.first)
    }

    @Test(arguments: [
        AttributeDescription("a", .integer16, defaultValue: -3, minimum: -10, maximum: 300),
        AttributeDescription("a", .integer64, defaultValue: .int(.max), minimum: .int(.min)),
        AttributeDescription("a", .boolean, isOptional: false, defaultValue: true),
        AttributeDescription("a", .double, defaultValue: 0.1, minimum: -1.5, maximum: 1e300),
        AttributeDescription("a", .float, defaultValue: 0.5),
        AttributeDescription(
            "a", .decimal, defaultValue: .decimal(Decimal(string: "-12345678901234567890.12345678901") ?? 0)),
        AttributeDescription(
            "a", .decimal, minimum: .decimal(0), maximum: .decimal(Decimal(sign: .plus, exponent: 100, significand: 7))),
        AttributeDescription(
            "a", .string, defaultValue: "é 🙂 \u{0301}", minimum: 1, maximum: 20, regularExpression: "[a-z]*\\\"+"),
        AttributeDescription(
            "a", .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 0.25)), minimum: .date(.distantPast)),
        AttributeDescription(
            "a", .uuid, defaultValue: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)))),
        AttributeDescription("a", .uri, defaultValue: .url(URL(filePath: "/a%20b"))),
        AttributeDescription("a", .binary, defaultValue: .data(Data([0, 255])), allowsExternalBinaryDataStorage: true),
        AttributeDescription("a", .transformable, valueTransformerName: "Colors", attributeValueClassName: "NSColor"),
        AttributeDescription("a", .undefined, isTransient: true),
        AttributeDescription(
            "a", .string, isIndexed: true, preservesValueInHistoryOnDeletion: true, renamingIdentifier: "b",
            versionHashModifier: "2", userInfo: ["k": "v", "": ""]),
        AttributeDescription(
            "a", .composite,
            elements: [AttributeDescription("x", .double, defaultValue: 2.0), AttributeDescription("w", .string)]),
    ])
    func `an attribute keeps what it says`(attribute: AttributeDescription) throws {
        #expect(try entity(.attribute(attribute)).attributes == [attribute])
    }

    @Test(arguments: ["text", "owner.text", "things.@count", "count:(things)", "canonical:(text)", "now()"])
    func `a derivation keeps its words`(text: String) throws {
        let model = try ManagedObjectModel {
            EntityDescription("Thing") {
                AttributeDescription("text", .string)
                AttributeDescription("derived", .string, derivationExpression: text)
                RelationshipDescription("owner", to: "Thing", inverse: "things")
                RelationshipDescription("things", to: "Thing", isToMany: true)
            }
        }
        let contents = try read(model)
        #expect(contents.entities[0].attributes.compactMap(\.derivationExpression) == [text])
        #expect(try ManagedObjectModel(contents).entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test func `relationships keep counts, rules, order and inverses`() throws {
        let relationships = [
            RelationshipDescription(
                "children", to: "Thing", inverse: "parent", isToMany: true, isOrdered: true, isOptional: false,
                minCount: 1, maxCount: 7, deleteRule: .cascade, renamingIdentifier: "kids", versionHashModifier: "1",
                userInfo: ["a": "b"]),
            RelationshipDescription("lone", to: "Thing", isTransient: true, deleteRule: .noAction),
            RelationshipDescription("parent", to: "Thing", inverse: "children", isIndexed: true, deleteRule: .deny),
            RelationshipDescription("peers", to: "Thing", inverse: "peers", isToMany: true),
        ]
        let thing = EntityDescription("Thing", properties: relationships.map(PropertyDescription.relationship))
        #expect(try read(ManagedObjectModel(entities: [thing])).entities == [thing])
    }

    @Test func `a sub-entity declares only what is its own, or what it changes`() throws {
        let base = EntityDescription("Base", isAbstract: true) {
            AttributeDescription("kept", .string)
            AttributeDescription("stricter", .string)
            FetchedPropertyDescription("found", fetchRequest: FetchRequestTemplate("f", entityName: "Base"))
        }
        let sub = EntityDescription("Sub", superentityName: "Base") {
            AttributeDescription("stricter", .string, isOptional: false)
            AttributeDescription("own", .integer32)
        }
        let leaf = EntityDescription("Leaf", superentityName: "Sub") {}
        #expect(try read(ManagedObjectModel(entities: [base, sub, leaf])).entities == [base, leaf, sub])
    }

    @Test func `an entity keeps its keys, indexes, notes and names`() throws {
        let thing = EntityDescription(
            "Thing", managedObjectClassName: "Shop.Thing",
            properties: [
                .attribute(AttributeDescription("a", .string)), .attribute(AttributeDescription("b", .double)),
            ],
            uniquenessConstraints: [["a"], ["a", "b"]],
            indexes: [
                FetchIndexDescription("byBoth", on: ["a", .init(.property("b"), isAscending: false)]),
                FetchIndexDescription("partly", on: ["a"], partialIndexPredicateFormat: "b > 1"),
                FetchIndexDescription("area", on: [.init(.property("b"), collationType: .rTree)]),
                FetchIndexDescription("computed", on: [.init(.expression("b + 1"))]),
            ], renamingIdentifier: "Item", versionHashModifier: "3", userInfo: ["note": "kept"])
        #expect(try read(ManagedObjectModel(entities: [thing])).entities == [thing])
    }

    @Test func `a model keeps configurations, fetches and identifiers`() throws {
        let fetch = FetchRequestTemplate(
            "recent", entityName: "A", predicateFormat: "x > $LIMIT", fetchLimit: 3, fetchBatchSize: 2,
            resultType: .dictionaries, includesSubentities: false, includesPropertyValues: false,
            includesPendingChanges: false, returnsObjectsAsFaults: false, returnsDistinctResults: true)
        let contents = ModelContents(
            entities: [
                EntityDescription("A") { FetchedPropertyDescription("same", fetchRequest: fetch, isOptional: false) },
                EntityDescription("B") {},
            ],
            configurations: ["cloud": ["A"], "local": ["A", "B"]], fetchRequestTemplates: [fetch],
            versionIdentifiers: ["1", "b"])
        #expect(try read(ManagedObjectModel(contents)) == contents)
    }

    @Test(
        .requiresFixtures("models"),
        arguments: Fixtures.files(in: "models", endingIn: ".xcdatamodel/contents"))
    func `the model of every model file keeps its hashes`(path: String) throws {
        let model = try ManagedObjectModel.load(contentsOf: Fixtures.url("models/\(path)"))
        let contents = try read(model)
        let again = try ManagedObjectModel(contents)
        #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(try read(again) == contents)
    }
}
