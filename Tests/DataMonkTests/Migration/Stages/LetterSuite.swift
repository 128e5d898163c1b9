import DataMonk
import DataMonkCore

/// Tests over a store of letters.
protocol LetterSuite {
    var letters: Letters { get }
}

extension LetterSuite {
    var models: [ManagedObjectModel] { letters.models }
    var stage: MigrationStage { letters.stage }

    /// Stages whose code, after the first of them, is given.
    func stages(_ didMigrate: @escaping DataMonkCore.MigrationStage.Code) -> StagedMigration {
        StagedMigration(from: models[0], [.custom(to: models[1], didMigrate: didMigrate), .lightweight(to: models[2])])
    }
}
