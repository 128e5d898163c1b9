import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// The plan of a migration, which an application shows before it opens a store.
@Suite struct `Plans of migrations` {
    private let stage: MigrationStage
    private let old: ManagedObjectModel
    private let new: ManagedObjectModel

    init() throws {
        stage = try MigrationStage()
        old = try ManagedObjectModel {
            EntityDescription("Guest") {
                AttributeDescription("name", .string)
                AttributeDescription("rank", .string)
                AttributeDescription("age", .string)
            }
            EntityDescription("Visit") { AttributeDescription("day", .date) }
        }
        new = try ManagedObjectModel {
            EntityDescription("Guest") {
                AttributeDescription("fullName", .string, renamingIdentifier: "name")
                AttributeDescription("age", .string)
                AttributeDescription("email", .string)
            }
            EntityDescription("Room") { AttributeDescription("number", .integer16) }
        }
        try stage.write(old) { context in
            for number in 0..<3 {
                try context.insert("Guest", ["name": "Monk", "rank": "abbot", "age": .string("\(number)")])
            }
            try context.insert("Visit", ["day": .date(.now)])
        }
    }

    private func plan(
        _ model: ManagedObjectModel, stages: StagedMigration? = nil, discarding: DiscardableData = []
    ) async throws -> MigrationPlan {
        let before = try (stage.bytes, stage.files)
        let stack = Stack(model: model)
        let plan = try await stack.migrationPlan(
            for: .database(fileURL: stage.url, stages: stages, discarding: discarding))
        #expect(try (stage.bytes, stage.files) == before, "A plan changes nothing.")
        return plan
    }

    @Test func `lists steps, rows and what would be discarded`() async throws {
        let plan = try await plan(new)
        #expect(
            plan.steps.map(\.description) == [
                "Rename Guest.name to fullName", "Add Guest.email", "Add the entity Room", "Remove Guest.rank",
                "Remove the entity Visit", "Copy the objects of Guest: 3 rows",
            ])
        #expect(plan.discards.map(\.problem.count) == [1, 3])
        #expect(plan.discards.map(\.problem.kind) == [.discardedObjects, .discardedValues])
        #expect(plan.isRefused && plan.discards.allSatisfy { !$0.isPermitted })
        #expect(plan.storeURL == stage.url)
        #expect(try plan.storeByteCount == Int64(stage.bytes.count))
        #expect(plan.requiredByteCount >= 8_192, "A copy of the table, in the file and in the log.")
        // What the plan says is what the migration does.
        let refusal = try stage.refusal(new)
        #expect(refusal.problems == plan.discards.map(\.problem))
    }

    @Test func `tells what is permitted`() async throws {
        let plan = try await plan(new, discarding: [.entity("Visit"), .property("Guest", "rank")])
        #expect(!plan.isRefused && plan.discards.count == 2)
        #expect(try await self.plan(new, discarding: .entity("Visit")).isRefused)
        let described = Stack(model: new, earlierModels: [old])
        #expect(try await !described.migrationPlan(for: .database(fileURL: stage.url)).isRefused)
    }

    @Test func `is empty for a store of this version`() async throws {
        let plan = try await plan(old)
        #expect(plan.isEmpty && plan.steps.isEmpty && plan.requiredByteCount == 0)
    }

    @Test func `carries out the stages before the last in a copy`() async throws {
        let middle = try ManagedObjectModel {
            EntityDescription("Guest") {
                AttributeDescription("name", .string)
                AttributeDescription("rank", .string)
                AttributeDescription("age", .integer32)
            }
        }
        let last = try ManagedObjectModel {
            EntityDescription("Guest") {
                AttributeDescription("name", .string)
                AttributeDescription("age", .integer32)
            }
        }
        let convert = EntityMapping.transform("Guest", [.converted("age")])
        let stages = StagedMigration(
            from: old, [.custom(to: middle, mapping: [convert, .remove("Visit")]), .lightweight(to: last)])
        let plan = try await plan(last, stages: stages)
        #expect(plan.stages.map { $0.discards.map(\.problem.kind) } == [[.discardedObjects], [.discardedValues]])
        #expect(plan.discards.map(\.isPermitted) == [true, true])
        #expect(plan.stages[0].steps.map(\.description).contains("Compute Guest.age"))
        #expect(plan.stages[1].steps.map(\.description).contains("Copy the objects of Guest: 3 rows"))
    }

    @Test func `throws what would keep the store from being migrated`() async throws {
        let changed = try ManagedObjectModel { EntityDescription("Guest") { AttributeDescription("name", .date) } }
        let error = try await #require(throws: MigrationError.self) { try await plan(changed) }
        #expect(error.code == .notInferable && error.storeURL == stage.url)
        let other = await #expect(throws: StoreError.self) {
            try await Stack(model: old).migrationPlan(for: .inMemory())
        }
        #expect(other?.code == .unsupportedRequest)
    }

    @Test(arguments: [false, true]) func `is empty where opening makes a store`(hasFile: Bool) async throws {
        let url = stage.url.appendingPathExtension("none")
        if hasFile { try Data().write(to: url) }
        #expect(try await Stack(model: old).migrationPlan(for: .database(fileURL: url)).isEmpty)
        #expect(FileManager.default.fileExists(atPath: url.path) == hasFile)
    }

    @Test(arguments: [
        "ALTER TABLE ZGUEST RENAME COLUMN ZRANK TO ZGONE", "DELETE FROM Z_PRIMARYKEY",
        "CREATE TRIGGER strange AFTER INSERT ON ZGUEST BEGIN DELETE FROM ZVISIT; END",
    ])
    func `throws what opening would, of a damaged store of either version`(statement: String) async throws {
        let connection = try SQLiteConnection(fileURL: stage.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute(statement)
        try connection.close()
        for model in [old, new] {
            let store = StoreDescription.database(fileURL: stage.url, discarding: .everything)
            let planned = try await #require(throws: (any Error).self) {
                _ = try await Stack(model: model).migrationPlan(for: store)
            }
            let opened = try await #require(throws: (any Error).self) { try await Stack(model: model).addStore(store) }
            #expect("\(planned)" == "\(opened)")
        }
    }

    @Test func `counts while another stack writes`() async throws {
        let writing = Stack(model: old)
        try writing.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: writing.coordinator)
        try context.insert("Guest", ["rank": "novice"])
        try context.save()
        context.endTurn()
        let plan = try await Stack(model: new).migrationPlan(for: .database(fileURL: stage.url))
        #expect(plan.discards.map(\.problem.count) == [1, 4])
        try writing.close()
    }

    @Test func `the space that it needs is enough`() async throws {
        let large = String(repeating: "x", count: 2_000)
        try stage.write(old) { context in
            for _ in 0..<500 { try context.insert("Guest", ["name": .string(large)]) }
        }
        let before = Int64(try stage.bytes.count)
        let plan = try await plan(new, discarding: .everything)
        #expect(plan.requiredByteCount >= before && plan.requiredByteCount <= 2 * before)
        _ = try stage.contents(new, discarding: .everything)
        #expect(Int64(try stage.bytes.count) - before <= plan.requiredByteCount / 2 + 65_536)
    }

    @Test(arguments: ["autoMigrating", "infersMapping", "readOnly", "immutable", "later version"])
    func `throws what opening would, because of the options`(option: String) async throws {
        let isLater = option == "later version"
        if isLater { _ = try stage.contents(new, discarding: .everything) }
        let before = try (stage.bytes, stage.files)
        let store = StoreDescription.database(
            fileURL: stage.url, autoMigrating: option != "autoMigrating",
            infersMapping: option != "infersMapping" && !isLater,
            stages: isLater ? StagedMigration([.lightweight(to: old)]) : nil,
            discarding: [.laterVersions, .everything], readOnly: option == "readOnly",
            immutable: option == "immutable")
        let stack = Stack(model: isLater ? old : new)
        let planned = try await #require(throws: (any Error).self) { _ = try await stack.migrationPlan(for: store) }
        #expect(try (stage.bytes, stage.files) == before)
        let opened = try await #require(throws: (any Error).self) { try await stack.addStore(store) }
        #expect("\(planned)" == "\(opened)")
        let isOfMapping = isLater || option == "infersMapping"
        #expect(((planned as? MigrationError)?.code == .missingMapping) == isOfMapping, "\(planned)")
        #expect(try stage.bytes == before.0)
    }
}
