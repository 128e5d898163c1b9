import DataMonk
import Foundation
import Testing

/// One change of an attribute at a time.
@Suite struct `Migrating attributes` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(
        optional: Bool = true, _ attributes: AttributeDescription..., hashModifier: String? = nil
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Person", versionHashModifier: hashModifier) {
                AttributeDescription("name", .string, isOptional: optional, defaultValue: optional ? .null : "nobody")
                attributes.map { .attribute($0) }
            }
        }
    }

    private func writePeople(_ attributes: AttributeDescription...) throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                attributes.map { .attribute($0) }
            }
        }
        try stage.write(model) { context in
            try context.insert("Person", ["name": "Monk"])
            try context.insert("Person")
        }
    }

    @Test func `a new optional attribute has no value`() throws {
        try writePeople()
        let contents = try stage.migrate(to: model(AttributeDescription("age", .integer16)))
        #expect(contents["Person/1"] == ["name": "string(\"Monk\")", "age": "null"])
        #expect(contents["Person/2"] == ["name": "null", "age": "null"])
    }

    @Test func `a new optional attribute is added without touching a row`() throws {
        try writePeople()
        let statements = Locked<[String]>([])
        let stack = Stack(model: try model(AttributeDescription("age", .integer16))) { sql in
            statements.withLock { $0.append(sql) }
        }
        try stack.addDatabaseStore(fileURL: stage.url)
        try stack.close()
        let onPeople = statements.withLock { $0 }.filter { $0.contains("ZPERSON") && !$0.hasPrefix("SELECT max(Z_PK)") }
        #expect(onPeople.contains("ALTER TABLE ZPERSON ADD COLUMN ZAGE INTEGER"))
        #expect(!onPeople.contains { $0.contains("INSERT") || $0.hasPrefix("UPDATE ZPERSON") || $0.contains("DROP") })
    }

    @Test func `a new attribute has its default value, of every type`() throws {
        try writePeople()
        let identifier = UUID()
        let values: [(AttributeType, ManagedValue, String)] = [
            (.integer16, 7, "int(7)"), (.integer64, .int(.max), "int(\(Int64.max))"), (.boolean, true, "bool(true)"),
            (.double, 2.5, "double(2.5)"), (.double, 3, "double(3.0)"), (.float, 0.1, "double(\(Double(Float(0.1))))"),
            (.decimal, .decimal(2.25), "decimal(2.25)"), (.string, "it's", "string(\"it\\'s\")"),
            (.date, .date(Date(timeIntervalSinceReferenceDate: 7.5)), "date(2001-01-01 00:00:07 +0000)"),
            (.uuid, .uuid(identifier), "uuid(\(identifier))"), (.binary, .data(Data([0, 1])), "data(2 bytes)"),
        ]
        let attributes = values.enumerated().map { offset, value in
            AttributeDescription("a\(offset)", value.0, isOptional: offset % 2 == 0, defaultValue: value.1)
        }
        let model = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                attributes.map { .attribute($0) }
                AttributeDescription(
                    "photo", .binary, isOptional: false, defaultValue: .data(Data([9])),
                    allowsExternalBinaryDataStorage: true)
            }
        }
        let person = try stage.migrate(to: model)["Person/1"]
        for (offset, value) in values.enumerated() { #expect(person["a\(offset)"] == value.2) }
        #expect(person["photo"] == "data(1 bytes)" && person["name"] == "string(\"Monk\")")
    }

    @Test func `a transformable attribute that allows external storage keeps its values`() throws {
        func model(_ external: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Note") {
                    AttributeDescription("tags", .transformable, allowsExternalBinaryDataStorage: external)
                }
            }
        }
        try stage.write(try model(false)) { context in
            try context.insert("Note").setTransformedValue(.list(["urgent", "paid"]), forKey: "tags")
            try context.insert("Note")
        }
        let stack = Stack(model: try model(true))
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let notes = try context.fetch(FetchRequest(entityName: "Note"))
        #expect(try notes.map { try $0.transformedValue(forKey: "tags") } == [.list(["urgent", "paid"]), nil])
        context.endTurn()
        try stack.close()
    }

    @Test func `a removed attribute takes its values along, and leaves the others`() throws {
        try writePeople(AttributeDescription("age", .integer16, defaultValue: 3), AttributeDescription("note", .string))
        let contents = try stage.migrate(to: model(AttributeDescription("note", .string)))
        #expect(contents["Person/1"].keys.sorted() == ["name", "note"])
        // It does not come back with a later attribute of its name.
        let again = try model(AttributeDescription("note", .string), AttributeDescription("age", .integer16))
        #expect(try stage.migrate(to: again)["Person/1"]["age"] == "null")
    }

    @Test(.scenario("scn/migration/001")) func `a renamed attribute keeps its values`() throws {
        try writePeople()
        let renamed = try ManagedObjectModel {
            EntityDescription("Person") { AttributeDescription("title", .string, renamingIdentifier: "name") }
        }
        #expect(try stage.migrate(to: renamed)["Person/1"] == ["title": "string(\"Monk\")"])
        let identifierDropped = try ManagedObjectModel {
            EntityDescription("Person", versionHashModifier: "3") { AttributeDescription("title", .string) }
        }
        #expect(try stage.migrate(to: identifierDropped)["Person/1"] == ["title": "string(\"Monk\")"])
        let renamedTwice = try ManagedObjectModel {
            EntityDescription("Person") { AttributeDescription("label", .string, renamingIdentifier: "title") }
        }
        #expect(try stage.migrate(to: renamedTwice)["Person/1"] == ["label": "string(\"Monk\")"])
        let renamedBack = try model()
        let lost = try stage.migrate(to: renamedBack, discarding: [.laterVersions, .property("Person", "label")])
        // "label" says that it was "title", and nothing says that "name" was either.
        #expect(lost["Person/1"] == ["name": "null"])
    }

    @Test func `two attributes swap their names`() throws {
        try writePeople(AttributeDescription("alias", .string, defaultValue: "A"))
        let swapped = try ManagedObjectModel {
            EntityDescription("Person", versionHashModifier: "swapped") {
                AttributeDescription("name", .string, renamingIdentifier: "alias")
                AttributeDescription("alias", .string, renamingIdentifier: "name")
            }
        }
        #expect(try stage.migrate(to: swapped)["Person/1"] == ["name": "string(\"A\")", "alias": "string(\"Monk\")"])
    }

    @Test func `an optional attribute becomes required with its default for those without a value`() throws {
        try writePeople()
        let contents = try stage.migrate(to: model(optional: false))
        #expect(contents["Person/1"] == ["name": "string(\"Monk\")"])
        #expect(contents["Person/2"] == ["name": "string(\"nobody\")"])
    }

    @Test func `a required attribute becomes optional`() throws {
        try stage.write(try model(optional: false)) { try $0.insert("Person", ["name": "Monk"]) }
        #expect(try stage.migrate(to: model())["Person/1"] == ["name": "string(\"Monk\")"])
    }

    @Test func `an attribute that becomes transient goes, one that becomes stored comes with its default`() throws {
        try writePeople(AttributeDescription("age", .integer16, isTransient: true))
        let swapped = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string, isTransient: true)
                AttributeDescription("age", .integer16, isOptional: false, defaultValue: 1)
            }
        }
        #expect(
            try stage.migrate(to: swapped, discarding: .property("Person", "name"))["Person/1"] == ["age": "int(1)"])
    }

    @Test func `another hash modifier alone keeps everything`() throws {
        try writePeople()
        #expect(try stage.migrate(to: model(hashModifier: "2"))["Person/1"] == ["name": "string(\"Monk\")"])
    }

    @Test func `data that may lie in files from now on stays what it is`() throws {
        let data = ManagedValue.data(Data([0, 1, 0, 255]))
        try stage.write(
            try ManagedObjectModel { EntityDescription("Photo") { AttributeDescription("data", .binary) } }
        ) {
            try $0.insert("Photo", ["data": data])
            try $0.insert("Photo")
        }
        let external = try ManagedObjectModel {
            EntityDescription("Photo") { AttributeDescription("data", .binary, allowsExternalBinaryDataStorage: true) }
        }
        _ = try stage.migrate(to: external)
        try stage.write(external) { context in
            let photos = try context.fetch(FetchRequest(entityName: "Photo"))
            #expect(try Set(photos.map { try $0.value(forKey: "data") }) == [data, .null])
        }
    }

    @Test func `elements of a composite attribute come and go`() throws {
        func model(_ elements: AttributeDescription...) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Place") { AttributeDescription("position", .composite, elements: elements) }
            }
        }
        try stage.write(
            try model(AttributeDescription("latitude", .double), AttributeDescription("longitude", .double))
        ) { try $0.insert("Place") }
        _ = try stage.migrate(
            to: model(AttributeDescription("height", .double), AttributeDescription("longitude", .double)))
    }

    @Test func `a new index and a new constraint hold for what is there`() throws {
        try writePeople()
        func indexed(
            _ modifier: String, _ indexes: [FetchIndexDescription], _ unique: [[String]]
        ) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription(
                    "Person", uniquenessConstraints: unique, indexes: indexes, versionHashModifier: modifier
                ) { AttributeDescription("name", .string) }
            }
        }
        let byName = FetchIndexDescription("byName", on: ["name"])
        for (offset, unique) in [[], [["name"]], []].enumerated() {
            _ = try stage.migrate(to: indexed("with \(offset)", [byName], unique))
            _ = try stage.migrate(to: indexed("without \(offset)", [], unique))
        }
    }
}
