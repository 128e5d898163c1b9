import DataMonk
import DataMonkCore
import Foundation
import Testing

/// Migrations over a list of versions.
@Suite struct `Staged migrations` {
    private let stage: MigrationStage
    private let models: [ManagedObjectModel]

    init() throws {
        stage = try MigrationStage()
        models = try [
            ("age", AttributeType.string), ("years", .string), ("years", .integer32), ("years", .double),
        ].map { name, type in
            try ManagedObjectModel {
                EntityDescription("Person") {
                    AttributeDescription("name", .string)
                    AttributeDescription(name, type, renamingIdentifier: name == "years" ? "age" : nil)
                }
            }
        }
    }

    private var conversion: [EntityMapping] { [.transform("Person", [.converted("years")])] }

    private var migration: StagedMigration {
        StagedMigration(
            from: models[0],
            [
                .lightweight(to: models[1]), .custom(to: models[2], mapping: conversion),
                .custom(to: models[3], mapping: conversion),
            ])
    }

    private func write(_ version: Int, _ age: ManagedValue) throws {
        try stage.write(models[version]) { context in
            try context.insert("Person", ["name": "Monk", version == 0 ? "age" : "years": age])
        }
    }

    @Test func `a store of an unknown version loses nothing on the way without permission`() throws {
        let unknown = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("age", .string)
                AttributeDescription("rank", .string)
            }
        }
        let middle = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("rank", .string)
            }
        }
        try stage.write(unknown) { try $0.insert("Person", ["name": "Monk", "rank": "abbot"]) }
        let stages = StagedMigration([.lightweight(to: middle), .lightweight(to: models[0])])
        let before = try stage.bytes
        let error = try #require(throws: MigrationError.self) { try stage.open(models[0], stages: stages) }
        #expect(error.code == .wouldDiscard && error.problems.map(\.propertyName) == ["rank"])
        #expect(try stage.bytes == before)
        try stage.open(models[0], stages: stages, discarding: .property("Person", "rank"))
        #expect(try stage.contents(models[0])["Person/1"]["name"] == "string(\"Monk\")")
    }

    @Test(arguments: [0, 1]) func `a configuration may come with a later version`(first: Int) throws {
        try write(first, "41")
        let last = try ManagedObjectModel(configurations: ["Local": ["Person"]]) {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("years", .integer32)
            }
        }
        let stages = StagedMigration(
            from: models[0], [.lightweight(to: models[1]), .custom(to: last, mapping: conversion)])
        let stack = Stack(model: last)
        try stack.addDatabaseStore(fileURL: stage.url, configuration: "Local", stages: stages, synchronous: .normal)
        try stack.close()
        let contents = try stage.contents(last, configuration: "Local")
        #expect(contents["Person/1"] == ["name": "string(\"Monk\")", "years": "int(41)"])
    }

    @Test(arguments: [(0, "41"), (1, "41"), (2, 41), (3, 41.0)] as [(Int, ManagedValue)])
    func `a store of each version passes the stages that follow`(_ version: Int, _ age: ManagedValue) throws {
        try write(version, age)
        try stage.open(models[3], stages: migration)
        #expect(try stage.contents(models[3])["Person/1"] == ["name": "string(\"Monk\")", "years": "double(41.0)"])
        let fresh = try MigrationStage()
        _ = try fresh.contents(models[3])
        #expect(try StoreShape(stage.url).differences(from: StoreShape(fresh.url)).isEmpty)
    }

    @Test func `a failure in a later stage leaves the first version`() throws {
        try write(0, "forty")
        let before = try stage.bytes
        let error = try #require(throws: MigrationError.self) { try stage.open(models[3], stages: migration) }
        #expect(error.problems.map(\.kind) == [.unconvertibleValue])
        #expect(try stage.bytes == before)
        #expect(try stage.contents(models[0])["Person/1"]["age"] == "string(\"forty\")")
    }

    @Test func `programs of all earlier versions are refused afterwards`() throws {
        try write(0, "41")
        try stage.open(models[3], stages: migration)
        for model in models.dropLast() {
            let error = try stage.refusal(model, discarding: [])
            #expect(error.code == .newerStore)
        }
    }

    @Test func `stages must lead to the model, and to each version once`() throws {
        try write(0, "41")
        let before = try stage.bytes
        let lists = [
            StagedMigration([]), StagedMigration(from: models[0], [.lightweight(to: models[1])]),
            StagedMigration(from: models[3], [.lightweight(to: models[3])]),
            StagedMigration([.lightweight(to: models[1]), .lightweight(to: models[1]), .lightweight(to: models[3])]),
        ]
        for stages in lists {
            let error = try #require(throws: MigrationError.self) { try stage.open(models[3], stages: stages) }
            #expect(error.code == .invalidStages)
        }
        #expect(try stage.bytes == before)
    }

    @Test func `a store of a version that is not listed is refused`() throws {
        try write(0, "41")
        let before = try stage.bytes
        let stages = StagedMigration(from: models[1], [.custom(to: models[2], mapping: conversion)])
        let error = try #require(throws: MigrationError.self) { try stage.open(models[2], stages: stages) }
        #expect(error.code == .missingMapping)
        #expect(try stage.bytes == before)
    }

    @Test(arguments: [false, true])
    func `a mapping is not applied to a store of a version that is not listed`(isListed: Bool) throws {
        func model(_ attributes: String...) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Item", versionHashModifier: attributes.joined()) {
                    attributes.map { .attribute(AttributeDescription($0, .integer32)) }
                }
            }
        }
        // Cents since the second version; the store was made by a program of the third.
        let (second, third) = (try model("price", "stock"), try model("price", "stock", "weight"))
        try stage.write(third) { try $0.insert("Item", ["price": 300]) }
        let before = try stage.bytes
        let cents = PropertyMapping.computed("price", from: ["price"]) { row in
            guard case .int(let price) = try row.value(forKey: "price") else { return .null }
            return .int(100 * price)
        }
        let stages = StagedMigration(
            from: isListed ? try model("price") : nil, [.custom(to: second, mapping: [.transform("Item", [cents])])])
        let error = try #require(throws: MigrationError.self) { try stage.open(second, stages: stages) }
        #expect(error.code == (isListed ? .missingMapping : .invalidStages), "\(error)")
        #expect(try stage.bytes == before)
    }

    @Test func `a stage may discard only what is permitted`() throws {
        try write(0, "41")
        let bare = try ManagedObjectModel { EntityDescription("Person") { AttributeDescription("name", .string) } }
        let before = try stage.bytes
        let stages = StagedMigration(
            from: models[0], [.custom(to: models[1], mapping: []), .lightweight(to: bare)])
        // The application describes the store's version, and those of the stages.
        try stage.open(bare, stages: stages)
        try stage.restore(before)
        let error = try #require(throws: MigrationError.self) {
            try stage.open(bare, stages: StagedMigration([.lightweight(to: bare)]))
        }
        #expect(error.code == .wouldDiscard)
        #expect(try stage.bytes == before)
    }

    // MARK: Names

    private func model(of entities: (name: String, old: String?)...) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            entities.map { name, old in
                EntityDescription(name, renamingIdentifier: old) {
                    AttributeDescription(old == nil ? "text" : "note", .string, renamingIdentifier: "text")
                }
            } + [EntityDescription("Guest", properties: [])]
        }
    }

    @Test func `what may be discarded has its name in the store, though a stage has renamed it`() throws {
        let (first, second) = (try model(of: ("Visit", nil)), try model(of: ("Trip", "Visit")))
        let third = try model()
        try stage.write(first) { try $0.insert("Visit", ["text": "one"]) }
        let before = try stage.bytes
        let stages = StagedMigration([.lightweight(to: second), .lightweight(to: third)])
        let error = try #require(throws: MigrationError.self) {
            try stage.open(third, stages: stages, discarding: .entity("Trip"))
        }
        #expect(error.code == .wouldDiscard && error.entityName == "Visit", "\(error)")
        #expect(error.message.contains(".entity(\"Visit\")"))
        #expect(try stage.bytes == before)
        try stage.open(third, stages: stages, discarding: .entity("Visit"))
        #expect(try stage.contents(third).objects.isEmpty)
    }

    @Test func `what may be discarded is not what has its name only in a later version`() async throws {
        let first = try model(of: ("Log", nil), ("Journal", nil))
        let (second, third) = (try model(of: ("Log", "Journal")), try model())
        try stage.write(first) { context in
            try context.insert("Log", ["text": "one"])
            for _ in 0..<2 { try context.insert("Journal", ["text": "two"]) }
        }
        let before = try stage.bytes
        let stages = StagedMigration([.lightweight(to: second), .lightweight(to: third)])
        let store = StoreDescription.database(fileURL: stage.url, stages: stages, discarding: .entity("Log"))
        let plan = try await Stack(model: third).migrationPlan(for: store)
        #expect(plan.discards.map(\.problem.entityName) == ["Log", "Journal"])
        #expect(plan.discards.map(\.isPermitted) == [true, false])
        let error = try #require(throws: MigrationError.self) {
            try stage.open(third, stages: stages, discarding: .entity("Log"))
        }
        #expect(error.problems.map(\.entityName) == ["Journal"] && error.problems.map(\.count) == [2], "\(error)")
        #expect(try stage.bytes == before)
    }

    @Test func `a value may be discarded by the name of its attribute in the store`() throws {
        let (first, second) = (try model(of: ("Visit", nil)), try model(of: ("Trip", "Visit")))
        let third = try ManagedObjectModel {
            EntityDescription("Trip", properties: [])
            EntityDescription("Guest", properties: [])
        }
        try stage.write(first) { try $0.insert("Visit", ["text": "one"]) }
        let stages = StagedMigration([.lightweight(to: second), .lightweight(to: third)])
        let error = try #require(throws: MigrationError.self) { try stage.open(third, stages: stages) }
        #expect(error.entityName == "Visit" && error.propertyName == "text", "\(error)")
        try stage.open(third, stages: stages, discarding: .property("Visit", "text"))
        #expect(try stage.contents(third)["Trip/1"].isEmpty)
    }

    @Test(arguments: [0, 1]) func `a store passes by the code of stages that change other stores alone`(_ start: Int)
        throws
    {
        let models = try [(0, 0), (1, 0), (1, 1)].map { books, logs in
            try ManagedObjectModel(configurations: ["Books": ["Book"], "Logs": ["Log"]]) {
                EntityDescription("Book") {
                    AttributeDescription("title", .string)
                    if books == 1 { AttributeDescription("pages", .integer32) }
                }
                EntityDescription("Log") {
                    AttributeDescription("text", .string)
                    if logs == 1 { AttributeDescription("date", .date) }
                }
            }
        }
        let runs = Locked<[Int]>([])
        let stages = StagedMigration(
            from: models[0],
            [1, 2].map { version in
                .custom(to: models[version], didMigrate: { _ in runs.withLock { $0.append(version) } })
            })
        for (configuration, entity, attribute) in [("Books", "Book", "title"), ("Logs", "Log", "text")] {
            let store = try MigrationStage()
            try store.write(models[start], configuration: configuration) { try $0.insert(entity, [attribute: "one"]) }
            let stack = Stack(model: models[2])
            try stack.addDatabaseStore(fileURL: store.url, configuration: configuration, stages: stages)
            try stack.close()
        }
        #expect(runs.withLock { $0 } == (start == 0 ? [1, 2] : [2]))
    }
}
