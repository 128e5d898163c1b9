import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// Changes that cannot be inferred, stores that do not fit, and migrations that are stopped: the file stays as it is.
@Suite struct `Migrations that are refused` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private static func person(_ properties: PropertyDescription...) -> EntityDescription {
        EntityDescription("Person", properties: properties)
    }

    private func kinds(_ entities: EntityDescription...) throws -> [String] {
        let error = try stage.refusal(ManagedObjectModel(entities: entities))
        #expect(error.code == .notInferable)
        return error.problems.map {
            [$0.entityName, $0.propertyName, $0.kind.rawValue].compactMap(\.self).joined(separator: ".")
        }
    }

    @Test func `every change that cannot be inferred is named at once`() throws {
        try stage.write(
            try ManagedObjectModel {
                Self.person(
                    .attribute(AttributeDescription("age", .integer16)),
                    .attribute(AttributeDescription("name", .string)),
                    .attribute(AttributeDescription("home", .string)),
                    .relationship(RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)))
            }
        ) { try $0.insert("Person") }
        let found = try kinds(
            Self.person(
                .attribute(AttributeDescription("age", .string)),
                .attribute(AttributeDescription("name", .string, isOptional: false)),
                .relationship(RelationshipDescription("home", to: "Person")),
                .relationship(RelationshipDescription("friends", to: "Person", inverse: "friends")),
                .attribute(AttributeDescription("email", .string, isOptional: false))))
        #expect(
            found == [
                "Person.age.changedType", "Person.name.missingDefault", "Person.home.changedKind",
                "Person.friends.changedCardinality", "Person.email.missingDefault",
            ])
    }

    @Test(.scenario("scn/migration/001")) func `hierarchies do not merge`() throws {
        try stage.write(
            try ManagedObjectModel {
                EntityDescription("Cat", properties: [])
                EntityDescription("Dog", properties: [])
            }
        ) { try $0.insert("Cat") }
        let found = try kinds(
            EntityDescription("Animal", properties: []),
            EntityDescription("Cat", superentityName: "Animal", properties: []),
            EntityDescription("Dog", superentityName: "Animal", properties: []))
        #expect(found == ["Animal.mergedHierarchies"])
    }

    @Test func `one name does not become two`() throws {
        try stage.write(
            try ManagedObjectModel { Self.person(.attribute(AttributeDescription("name", .string))) }
        ) { try $0.insert("Person") }
        let found = try kinds(
            Self.person(
                .attribute(AttributeDescription("first", .string, renamingIdentifier: "name")),
                .attribute(AttributeDescription("last", .string, renamingIdentifier: "name"))))
        #expect(found == ["Person.last.ambiguousRenaming"])
    }

    @Test func `relationships that were not inverse do not become so`() throws {
        func people(_ inverse: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Person") {
                    RelationshipDescription("leader", to: "Person", inverse: inverse ? "team" : nil)
                    RelationshipDescription("team", to: "Person", inverse: inverse ? "leader" : nil, isToMany: true)
                }
            }
        }
        try stage.write(try people(false)) { try $0.insert("Person") }
        let error = try stage.refusal(people(true))
        #expect(error.problems.map(\.kind).contains(.changedInverse))
        #expect(Set(error.problems.compactMap(\.propertyName)) == ["leader", "team"])
    }

    @Test func `data in files does not move into the store`() throws {
        func photo(_ external: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Photo") {
                    AttributeDescription("data", .binary, allowsExternalBinaryDataStorage: external)
                }
            }
        }
        try stage.write(try photo(true)) { try $0.insert("Photo") }
        #expect(try stage.refusal(photo(false)).problems.map(\.kind) == [.changedStorage])
    }

    @Test func `values that must be unique now are not thrown away`() throws {
        func model(_ unique: [[String]]) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Person", uniquenessConstraints: unique) {
                    AttributeDescription("name", .string)
                    AttributeDescription("email", .string)
                }
            }
        }
        try stage.write(try model([])) { context in
            for _ in 0..<2 { try context.insert("Person", ["name": "n", "email": "e"]) }
        }
        let error = try stage.refusal(model([["name"], ["email", "name"]]))
        #expect(error.code == .constraintViolation)
        #expect(error.problems.map(\.propertyName) == ["name", "email, name"])
        #expect(error.problems.allSatisfy { $0.kind == .duplicateValues && $0.entityName == "Person" })
        #expect(!error.message.contains("\"n\""))
    }

    @Test func `a store of an entity that the model gives to another configuration is left alone`() throws {
        func model(_ members: [String], _ modifier: String) throws -> ManagedObjectModel {
            try ManagedObjectModel(configurations: ["here": members]) {
                EntityDescription("Note", versionHashModifier: modifier) { AttributeDescription("text", .string) }
                EntityDescription("Draft") { AttributeDescription("text", .string) }
            }
        }
        try stage.write(try model(["Note", "Draft"], "1"), configuration: "here") { try $0.insert("Draft") }
        let error = try #require(throws: MigrationError.self) {
            try stage.contents(model(["Note"], "2"), configuration: "here")
        }
        #expect(error.problems.map(\.kind) == [.movedToOtherStore] && error.entityName == "Draft")
        _ = try stage.migrate(to: model(["Note", "Draft"], "2"), configuration: "here")
    }

    // MARK: Options

    private func note(_ attribute: String) throws -> ManagedObjectModel {
        try ManagedObjectModel { EntityDescription("Note") { AttributeDescription(attribute, .string) } }
    }

    @Test func `without autoMigrating the difference is told, with the remedy`() throws {
        try stage.write(try note("text")) { try $0.insert("Note", ["text": "kept"]) }
        let before = try stage.bytes
        let stack = Stack(model: try note("title"))
        let error = try #require(throws: StoreError.self) {
            try stack.addDatabaseStore(fileURL: stage.url, autoMigrating: false)
        }
        #expect(error.code == .incompatibleVersionHash && error.code.rawValue == 134_100)
        #expect(error.message.contains("Note") && error.message.contains("autoMigrating"))
        #expect(try stage.bytes == before)
    }

    @Test func `resetOnFailure puts aside what cannot be migrated, and migrates what can`() throws {
        try stage.write(try note("text")) { try $0.insert("Note", ["text": "kept"]) }
        let optional = Stack(model: try note("title"))
        try optional.addDatabaseStore(
            fileURL: stage.url, discarding: .property("Note", "text"), resetOnFailure: true)
        #expect(try GraphDump(optional).objects == ["Note/1": ["title": "null"]])
        try optional.close()
        #expect(try stage.files == ["store.sqlite"])
        let required = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Note") { AttributeDescription("owner", .string, isOptional: false) }
            })
        try required.addDatabaseStore(fileURL: stage.url, resetOnFailure: true)
        #expect(try GraphDump(required).objects.isEmpty)
        try required.close()
        let aside = try #require(try stage.files.first { $0 != "store.sqlite" })
        #expect(aside.hasPrefix("store.") && Int(aside.dropFirst(6)) != nil)
        #expect(try stage.files == ["store.sqlite", aside].sorted())
    }

    @Test func `resetOnFailure keeps a store whose new values by hand do not fit`() throws {
        try stage.write(try note("text")) { context in
            for _ in 0..<2 { try context.insert("Note", ["text": "kept"]) }
        }
        let before = try stage.bytes
        let new = try ManagedObjectModel {
            EntityDescription("Note", uniquenessConstraints: [["text"]]) { AttributeDescription("text", .string) }
        }
        let mapping = EntityMapping.transform("Note", [.constant("text", "x")])
        let error = try #require(throws: MigrationError.self) {
            try Stack(model: new).addDatabaseStore(
                fileURL: stage.url, stages: StagedMigration(from: note("text"), [.custom(to: new, mapping: [mapping])]),
                discarding: .property("Note", "text"), resetOnFailure: true)
        }
        #expect(error.code == .constraintViolation)
        #expect(try stage.bytes == before && stage.files == ["store.sqlite"])
    }

    @Test func `a store without its model is migrated with one that the application has, if one fits`() throws {
        try stage.write(try note("text")) { try $0.insert("Note", ["text": "kept"]) }
        let connection = try SQLiteConnection(fileURL: stage.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute("DROP TABLE Z_MODELCACHE")
        try connection.close()
        let new = try ManagedObjectModel {
            EntityDescription("Note") { AttributeDescription("title", .string, renamingIdentifier: "text") }
        }
        let error = try stage.refusal(new)
        #expect(error.code == .missingSourceModel && error.message.contains("Note"))
        let stack = Stack(model: new, earlierModels: [try note("other"), try note("text")])
        try stack.addDatabaseStore(fileURL: stage.url)
        #expect(try GraphDump(stack)["Note/1"] == ["title": "string(\"kept\")"])
        try stack.close()
    }

    // MARK: Stopped

    @Test func `an observer hears of each step, and stops the migration by throwing`() throws {
        struct Enough: Error {}
        try stage.write(try note("text")) { context in
            for _ in 0..<10 { try context.insert("Note", ["text": "kept"]) }
        }
        let before = try stage.contents(note("text"))
        let bytes = try stage.bytes
        let new = try ManagedObjectModel {
            EntityDescription("Album", properties: [])
            EntityDescription("Note") { AttributeDescription("text", .string) }
        }
        let steps = Locked<[MigrationProgress]>([])
        let error = try #require(throws: MigrationError.self) {
            try Stack(model: new).addDatabaseStore(fileURL: stage.url) { progress in
                steps.withLock { $0.append(progress) }
                if progress.fractionCompleted > 0.5 { throw Enough() }
            }
        }
        #expect(error.code == .cancelled && error.code.rawValue == 134_120 && error.underlyingError is Enough)
        #expect(try stage.bytes == bytes)
        #expect(try stage.contents(note("text")) == before)
        let stopped = steps.withLock { $0.count }
        let stack = Stack(model: new)
        try stack.addDatabaseStore(fileURL: stage.url) { progress in steps.withLock { $0.append(progress) } }
        #expect(try GraphDump(stack) == before)
        try stack.close()
        let all = steps.withLock { $0.dropFirst(stopped) }
        #expect(all.map(\.completedUnitCount) == all.map(\.completedUnitCount).sorted())
        #expect(all.first?.fractionCompleted == 0 && all.last?.fractionCompleted == 1)
        #expect(all.contains { $0.entityName == "Note" } && all.allSatisfy { $0.storeURL == stage.url })
    }

    @Test func `the cancellation of the calling task stops the migration`() async throws {
        try stage.write(try note("text")) { try $0.insert("Note") }
        let bytes = try stage.bytes
        let (url, new) = (stage.url, try note("title"))
        let error = await #expect(throws: MigrationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try Stack(model: new).addDatabaseStore(fileURL: url, resetOnFailure: true)
            }.value
        }
        #expect(error?.code == .cancelled)
        #expect(try stage.bytes == bytes)
        #expect(try stage.files == ["store.sqlite"])
    }

    @Test(.scenario("scn/migration/003")) func `a store that somebody else has open is not migrated`() throws {
        try stage.write(try note("text")) { try $0.insert("Note", ["text": "kept"]) }
        let other = Stack(model: try note("text"))
        try other.addDatabaseStore(fileURL: stage.url)
        let error = try #require(throws: StoreError.self) {
            try Stack(model: try note("title")).addDatabaseStore(fileURL: stage.url, resetOnFailure: true)
        }
        #expect(error.code == .locked)
        #expect(try GraphDump(other)["Note/1"] == ["text": "string(\"kept\")"])
        try other.close()
        _ = try stage.migrate(to: note("title"), discarding: .property("Note", "text"))
    }
}
