import DataMonkCore
import DataMonkSQL
import Foundation
import Testing

/// Parts of archives that this library does not write itself, put into ones that it has written.
@Suite struct ArchivePartsTests {
    /// An archive with some objects changed, and others added at its end.
    private func archive(
        _ model: ManagedObjectModel, adding added: [PropertyListValue] = [],
        _ change: (inout [String: PropertyListValue], _ firstAdded: UInt64) -> Void
    ) throws -> ArchivedModel {
        let list = try BinaryPropertyListReader.read(ModelArchiveWriter.archive(of: model))
        var fields = try #require(list.dictionaryValue)
        var objects = try #require(fields["$objects"]?.arrayValue)
        let first = UInt64(objects.count)
        for place in objects.indices {
            guard var object = objects[place].dictionaryValue, object["$class"] != nil else { continue }
            change(&object, first)
            objects[place] = .dictionary(object)
        }
        fields["$objects"] = .array(objects + added)
        return try ModelArchiveReader.read(BinaryPropertyListWriter.write(.dictionary(fields)))
    }

    private func entity(_ attributes: AttributeDescription..., indexes: [FetchIndexDescription] = []) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel(entities: [
            EntityDescription("Thing", properties: attributes.map { .attribute($0) }, indexes: indexes)
        ])
    }

    // MARK: Defaults

    @Test func `a default of a composite attribute is a dictionary of its elements'`() throws {
        let model = try entity(
            AttributeDescription(
                "place", .composite,
                elements: [AttributeDescription("city", .string), AttributeDescription("height", .double)]))
        let dictionary: [String: PropertyListValue] = [
            "$classname": .string("NSMutableDictionary"),
            "$classes": .array([.string("NSMutableDictionary"), .string("NSDictionary"), .string("NSObject")]),
        ]
        let archived = try archive(model, adding: [.dictionary(dictionary), .string("city"), .string("Taipei")]) {
            object, first in
            guard object["NSAttributeType"] == .integer(2100) else { return }
            object["NSDefaultValue"] = .uid(first + 3)
        } added: { first in
            .dictionary([
                "$class": .uid(first), "NS.keys": .array([.uid(first + 1)]), "NS.objects": .array([.uid(first + 2)]),
            ])
        }
        #expect(archived.omissions == [])
        let place = try #require(archived.contents.entities[0].attributes.first)
        #expect(place.elements.map(\.defaultValue) == ["Taipei", .null])
    }

    private func archive(
        _ model: ManagedObjectModel, adding added: [PropertyListValue],
        _ change: (inout [String: PropertyListValue], _ firstAdded: UInt64) -> Void,
        added last: (UInt64) -> PropertyListValue
    ) throws -> ArchivedModel {
        let count = try BinaryPropertyListReader.read(ModelArchiveWriter.archive(of: model))["$objects"]?.arrayValue?
            .count
        return try archive(model, adding: added + [last(UInt64(count ?? 0))], change)
    }

    // MARK: Proxies

    @Test func `a proxy stands for an inherited property, and says nothing`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Animal") { AttributeDescription("name", .string) }
            EntityDescription("Dog", superentityName: "Animal") { AttributeDescription("breed", .string) }
        }
        var count = 0
        let proxy: [String: PropertyListValue] = [
            "$classname": .string("_NSPropertyDescriptionProxy"),
            "$classes": .array([.string("_NSPropertyDescriptionProxy"), .string("NSObject")]),
        ]
        let archived = try archive(model, adding: [.dictionary(proxy)]) { object, first in
            guard object["NSAttributeType"] == .integer(700) else { return }
            count += 1
            // The animal's name, the dog's copy of it, the dog's breed.
            if count == 2 { object = ["$class": .uid(first), "_P": .integer(1)] }
        }
        #expect(archived.omissions == [])
        let names = archived.contents.entities.map { ($0.name, $0.properties.map(\.name)) }
        #expect(names.map(\.1) == [["name"], ["breed"]])
    }

    // MARK: Conditions

    @Test(arguments: [
        "length >= 3 AND length <= 50", "SELF CONTAINS \"title\"", "SELF MATCHES \"[a-z]+\"",
        "SELF BEGINSWITH[cd] \"a\"",
        "SELF IN {\"a\", \"b\"}", "NOT (SELF == \"x\" OR SELF ENDSWITH \"y\")", "SELF LIKE \"a*\"", "length != 7",
        "TRUEPREDICATE",
    ])
    func `conditions of a text are written as Core Data's objects, and read again`(format: String) throws {
        let predicate = ValidationPredicate(try Condition(format: format), warning: "Another text, please.")
        let attribute = AttributeDescription("text", .string, validationPredicates: [predicate])
        let model = try entity(attribute)
        let read = try ModelArchiveReader.read(ModelArchiveWriter.archive(of: model))
        #expect(read.omissions == [] && read.contents.entities[0].attributes == [attribute])
        // Without the text of ours that stands beside what has no other form.
        let plain = try archive(model) { object, _ in object["DataMonkPredicateFormat"] = nil }
        #expect(plain.contents == read.contents)
    }

    @Test(arguments: ["SELF BETWEEN {1, 5}", "SELF > 2 OR SELF == 0", "SELF IN {1, 2, 3}"])
    func `conditions of a number survive too`(format: String) throws {
        let predicate = ValidationPredicate(try Condition(format: format), warning: "Another number, please.")
        let attribute = AttributeDescription("count", .integer32, minimum: 0, validationPredicates: [predicate])
        let read = try ModelArchiveReader.read(ModelArchiveWriter.archive(of: entity(attribute)))
        #expect(read.omissions == [] && read.contents.entities[0].attributes == [attribute])
    }

    @Test func `one that is beyond those objects is kept as text`() throws {
        let condition = try Condition(format: "uppercase(SELF) == SELF")
        let attribute = AttributeDescription(
            "text", .string, validationPredicates: [ValidationPredicate(condition, warning: "In capitals, please.")])
        let read = try ModelArchiveReader.read(ModelArchiveWriter.archive(of: entity(attribute)))
        #expect(read.omissions == [] && read.contents.entities[0].attributes == [attribute])
    }

    // MARK: Models that are not sound for us

    @Test func `what Core Data accepted is left out and noted, not refused`() throws {
        let attribute = AttributeDescription("number", .integer16, minimum: 0)
        var contents = ModelContents(
            entities: [
                EntityDescription(
                    "Thing",
                    properties: [
                        .attribute(attribute),
                        .attribute(AttributeDescription("text", .string, regularExpression: "(")),
                        .attribute(AttributeDescription("hidden", .string, isTransient: true)),
                    ],
                    indexes: [
                        FetchIndexDescription("byHidden", on: ["hidden"]), FetchIndexDescription("byNothing", on: []),
                        FetchIndexDescription("byText", on: ["text"]), FetchIndexDescription("BYTEXT", on: ["number"]),
                    ])
            ], configurations: ["local": ["Thing", "Gone"]],
            fetchRequestTemplates: [FetchRequestTemplate("all", entityName: "Gone")])
        if case .attribute(var number) = contents.entities[0].properties[0] {
            number.defaultValue = 100_000
            number.maximum = -1
            contents.entities[0].properties[0] = .attribute(number)
        }
        #expect(throws: ModelError.self) { try ManagedObjectModel(contents) }
        let (model, omissions) = try ArchivedModel(contents: contents).model()
        #expect(omissions.count >= 7 && omissions.contains { $0.propertyName == "byHidden" })
        let thing = model.entities[0]
        #expect(thing.description.indexes.map(\.name) == ["byText"])
        #expect(thing.attribute(named: "number")?.description.defaultValue == .null)
        #expect(model.configurations == ["local": ["Thing"]] && model.fetchRequestTemplates.isEmpty)
        let plain = try entity(
            AttributeDescription("number", .integer16), AttributeDescription("text", .string),
            AttributeDescription("hidden", .string, isTransient: true))
        #expect(model.versionChecksum == plain.versionChecksum)
    }

    @Test func `several problems of one part go together`() throws {
        var attribute = AttributeDescription("number", .integer16)
        attribute.minimum = "a"
        attribute.maximum = "b"
        let index = FetchIndexDescription("odd", on: ["gone", "hidden"])
        let contents = ModelContents(
            entities: [EntityDescription("Thing", properties: [.attribute(attribute)], indexes: [index, index])],
            configurations: ["local": ["Thing", "Gone", "Lost"]])
        let (model, omissions) = try ArchivedModel(contents: contents).model()
        #expect(model.configurations == ["local": ["Thing"]] && model.entities[0].description.indexes.isEmpty)
        #expect(Set(omissions.compactMap(\.propertyName)) == ["number", "odd", "local"])
    }

    @Test func `faults of a composite attribute's elements are left out of them`() throws {
        var city = AttributeDescription("city", .string, defaultValue: 7)
        city.minimum = "a"
        let attribute = AttributeDescription(
            "address", .composite, elements: [city, AttributeDescription("zip", .string)])
        let contents = ModelContents(entities: [EntityDescription("Thing", properties: [.attribute(attribute)])])
        let element = try ArchivedModel(contents: contents).model().model.entities[0].attributes[0].description
            .elements[0]
        #expect(element.defaultValue == .null && element.minimum == .null)
    }

    @Test func `names that objects use themselves are taken, but for classes`() throws {
        let names = ["entity", "objectID", "isDeleted", "hash", "description", "self"]
        let contents = ModelContents(entities: [
            EntityDescription("Thing", properties: names.map { .attribute(AttributeDescription($0, .string)) })
        ])
        #expect(throws: ModelError.self) { try ManagedObjectModel(contents) }
        let (model, omissions) = try ArchivedModel(contents: contents).model()
        #expect(model.entities[0].attributes.map(\.name).sorted() == names.sorted() && omissions.isEmpty)
    }

    @Test func `an inverse that does not lead back is left out, and the hash is the stored one`() throws {
        func contents(_ inverse: String?) -> ModelContents {
            ModelContents(entities: [
                EntityDescription("Dog", superentityName: "Animal", properties: []),
                EntityDescription("Animal") { RelationshipDescription("owner", to: "Person") },
                EntityDescription("Person") { RelationshipDescription("pet", to: "Dog", inverse: inverse) },
            ])
        }
        let hashes = try ManagedObjectModel(contents(nil)).entityVersionHashesByName.mapValues { _ in Data([7]) }
        for inverse in ["owner", "nobody", "pet"] {
            let (model, omissions) = try ArchivedModel(contents: contents(inverse)).model(storedHashes: hashes)
            #expect(model.entitiesByName["Person"]?.relationship(named: "pet")?.inverse == nil)
            #expect(omissions.map(\.propertyName) == ["pet"] && model.incompleteEntities == ["Person"])
            // Only where something was left out.
            #expect(model.entityVersionHashesByName.filter { $0.value == Data([7]) }.map(\.key) == ["Person"])
        }
    }

    @Test func `a derivation that cannot be read makes the attribute read-only, and the hash is the stored one`() throws
    {
        let model = try ManagedObjectModel {
            EntityDescription("Thing") {
                AttributeDescription("shout", .string, derivationExpression: "uppercase:(text)")
                AttributeDescription("text", .string)
            }
            EntityDescription("Thing2", superentityName: "Thing", properties: [])
        }
        let archived = try archive(model) { object, _ in
            if object["NSDerivationExpression"] != nil { object["NSDerivationExpression"] = .integer(1) }
            object["DataMonkDerivationFormat"] = nil
        }
        let hashes = ["Thing": Data([1]), "Thing2": Data([2])]
        let (read, omissions) = try archived.model(storedHashes: hashes)
        #expect(omissions.map(\.subject).contains("its derivation"))
        #expect(read.entities[0].attribute(named: "shout")?.isDerived == true)
        #expect(read.incompleteEntities == ["Thing"] && read.entityVersionHashesByName == hashes)
    }

    // MARK: Archives that stand for more than they hold

    /// Without a limit each of these takes hours, or more memory than there is.
    @Test(.timeLimit(.minutes(60))) func `long texts that are named again and again are refused`() throws {
        let long = PropertyListValue.string(String(repeating: "x", count: 4 << 20))
        let model = try entity(AttributeDescription("text", .string, validationPredicates: []))
        #expect(throws: KeyedArchiveError(.tooMuchWork)) {
            // The user info of everything: a hundred thousand entries whose key is one long text, and whose value is none.
            try archive(model, adding: [long, .dictionary(Self.dictionaryClass)]) { object, first in
                guard object["NSEntityName"] != nil else { return }
                object["NSUserInfo"] = .uid(first + 2)
            } added: { first in
                .dictionary([
                    "$class": .uid(first + 1),
                    "NS.keys": .array(Array(repeating: .uid(first), count: 100_000)),
                    "NS.objects": .array(Array(repeating: .integer(1), count: 100_000)),
                ])
            }
        }
    }

    private static let dictionaryClass: [String: PropertyListValue] = [
        "$classname": .string("NSDictionary"), "$classes": .array([.string("NSDictionary"), .string("NSObject")]),
    ]

    @Test(.timeLimit(.minutes(60))) func `a class of a million names is refused`() throws {
        let names = Array(repeating: PropertyListValue.string("NSObject"), count: 300_000)
        let model = try entity(AttributeDescription("text", .string))
        #expect(throws: KeyedArchiveError(.tooMuchWork)) {
            try archive(
                model,
                adding: [.dictionary(["$classname": .string("NSDictionary"), "$classes": .array(names)])]
            ) { object, first in
                guard object["NSEntityName"] != nil else { return }
                object["NSUserInfo"] = .uid(first + 1)
            } added: { first in
                .dictionary([
                    "$class": .uid(first), "NS.keys": .array(Array(repeating: .uid(first + 1), count: 100_000)),
                    "NS.objects": .array(Array(repeating: .uid(first + 1), count: 100_000)),
                ])
            }
        }
    }

    @Test(.timeLimit(.minutes(60))) func `thirty thousand faults of a model are left out in one go`() throws {
        let entities = (0..<300).map { number in
            EntityDescription(
                "Thing\(number)",
                properties: (0..<100).map {
                    .attribute(AttributeDescription("a\($0)", .integer16, defaultValue: "text"))
                })
        }
        let (model, omissions) = try ArchivedModel(contents: ModelContents(entities: entities)).model()
        #expect(omissions.count == 30_000 && model.entities.count == 300)
    }

    @Test func `what would change the stored form is an error`() throws {
        let contents = ModelContents(entities: [
            EntityDescription("Thing", properties: [.relationship(RelationshipDescription("other", to: "Gone"))])
        ])
        let error = try #require(throws: ModelError.self) {
            try ArchivedModel(contents: contents).model()
        }
        #expect(error.problems.map(\.kind) == [.unknownDestination])
    }
}
