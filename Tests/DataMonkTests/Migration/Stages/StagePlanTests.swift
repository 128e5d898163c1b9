import DataMonk
import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

/// Plans of migrations in stages, and of their code, which a plan does not run.
@Suite struct `Plans of stages`: LetterSuite {
    let letters: Letters

    init() throws { letters = try Letters() }

    @Test(arguments: ["plan", "private copy"])
    func `a store that this process has open keeps its locks`(way: String) async throws {
        try letters.write()
        let stack = Stack(model: models[0])
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Letter", ["name": "c"])
        try context.save()
        context.endTurn()
        if way == "plan" {
            let plan = try await Stack(model: models[2])
                .migrationPlan(for: .database(fileURL: stage.url, stages: letters.stages))
            #expect(plan.stages.count == 2)
        } else {
            let copy = try PrivateCopy(of: stage.url)
            let other = Stack(model: models[0])
            try other.addDatabaseStore(fileURL: copy.url)
            let count = try ManagedObjectContext(coordinator: other.coordinator).count(
                FetchRequest(entityName: "Letter"))
            #expect(count == 3)
            try other.close()
        }
        let path = stage.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let letters = try Letters()
            let error = try #require(throws: StoreError.self) {
                try Stack(model: letters.models[2]).addDatabaseStore(
                    fileURL: URL(fileURLWithPath: path), stages: letters.stages, busyTimeout: .milliseconds(300))
            }
            #expect(error.code == .locked)
        }
        try stack.close()
    }

    /// Letters with a name, which a later version has to have, and numbers in it.
    private func strictModels() throws -> [ManagedObjectModel] {
        try [(AttributeType.string, "first"), (.string, "second"), (.integer32, "third"), (.integer32, "fourth")].map {
            type, version in
            try ManagedObjectModel {
                EntityDescription("Letter", versionHashModifier: version) { AttributeDescription("name", type) }
            }
        }
    }

    @Test(arguments: ["before", "in an earlier stage", "not at all"])
    func `data that code makes fit is no error`(place: String) async throws {
        let models = try strictModels()
        try stage.write(models[0]) { try $0.insert("Letter", ["name": "seven"]) }
        let mend: DataMonkCore.MigrationStage.Code = { context in
            for letter in try context.fetch(FetchRequest(entityName: "Letter")) {
                try letter.setValue("7", forKey: "name")
            }
        }
        let stages = StagedMigration(
            from: models[0],
            [
                .custom(to: models[1], didMigrate: place == "in an earlier stage" ? mend : nil),
                .custom(
                    to: models[2], mapping: [.transform("Letter", [.converted("name")])],
                    willMigrate: place == "before" ? mend : nil), .lightweight(to: models[3]),
            ])
        let store = StoreDescription.database(fileURL: stage.url, stages: stages)
        let stack = Stack(model: models[3])
        if place == "not at all" {
            let plan = try await stack.migrationPlan(for: store)
            #expect(plan.isRefused && !plan.isComplete && plan.stages.count == 2)
            let error = try #require(throws: MigrationError.self) { try stage.open(models[3], stages: stages) }
            #expect(error.problems == plan.obstacles && plan.obstacles.map(\.kind) == [.unconvertibleValue])
            return
        }
        let plan = try await stack.migrationPlan(for: store)
        #expect(!plan.isComplete && plan.stages.map(\.dependsOnCode) == [false, true] && plan.obstacles.isEmpty)
        #expect(
            plan.stages[1].steps.map(\.description) == [
                "Compute Letter.name", "Copy the objects of Letter: 1 row",
            ])
        try stage.open(models[3], stages: stages)
        #expect(try stage.contents(models[3])["Letter/1"]["name"] == "int(7)")
    }

    @Test func `a plan without misfits is complete, and tells what depends on code`() async throws {
        try letters.write()
        let plan = try await Stack(model: models[2])
            .migrationPlan(for: .database(fileURL: stage.url, stages: letters.stages))
        #expect(plan.isComplete && plan.stages.map(\.dependsOnCode) == [false, true])
    }
}
