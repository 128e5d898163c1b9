import DataMonk
import DataMonkCore
import Foundation
import Testing

/// The store, its files and its locks after code of a stage has failed.
@Suite struct `After code in a stage has failed` {
    private let letters: Letters
    private let models: [ManagedObjectModel]
    private var stage: MigrationStage { letters.stage }

    init() throws {
        letters = try Letters()
        models = letters.models
    }

    /// Stages whose code, after the first of them, is given.
    private func stages(_ didMigrate: @escaping DataMonkCore.MigrationStage.Code) -> StagedMigration {
        StagedMigration(from: models[0], [.custom(to: models[1], didMigrate: didMigrate), .lightweight(to: models[2])])
    }

    @Test func `resetOnFailure leaves the store where it is`() throws {
        try letters.write()
        let (before, names) = try (stage.bytes, stage.files)
        let failing = stages { _ in throw CocoaError(.fileNoSuchFile) }
        let error = try #require(throws: MigrationError.self) {
            try Stack(model: models[2]).addDatabaseStore(fileURL: stage.url, stages: failing, resetOnFailure: true)
        }
        #expect(error.code == .failedStage && error.underlyingError is CocoaError, "\(error)")
        #expect(try stage.bytes == before && stage.files == names)
    }

    @Test func `an error about another store says nothing about this one`() throws {
        try letters.write()
        let (before, names) = try (stage.bytes, stage.files)
        let elsewhere = URL(fileURLWithPath: "/elsewhere.sqlite")
        for code in [StoreError.Code.incompatibleVersionHash, .locked] {
            let failing = stages { _ in throw StoreError(code, "It is another one.", storeURL: elsewhere) }
            let error = try #require(throws: MigrationError.self) {
                try Stack(model: models[2]).addDatabaseStore(fileURL: stage.url, stages: failing, resetOnFailure: true)
            }
            #expect(error.code == .failedStage && (error.underlyingError as? StoreError)?.code == code, "\(error)")
        }
        #expect(try stage.bytes == before && stage.files == names)
    }

    @Test(arguments: ["split", "reset", "handled"])
    func `damage that the code did not see leaves the store as it was`(way: String) throws {
        try letters.write()
        // Neither a value nor the name of a file begins with this byte.
        try letters.execute("UPDATE ZLETTER SET ZSEAL = x'07' WHERE ZNAME = 'a'")
        let before = try stage.bytes
        let code: DataMonkCore.MigrationStage.Code = { context in
            if way == "handled" { context.coordinator.setErrorHandler { _ in } }
            try Letters.split(context)
            if way == "reset" {
                try context.save()
                context.reset()
            }
        }
        let error = try #require(throws: MigrationError.self) { try stage.open(models[2], stages: stages(code)) }
        #expect(error.code == .failedStage && (error.underlyingError as? StoreError)?.code == .corrupt, "\(error)")
        #expect(try stage.bytes == before)
    }
}
