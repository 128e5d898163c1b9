import DataMonkCore
import DataMonkFixtures
import Foundation
import Testing

@Suite struct `Writing a model file` {
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }  // The system empties its folder anyway.
    }

    final class Author: ManagedObject {
        override nonisolated class var entityDeclaration: EntityDeclaration? {
            EntityDeclaration(
                "Author", class: Author.self, originalName: "Writer", unique: [["name"]],
                properties: [
                    .property(
                        "name", String.self, default: "a \"quoted\" <name>\n", options: [.indexed, .maximum(99)]),
                    .property(
                        "born", Date?.self, options: [.minimum(.date(Date(timeIntervalSinceReferenceDate: 0.5)))]),
                    .property("height", Double.self, default: 1.5),
                    .property("bookCount", Int64.self, options: [.derived("books.@count")]),
                    .property("books", [Book].self, deleteRule: .cascade, maximumModelCount: 9, inverse: "author"),
                ])
        }
    }

    final class Book: ManagedObject {
        override nonisolated class var entityDeclaration: EntityDeclaration? {
            EntityDeclaration(
                "Book", class: Book.self, hashModifier: "2",
                properties: [
                    .property("title", String?.self, userInfo: ["b": "2", "a": "1"]),
                    .property("cover", Data?.self, options: [.externalStorage]),
                    .property("author", Author?.self, options: [.required]),
                ])
        }
    }

    private var builderModel: ManagedObjectModel {
        get throws {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "Author", managedObjectClassName: "Author",
                    properties: [
                        .attribute(
                            AttributeDescription(
                                "name", .string, isOptional: false, isIndexed: true,
                                defaultValue: "a \"quoted\" <name>\n", maximum: 99)),
                        .attribute(
                            AttributeDescription(
                                "born", .date, minimum: .date(Date(timeIntervalSinceReferenceDate: 0.5)))),
                        .attribute(AttributeDescription("height", .double, isOptional: false, defaultValue: 1.5)),
                        .attribute(
                            AttributeDescription(
                                "bookCount", .integer64, isOptional: false, derivationExpression: "books.@count")),
                        .relationship(
                            RelationshipDescription(
                                "books", to: "Book", inverse: "author", isToMany: true, isOrdered: true, maxCount: 9,
                                deleteRule: .cascade)),
                    ],
                    uniquenessConstraints: [["name"]], renamingIdentifier: "Writer"),
                EntityDescription(
                    "Book", managedObjectClassName: "Book",
                    properties: [
                        .attribute(AttributeDescription("title", .string, userInfo: ["a": "1", "b": "2"])),
                        .attribute(AttributeDescription("cover", .binary, allowsExternalBinaryDataStorage: true)),
                        .relationship(
                            RelationshipDescription("author", to: "Author", inverse: "books", isOptional: false)),
                    ],
                    versionHashModifier: "2"),
            ])
        }
    }

    /// The descriptions without the classes, which a file only names. The file lists attributes before relationships.
    private func descriptions(of model: ManagedObjectModel) -> [EntityDescription] {
        model.entities.map { entity in
            var description = entity.description
            description.managedObjectClass = nil
            description.properties =
                description.attributes.map(PropertyDescription.attribute)
                + description.relationships.map(PropertyDescription.relationship)
                + description.fetchedProperties.map(PropertyDescription.fetched)
            return description
        }
    }

    private func expectEqual(_ left: ManagedObjectModel, _ right: ManagedObjectModel, _ comment: Comment? = nil) {
        #expect(descriptions(of: left) == descriptions(of: right), comment)
        #expect(left.entityVersionHashesByName == right.entityVersionHashesByName, comment)
        #expect(left.configurations == right.configurations, comment)
        #expect(left.fetchRequestTemplates == right.fetchRequestTemplates, comment)
        #expect(left.versionIdentifiers == right.versionIdentifiers, comment)
    }

    @Test func `a model of classes, its file and a model of descriptions are equal`() throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "Library.xcdatamodeld")
        let model = try ManagedObjectModel(classes: [Author.self])
        #expect(try model.writeModelFile(to: file) == [])
        let loaded = try ManagedObjectModel.load(contentsOf: file)
        expectEqual(loaded, model)
        expectEqual(loaded, try builderModel)
        #expect(try ModelBundle(contentsOf: file).currentVersionName == "Library")
    }

    @Test(.requiresFixtures("models", "stores"), arguments: ["models", "stores"])
    func `each model file of the references reads the same when it is written again`(folder: String) throws {
        let target = try Folder()
        for path in Fixtures.files(in: folder, endingIn: ".xcdatamodel/contents") {
            let place = "\(folder)/\(path)"
            let model = try ManagedObjectModel.load(contentsOf: Fixtures.url(place))
            let file = target.url.appending(path: "\(UUID()).xcdatamodel")
            #expect(try model.writeModelFile(to: file) == [], "\(path)")
            expectEqual(try ManagedObjectModel.load(contentsOf: file), model, "\(path)")
        }
    }

    @Test func `what the form has no place for is returned`() throws {
        let folder = try Folder()
        let isEven = Condition.comparison(.init(.object, .isIn, .value([2, 4])))
        let model = try ManagedObjectModel(
            entities: [
                EntityDescription(
                    "A",
                    properties: [
                        .attribute(
                            AttributeDescription(
                                "size", .integer16, validationPredicates: [ValidationPredicate(isEven, warning: "even")]
                            )),
                        .attribute(AttributeDescription("text", .string, hasTextIndex: true)),
                        .attribute(AttributeDescription("name", .string, defaultValue: "\u{1}")),
                        .attribute(AttributeDescription("code", .string)),
                    ], indexes: [FetchIndexDescription("byCode", on: ["code"])])
            ], versionIdentifiers: ["1", "2"])
        let omissions = try model.writeModelFile(to: folder.url.appending(path: "A.xcdatamodel"))
        #expect(Set(omissions.map(\.propertyName)) == [nil, "size", "text", "name", "code"])
        #expect(omissions.count == 5)
        #expect(omissions.contains { $0.description.contains("A.size: ") && $0.message.contains("even") })
        #expect(omissions.contains { $0.entityName == nil && $0.message.contains("\"2\"") })
    }

    @Test func `a composite keeps its elements, and a class its code generation`() throws {
        let folder = try Folder()
        var entity = EntityDescription(
            "A",
            properties: [
                .attribute(
                    AttributeDescription(
                        "place", .composite, isOptional: true,
                        elements: [AttributeDescription("city", .string), AttributeDescription("code", .integer32)]))
            ])
        entity.codeGeneration = .category
        let model = try ManagedObjectModel(entities: [entity])
        let file = folder.url.appending(path: "A.xcdatamodel")
        #expect(try model.writeModelFile(to: file) == [])
        expectEqual(try ManagedObjectModel.load(contentsOf: file), model)
    }

    @Test func `an attribute of JSON stays one`() throws {
        let folder = try Folder()
        let attribute = AttributeDescription("box", .string, isCodable: true)
        let model = try ManagedObjectModel(entities: [EntityDescription("A", properties: [.attribute(attribute)])])
        let file = folder.url.appending(path: "A.xcdatamodel")
        #expect(try model.writeModelFile(to: file) == [])
        #expect(try ManagedObjectModel.load(contentsOf: file).entities[0].attribute(named: "box")?.isCodable == true)
    }

    @Test func `composites keep their own elements where their names would be the same`() throws {
        func entity(_ name: String, _ attribute: String, _ element: String) -> EntityDescription {
            EntityDescription(
                name,
                properties: [
                    .attribute(
                        AttributeDescription(
                            attribute, .composite, elements: [AttributeDescription(element, .string)]))
                ])
        }
        let folder = try Folder()
        let model = try ManagedObjectModel(entities: [entity("A", "b_c", "x"), entity("A_b", "c", "y")])
        let file = folder.url.appending(path: "A.xcdatamodel")
        #expect(try model.writeModelFile(to: file) == [])
        expectEqual(try ManagedObjectModel.load(contentsOf: file), model)
    }

    @Test func `what is there is not replaced, and nothing is left behind`() throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "A.xcdatamodeld")
        let model = try builderModel
        _ = try model.writeModelFile(to: file)
        let again = #expect(throws: ModelError.self) { _ = try model.writeModelFile(to: file) }
        #expect(again?.code == .unwritableFile && again?.message.contains("exists") == true)
        let wrong = #expect(throws: ModelError.self) {
            _ = try model.writeModelFile(to: folder.url.appending(path: "A.sqlite"))
        }
        #expect(wrong?.message.contains(".xcdatamodeld") == true)
        let missing = folder.url.appending(path: "no/such/A.xcdatamodel")
        #expect(throws: Never.self) { _ = try model.writeModelFile(to: missing) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["A.xcdatamodeld", "no"])
    }

    @Test func `a problem has the place of its property in the file`() {
        let text = """
            <model>
              <entity name="A">
                <attribute name="x" attributeType="String"/>
                <relationship name="b" destinationEntity="B"/>
              </entity>
            </model>
            """
        let places = ModelFilePlaces(of: Data(text.utf8))
        #expect(places.place(ofEntity: "A", property: "b") == (4, 5))
        #expect(places.place(ofEntity: "A", property: "unknown") == (2, 3))
        #expect(places.place(ofEntity: nil, property: nil) == (1, 1))
    }
}
