import DataMonk
import Foundation
import Testing

/// Values of a unique attribute that a migration changes.
@Suite struct `Migrating unique values` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(_ attributes: AttributeDescription..., version: String? = nil) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Person", uniquenessConstraints: [["name"]], versionHashModifier: version) {
                attributes.map { .attribute($0) }
            }
        }
    }

    @Test func `equal values by a default are named, and the store is left as it was`() throws {
        try stage.write(try model(AttributeDescription("name", .string))) { context in
            for name in [ManagedValue.null, .null, "Monk"] { try context.insert("Person", ["name": name]) }
        }
        let required = AttributeDescription("name", .string, isOptional: false, defaultValue: "nobody")
        let error = try stage.refusal(try model(required))
        #expect(error.code == .constraintViolation, "\(error)")
        #expect(error.problems.map(\.kind) == [.duplicateValues])
        #expect(error.entityName == "Person" && error.propertyName == "name")
    }

    @Test func `a constraint whose index is numbered is named`() throws {
        func model(_ constraints: [[String]], version: String) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Person", uniquenessConstraints: constraints, versionHashModifier: version) {
                    for name in ["a", "b", "a_b"] { AttributeDescription(name, .string) }
                }
            }
        }
        try stage.write(try model([["a_b"]], version: "1")) { context in
            for _ in 0..<2 { try context.insert("Person", ["a": "x", "b": "x"]) }
        }
        // Both indexes would be named Z_Person_UNIQUE_a_b.
        let error = try stage.refusal(try model([["a_b"], ["a", "b"]], version: "2"))
        #expect(error.problems.map(\.kind) == [.duplicateValues])
        #expect(error.entityName == "Person" && error.propertyName == "a, b")
    }

    @Test func `one object without a value gets the default`() throws {
        try stage.write(try model(AttributeDescription("name", .string))) { context in
            for name in [ManagedValue.null, "Monk"] { try context.insert("Person", ["name": name]) }
        }
        let required = AttributeDescription("name", .string, isOptional: false, defaultValue: "nobody")
        let contents = try stage.migrate(to: try model(required))
        #expect(contents["Person/1"]["name"] == "string(\"nobody\")")
        #expect(contents["Person/2"]["name"] == "string(\"Monk\")")
    }

    @Test func `two attributes change places`() throws {
        let (name, alias) = (AttributeDescription("name", .string), AttributeDescription("alias", .string))
        try stage.write(try model(name, alias)) { context in
            try context.insert("Person", ["name": "a", "alias": "b"])
            try context.insert("Person", ["name": "b", "alias": "a"])
        }
        let contents = try stage.migrate(
            to: try model(
                AttributeDescription("name", .string, renamingIdentifier: "alias"),
                AttributeDescription("alias", .string, renamingIdentifier: "name"), version: "2"))
        #expect(contents["Person/1"] == ["name": "string(\"b\")", "alias": "string(\"a\")"])
        #expect(contents["Person/2"] == ["name": "string(\"a\")", "alias": "string(\"b\")"])
    }

    @Test func `a derived value is derived in another way`() throws {
        func model(_ source: String) throws -> ManagedObjectModel {
            try self.model(
                AttributeDescription("name", .string, derivationExpression: "canonical:(\(source))"),
                AttributeDescription("first", .string), AttributeDescription("second", .string))
        }
        try stage.write(try model("first")) { context in
            try context.insert("Person", ["first": "a", "second": "b"])
            try context.insert("Person", ["first": "b", "second": "a"])
        }
        let contents = try stage.migrate(to: try model("second"))
        #expect(contents["Person/1"]["name"] == "string(\"b\")" && contents["Person/2"]["name"] == "string(\"a\")")
    }
}
