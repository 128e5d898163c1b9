import DataMonk
import Foundation
import Synchronization
import Testing

/// Code in stages that fails, or is not run at all.
@Suite struct `Failing code in stages`: LetterSuite {
    let letters: Letters

    init() throws { letters = try Letters() }

    @Test(arguments: ["code", "save", "next stage", "progress", "cancelled"])
    func `an error leaves the store as it was`(place: String) throws {
        try letters.write()
        let before = try stage.bytes
        let files = try letters.externalFiles()
        let strict = try Letters.model(false, true, numbers: .date)
        let last = place == "next stage" ? strict : models[2]
        let failing = StagedMigration(
            from: models[0],
            [
                .custom(
                    from: models[0], to: models[1],
                    didMigrate: { context in
                        try Letters.split(context)
                        try context.save()
                        if place == "code" { throw CocoaError(.featureUnsupported) }
                        if place == "cancelled" { throw CancellationError() }
                        if place == "save" { try context.insert("Page", ["number": .int(1 << 40)]) }
                    }),
                .lightweight(to: last),
            ])
        let stack = Stack(model: last)
        let error = try #require(throws: MigrationError.self) {
            try stack.addDatabaseStore(fileURL: stage.url, stages: failing) { progress in
                if place == "progress", progress.fractionCompleted > 0.6 { throw CancellationError() }
            }
        }
        let codes: [String: MigrationError.Code] = [
            "next stage": .notInferable, "progress": .cancelled, "cancelled": .cancelled,
        ]
        #expect(error.code == codes[place] ?? .failedStage, "\(error)")
        #expect((error.underlyingError is CocoaError) == (place == "code"))
        #expect(try stage.bytes == before && letters.externalFiles() == files)
        #expect(try stage.contents(models[0])["Letter/1"]["text"] == "string(\"one|two\")")
    }

    @Test func `an error that code passes over does not leave half of a save`() throws {
        try letters.write()
        let stages = StagedMigration(
            from: models[0],
            [
                .custom(
                    to: models[1],
                    didMigrate: { context in
                        let letter = try #require(try context.fetch(FetchRequest(entityName: "Letter")).first)
                        let other = ManagedObjectContext(coordinator: context.coordinator)
                        for same in try other.fetch(FetchRequest(entityName: "Letter")) {
                            try same.setValue("newer", forKey: "name")
                        }
                        try other.save()
                        try letter.setValue("older", forKey: "name")
                        try context.insert("Page", ["text": "lost"])
                        #expect(throws: SaveError.self) { try context.save() }
                        context.rollback()
                        try Letters.split(context)
                    }), .lightweight(to: models[2]),
            ])
        try stage.open(models[2], stages: stages)
        let contents = try stage.contents(models[2])
        #expect(contents["Letter/1"]["name"] == "string(\"newer\")")
        #expect(contents.objects.values.compactMap { $0["text"] }.sorted() == ["string(\"one\")", "string(\"two\")"])
    }

    @Test func `the context cannot be used later or elsewhere`() throws {
        try letters.write()
        let kept = Mutex<PersistentStoreCoordinator?>(nil)
        let stages = StagedMigration(
            from: models[0],
            [
                .custom(
                    to: models[1],
                    didMigrate: { context in
                        let coordinator = context.coordinator
                        kept.withLock { $0 = coordinator }
                        let isDone = DispatchSemaphore(value: 0)
                        Thread.detachNewThread {
                            Self.expectRefusal(of: coordinator)
                            isDone.signal()
                        }
                        isDone.wait()
                        let count = try context.count(FetchRequest(entityName: "Letter"))
                        #expect(count == 2)
                    })
            ])
        try stage.open(models[1], stages: stages)
        Self.expectRefusal(of: try #require(kept.withLock { $0 }))
    }

    @Test func `a stage begins where the one before ended`() throws {
        try letters.write()
        let before = try stage.bytes
        for stages in [
            StagedMigration(from: models[0], [.custom(from: models[1], to: models[2])]),
            StagedMigration([.lightweight(to: models[1]), .custom(from: models[0], to: models[2])]),
        ] {
            let error = try #require(throws: MigrationError.self) { try stage.open(models[2], stages: stages) }
            #expect(error.code == .invalidStages, "\(error)")
        }
        // A list that begins with another version than the store's.
        let unlisted = StagedMigration([.custom(from: models[1], to: models[2], didMigrate: Letters.split)])
        let error = try #require(throws: MigrationError.self) { try stage.open(models[2], stages: unlisted) }
        #expect(error.code == .missingMapping)
        #expect(try stage.bytes == before)
    }

    @Test func `a store that somebody has open is not migrated`() throws {
        try letters.write()
        let other = Stack(model: models[0])
        try other.addDatabaseStore(fileURL: stage.url)
        let stack = Stack(model: models[2])
        let error = #expect(throws: StoreError.self) {
            try stack.addDatabaseStore(fileURL: stage.url, stages: letters.stages, busyTimeout: .milliseconds(300))
        }
        #expect(error?.code == .locked, "\(String(describing: error))")
        try other.close()
        try stack.addDatabaseStore(fileURL: stage.url, stages: letters.stages)
        try stack.close()
    }

    @Test func `code is not run over stores of a version that nobody has named`() throws {
        try letters.write()
        let before = try stage.bytes
        for stages in [
            StagedMigration([.custom(to: models[1], didMigrate: Letters.split), .lightweight(to: models[2])]),
            StagedMigration([.lightweight(to: models[1]), .custom(to: models[2], willMigrate: Letters.split)]),
        ] {
            let error = try #require(throws: MigrationError.self) { try stage.open(models[2], stages: stages) }
            #expect(error.code == .invalidStages && error.message.contains("from:"), "\(error)")
        }
        #expect(try stage.bytes == before)
    }

    private static func expectRefusal(of coordinator: PersistentStoreCoordinator) {
        let context = ManagedObjectContext(coordinator: coordinator)
        let read = #expect(throws: StoreError.self) { try context.count(FetchRequest(entityName: "Letter")) }
        #expect(read?.code == .operationFailed)
        #expect(throws: (any Error).self) {
            try context.insert("Letter")
            try context.save()
        }
    }
}
