import DataMonk
import Foundation
import Testing

/// Sources of entities and properties given by hand.
@Suite struct `Mappings by hand` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(_ name: String, _ attributes: AttributeDescription...) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription(name) { attributes.map { .attribute($0) } }
        }
    }

    private func person(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Person") { attributes.map { .attribute($0) } }
        }
    }

    private func write(_ values: [String: ManagedValue]...) throws {
        let old = try person(AttributeDescription("name", .string), AttributeDescription("age", .string))
        try stage.write(old) { context in
            for values in values { try context.insert("Person", values) }
        }
    }

    private func migrate(
        to model: ManagedObjectModel, _ mapping: [EntityMapping], discarding: DiscardableData = []
    ) throws -> GraphDump {
        try stage.open(model, mapping: mapping, discarding: discarding)
        return try stage.contents(model)
    }

    @Test func `a string becomes a required integer`() throws {
        try write(["name": "Monk", "age": "41"], ["age": "7"])
        let new = try person(
            AttributeDescription("name", .string), AttributeDescription("age", .integer16, isOptional: false))
        let contents = try migrate(to: new, [.transform("Person", [.converted("age")])])
        #expect(contents["Person/1"] == ["name": "string(\"Monk\")", "age": "int(41)"])
        #expect(contents["Person/2"] == ["name": "null", "age": "int(7)"])
    }

    @Test func `an entity that is transformed and has no source is refused`() throws {
        try write(["name": "Monk", "age": "41"])
        let new = try model("Guest", AttributeDescription("name", .string), AttributeDescription("age", .integer16))
        let before = try stage.bytes
        let error = try #require(throws: MigrationError.self) {
            _ = try migrate(to: new, [.transform("Guest", [.converted("age")])])
        }
        #expect(error.problems.contains { $0.kind == .invalidMapping && $0.entityName == "Guest" })
        #expect(try stage.bytes == before)
    }

    @Test func `an entity that is transformed may be younger than the store`() throws {
        try write(["name": "Monk", "age": "41"])
        let new = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("age", .string)
            }
            EntityDescription("Guest") { AttributeDescription("age", .integer16) }
        }
        #expect(try migrate(to: new, [.transform("Guest", [.converted("age")])]).objects.count == 1)
    }

    @Test func `dates just before a second, and texts that are no URL, are not changed by a conversion`() throws {
        let date = ManagedValue.date(Date(timeIntervalSinceReferenceDate: -1e-10))
        #expect(try ValueConversion.iso8601.value(date, as: .string) == "2001-01-01T00:00:00Z")
        let endless = ManagedValue.date(Date(timeIntervalSinceReferenceDate: .infinity))
        #expect(try ValueConversion.iso8601.value(endless, as: .string) == nil)
        #expect(try ValueConversion.standard.value("my file.txt", as: .uri) == nil)
        #expect(try ValueConversion.standard.value("https://a.b/c", as: .uri) != nil)
    }

    @Test func `what is named twice is refused`() throws {
        try write(["name": "Monk"])
        let new = try person(
            AttributeDescription("name", .string), AttributeDescription("age", .string),
            AttributeDescription("rank", .string))
        let before = try stage.bytes
        for mapping: [EntityMapping] in [
            [.transform("Person", [.constant("age", "1"), .renamed("age", from: "name")])],
            [.transform("Person", from: "Person", []), .add("Person")],
            [.remove("Person"), .transform("Person", from: "Person", [])],
        ] {
            let error = try #require(throws: MigrationError.self) { _ = try migrate(to: new, mapping) }
            #expect(error.problems.contains { $0.kind == .invalidMapping })
        }
        #expect(try stage.bytes == before)
    }

    @Test func `a closure that is cancelled cancels the migration`() throws {
        try write(["name": "Monk"])
        let new = try person(AttributeDescription("name", .string), AttributeDescription("age", .integer16))
        let before = try stage.bytes
        let error = try #require(throws: MigrationError.self) {
            _ = try migrate(
                to: new, [.transform("Person", [.computed("age", from: ["name"]) { _ in throw CancellationError() }])])
        }
        #expect(error.code == .cancelled)
        #expect(try stage.bytes == before)
    }

    @Test func `conversions lose nothing`() throws {
        let standard = ValueConversion.standard
        #expect(try standard.value("0x10", as: .decimal) == nil && standard.value("0x10", as: .double) == nil)
        #expect(try standard.value(.string(String(repeating: "1", count: 39)), as: .decimal) == nil)
        #expect(try standard.value(16_777_217, as: .float) == nil)
        #expect(try standard.value(16_777_216, as: .float) == .double(16_777_216))
        let long = try #require(Decimal(string: "0.12345678901234567891"))
        #expect(try standard.value(.decimal(long), as: .double) == nil)
        let date = ManagedValue.date(Date(timeIntervalSinceReferenceDate: 801_234_567.75))
        let text = try #require(try ValueConversion.iso8601.value(date, as: .string))
        #expect(try ValueConversion.iso8601.value(text, as: .date) == date)
    }

    @Test(arguments: ["forty", "70000", nil])
    func `a value that cannot be converted ends the migration`(_ age: String?) throws {
        try write(["age": "41"], ["age": age.map { .string($0) } ?? .null])
        let new = try person(
            AttributeDescription("name", .string), AttributeDescription("age", .integer16, isOptional: false))
        let before = try stage.bytes
        let error = try #require(throws: MigrationError.self) {
            _ = try migrate(to: new, [.transform("Person", [.converted("age")])])
        }
        #expect(error.code == .constraintViolation && error.problems.map(\.kind) == [.unconvertibleValue])
        #expect(error.entityName == "Person" && error.propertyName == "age" && error.storeURL == stage.url)
        #expect(error.message.contains("Person/p2") && !error.message.contains("forty"))
        #expect(try stage.bytes == before)
    }

    @Test func `a closure computes from values that are then gone`() throws {
        try write(["name": "Monk", "age": "41"], ["age": "7"])
        let new = try person(AttributeDescription("title", .string, isOptional: false))
        let title = PropertyMapping.computed("title", from: ["name", "age"]) { row in
            guard case .string(let age) = try row.value(forKey: "age") else { return .null }
            guard case .string(let name) = try row.value(forKey: "name") else { return .string(age) }
            return .string("\(name), \(age)")
        }
        let contents = try migrate(to: new, [.transform("Person", [title])])
        #expect(contents["Person/1"] == ["title": "string(\"Monk, 41\")"])
        #expect(contents["Person/2"] == ["title": "string(\"7\")"])
    }

    @Test func `a closure that reads what it has not listed is told`() throws {
        try write(["name": "Monk"])
        let new = try person(AttributeDescription("name", .string), AttributeDescription("age", .string))
        let newer = try person(AttributeDescription("name", .string), AttributeDescription("age", .integer64))
        let before = try stage.bytes
        let error = try #require(throws: MigrationError.self) {
            let age = PropertyMapping.computed("age", from: ["age"]) { try $0.value(forKey: "name") }
            _ = try migrate(to: newer, [.transform("Person", [age])])
        }
        #expect(error.code == .invalidMapping && error.message.contains("\"name\""))
        #expect(try stage.bytes == before)
        #expect(try stage.contents(new)["Person/1"] == ["name": "string(\"Monk\")", "age": "null"])
    }

    @Test func `an entity and an attribute had other names`() throws {
        try write(["name": "Monk", "age": "41"])
        let new = try model(
            "Guest", AttributeDescription("fullName", .string), AttributeDescription("age", .string),
            AttributeDescription("rank", .double, isOptional: false))
        let contents = try migrate(
            to: new,
            [.transform("Guest", from: "Person", [.renamed("fullName", from: "name"), .constant("rank", 2)])])
        let guest = contents["Guest/1"]
        #expect(guest == ["fullName": "string(\"Monk\")", "age": "string(\"41\")", "rank": "double(2.0)"])
    }

    @Test func `an entity is replaced by another one of its name`() throws {
        try write(["name": "Monk"])
        let new = try person(AttributeDescription("name", .string))
        let error = try #require(throws: MigrationError.self) { _ = try migrate(to: new, [.add("Person")]) }
        #expect(error.code == .wouldDiscard)
        let contents = try migrate(to: new, [.remove("Person"), .add("Person")])
        #expect(contents["Person/1"].isEmpty)
    }

    @Test func `a mapping says only what it names`() throws {
        try write(["name": "Monk", "age": "41"])
        let old = try person(AttributeDescription("name", .string), AttributeDescription("age", .string))
        let other = try person(AttributeDescription("name", .string))
        let error = try #require(throws: MigrationError.self) {
            _ = try migrate(to: other, [.transform("Person", [.constant("name", "nobody")])])
        }
        #expect(error.code == .wouldDiscard && error.problems.map(\.propertyName) == ["name", "age"])
        #expect(try stage.contents(old)["Person/1"]["name"] == "string(\"Monk\")")
    }

    @Test func `unknown names are refused`() throws {
        try write(["name": "Monk"])
        let new = try person(AttributeDescription("name", .string), AttributeDescription("age", .integer64))
        let before = try stage.bytes
        let error = try #require(throws: MigrationError.self) {
            _ = try migrate(
                to: new,
                [
                    .transform("Persona", []), .remove("Robot"),
                    .transform("Person", from: "Human", [.constant("nam", "Monk"), .converted("age", from: "years")]),
                ])
        }
        #expect(error.code == .notInferable && error.problems.filter { $0.kind == .invalidMapping }.count >= 4)
        #expect(try stage.bytes == before)
    }

    @Test func `sub-entities share the mapping of their superentity`() throws {
        func model(_ type: AttributeType) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Person") { AttributeDescription("age", type) }
                EntityDescription("Guest", superentityName: "Person") { AttributeDescription("room", .string) }
            }
        }
        try stage.write(model(.string)) { context in
            try context.insert("Person", ["age": "41"])
            try context.insert("Guest", ["age": "7", "room": "3"])
        }
        let contents = try migrate(to: model(.double), [.transform("Person", [.converted("age")])])
        #expect(contents["Person/1"]["age"] == "double(41.0)")
        #expect(contents["Guest/2"] == ["age": "double(7.0)", "room": "string(\"3\")"])
    }

    @Test(arguments: [
        ("29.02.2024", true), ("30.02.2024", false), ("1.3.2024", false), ("01.03.24", false), ("", false),
    ])
    func `strings become dates by their format, if nothing of them is lost`(text: String, isDate: Bool) throws {
        try write(["age": .string(text)])
        let new = try person(AttributeDescription("name", .string), AttributeDescription("age", .date))
        let mapping = EntityMapping.transform("Person", [.converted("age", by: .dates(format: "dd.MM.yyyy"))])
        guard isDate else {
            let error = try #require(throws: MigrationError.self) { try migrate(to: new, [mapping]) }
            #expect(error.problems.map(\.kind) == [.unconvertibleValue])
            return
        }
        #expect(try migrate(to: new, [mapping])["Person/1"]["age"]?.contains("2024-02-29 00:00:00") == true)
    }

    @Test func `the default conversion loses nothing`() throws {
        let conversion = ValueConversion.standard
        #expect(try conversion.value(2.5, as: .integer64) == nil)
        #expect(try conversion.value(2.0, as: .integer64) == 2)
        #expect(try conversion.value(.int(.max), as: .double) == nil)
        #expect(try conversion.value("1e3", as: .double) == 1000.0)
        #expect(try conversion.value("monk", as: .decimal) == nil)
        #expect(try conversion.value(true, as: .string) == "1")
        #expect(try conversion.value(.null, as: .uuid) == .null)
        #expect(
            try ValueConversion.iso8601.value("2001-01-01T00:00:07Z", as: .date)
                == .date(Date(timeIntervalSinceReferenceDate: 7)))
    }
}
