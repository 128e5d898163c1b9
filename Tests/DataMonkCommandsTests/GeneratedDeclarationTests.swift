import DataMonkCommands
import DataMonkCore
import DataMonkGeneration
import Foundation
import Testing

/// The parts of a model that generated classes declare, and those that `generate` lists as left out.
@Suite struct `Generated declarations` {
    private let folder: GenerationFolder

    init() throws { folder = try GenerationFolder() }

    private func text(_ name: String, of model: ManagedObjectModel, style: ClassStyle = .plain) throws -> String {
        let files = try ModelClasses(model, named: "Apiary", source: "Apiary", style: style).files
        return try #require(files.first { $0.name == name }).text
    }

    // MARK: Notes, conditions, transformers

    private static let sourceNote =
        "The swarms of the old list, which the keeper of the bees wrote down by hand over the years."

    private static func swarms(transformer: String? = nil) throws -> ManagedObjectModel {
        let isShort: Condition = .comparison(.init(.keyPath("length"), .lessThanOrEqual, .value(20)))
        let beginsWithS: Condition = .or([
            .comparison(.init(.object, .beginsWith, .value("S"), options: .caseInsensitive)),
            .not(.comparison(.init(.object, .isIn, .value(["a", "b"])))),
        ])
        return try ManagedObjectModel {
            EntityDescription(
                "Swarm",
                userInfo: ["documentation": "Bees.", "relatedByAttribute": "name", "sourceNote": sourceNote]
            ) {
                AttributeDescription(
                    "name", .string, isOptional: false, defaultValue: "",
                    validationPredicates: [
                        ValidationPredicate(isShort, warning: "A name is short."),
                        ValidationPredicate(beginsWithS, warning: "A name begins with S."),
                    ],
                    userInfo: ["mappedKeyName": "title"])
                AttributeDescription(
                    "tags", .transformable, valueTransformerName: transformer, userInfo: ["dateFormat": "none"])
                RelationshipDescription("queen", to: "Swarm", userInfo: ["relatedByAttribute": "name"])
            }
        }
    }

    @Test func `a class has the notes, the conditions and the transformers of its entity`() throws {
        let model = try Self.swarms(transformer: "TagTransformer")
        let properties = try text("Swarm+Properties.swift", of: model)
        let start = try #require(properties.range(of: "nonisolated extension"))
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Swarm.swift")
        #expect(try String(contentsOf: source, encoding: .utf8).hasSuffix(properties[start.lowerBound...]))

        let own = try #require(try ManagedObjectModel(classes: [Swarm.self]).entitiesByName["Swarm"]?.description)
        #expect(own.userInfo == ["relatedByAttribute": "name", "sourceNote": Self.sourceNote])
        #expect(own.properties == model.entitiesByName["Swarm"]?.description.properties)
    }

    @Test(arguments: [nil, "NSSecureUnarchiveFromData"])
    func `macros have the notes too, and need no plain style for a transformer of Foundation's`(
        transformer: String?
    ) throws {
        let text = try text("Swarm+Properties.swift", of: Self.swarms(transformer: transformer), style: .macro)
        #expect(text.contains("@EntityProperties(\n    userInfo: [\n        \"relatedByAttribute\": \"name\",\n"))
        #expect(text.contains("    userInfo: [\"mappedKeyName\": \"title\"])\n    var name: String = \"\"\n"))
        #expect(text.contains("@Attribute(userInfo: [\"dateFormat\": \"none\"])\n    var tags: Transformable?\n"))
        #expect(text.contains("@Relationship(userInfo: [\"relatedByAttribute\": \"name\"])\n    var queen: Swarm?\n"))
        #expect(!text.contains("documentation"))
    }

    // MARK: Left out

    @Test func `what a class cannot declare is listed, each time`() throws {
        try folder.write(
            """
            <model><entity name="Hive"><attribute name="honey" attributeType="Double" defaultValueString="0"/>
            <fetchedProperty name="rich" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="Hive" \
            predicateString="honey &gt; 9"/></fetchedProperty>
            <fetchIndex name="byHoney"><fetchIndexElement property="honey" type="Binary" order="descending"/></fetchIndex>
            </entity>
            <entity name="Box" parentEntity="Hive"><attribute name="honey" optional="YES" attributeType="Double"/></entity>
            <fetchRequest name="Full" entity="Hive"/><fetchRequest name="Number" entity="Hive" resultType="4"/>
            <configuration name="Cloud"><memberEntity name="Hive"/></configuration></model>
            """)
        for _ in 1...2 {
            let lines = try folder.generate().output.split(separator: "\n").filter { $0.hasPrefix("Left out: ") }
            #expect(
                lines == [
                    """
                    Left out: Box.honey: A subclass cannot declare an inherited property with other options. They may be \
                    part of the version hash.
                    """,
                    "Left out: Hive.rich: A class declares no fetched property. Its function needs the model's file.",
                    """
                    Left out: Hive.byHoney: A class has only ascending indexes on stored properties, without a condition.
                    """,
                    "Left out: The configuration Cloud: Classes belong to no configuration.",
                    """
                    Left out: The fetch request Full: A class has a function for it, but a model of classes does not have \
                    it by name.
                    """,
                    """
                    Left out: The fetch request Number: The function for it fetches objects, although its results are of \
                    another type.
                    """,
                ])
        }
    }

    @Test func `bytes and functions in conditions are listed, indexes on single attributes declared`() throws {
        let isUpper = try Condition(format: "uppercase:(SELF) == 'A'")
        let model = try ManagedObjectModel {
            EntityDescription("Hive", indexes: [FetchIndexDescription("first", on: ["name"])]) {
                AttributeDescription(
                    "name", .string, validationPredicates: [ValidationPredicate(isUpper, warning: "No.")])
                AttributeDescription("photo", .binary, defaultValue: .data(Data([1])))
            }
        }
        let classes = try ModelClasses(model, named: "Apiary", source: "Apiary", style: .plain)
        #expect(
            classes.omissions == [
                "Hive.name: A declaration has no form for its condition \(isUpper.format).",
                "Hive.photo: A declaration has no form for its default value, which is Data.",
            ])
        #expect(try text("Hive+Properties.swift", of: model).contains("indexes: [[\"name\"]]"))
    }

    // MARK: Names and values

    @Test func `the parameters of functions do not hide a property of their name`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Book") {
                RelationshipDescription("index", to: "Entry", inverse: "book", isToMany: true, isOrdered: true)
                RelationshipDescription("object", to: "Entry", inverse: "owner", isToMany: true, isOrdered: true)
            }
            EntityDescription("Entry") {
                RelationshipDescription("book", to: "Book")
                RelationshipDescription("owner", to: "Book")
            }
        }
        let text = try text("Book+Properties.swift", of: model)
        for name in ["index", "object"] {
            #expect(text.contains("        self.\(name).insert(object, at: index)\n"))
            #expect(text.contains("        self.\(name).remove(at: index)\n"))
            #expect(text.contains("        self.\(name)[index] = object\n"))
        }
    }

    @Test(arguments: ["entity", "description", "hash", "objectID"])
    func `a stored model's property with a name of managed objects is an error`(name: String) throws {
        let entity = EntityDescription("Hive", properties: [.attribute(AttributeDescription(name, .string))])
        let model = try ManagedObjectModel(ModelContents(entities: [entity]), storedHashes: [:])
        let error = #expect(throws: ModelError.self) {
            try ModelClasses(model, named: "Apiary", source: "Apiary", style: .plain)
        }
        #expect(error?.problems.map(\.propertyName) == [name])
        #expect(error?.problems.map(\.kind) == [.reservedName])
    }

    @Test func `a fetched property that a sub-entity declares again has one function`() throws {
        let rich = """
            <fetchedProperty name="rich" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="Hive"/>\
            </fetchedProperty>
            """
        try folder.write(
            "<model><entity name=\"Hive\">\(rich)</entity><entity name=\"Box\" parentEntity=\"Hive\">\(rich)</entity></model>"
        )
        #expect(try folder.generate().error == nil)
        #expect(try folder.text("Hive+Properties.swift").contains("func fetchRich()"))
        #expect(!(try folder.text("Box+Properties.swift").contains("func fetchRich()")))
    }

    @Test func `a raw value is one literal, and may be empty`() throws {
        let long = String(repeating: "long ", count: 20) + "text"
        try folder.write(
            """
            <model><entity name="Hive"><attribute name="kind" attributeType="String" defaultValueString=""><userInfo>
            <entry key="enum" value="Kind"/><entry key="cases" value="some, none=, long=\(long)"/></userInfo></attribute>
            </entity></model>
            """)
        #expect(try folder.generate("--style", "plain").error == nil)
        let text = try folder.text("Kind.swift")
        #expect(text.contains("    case none = \"\"\n"))
        #expect(text.contains("    case long = \"\(long)\"\n"))
        #expect(try folder.text("Hive+Properties.swift").contains("default: Kind.none"))
    }
}
