import DataMonk
import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

/// Plans of migrations in stages, and of their code, which a plan does not run.
@Suite struct `Plans of stages` {
    private let letters: Letters
    private let models: [ManagedObjectModel]
    private var stage: MigrationStage { letters.stage }

    init() throws {
        letters = try Letters()
        models = letters.models
    }

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
}
