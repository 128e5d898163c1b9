import DataMonk
import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// Failed reads of code in a stage: those that it may pass over, and those that end the migration.
@Suite struct `Failed reads of code in stages`: LetterSuite {
    let letters: Letters

    init() throws { letters = try Letters() }

    enum Failure: CaseIterable {
        case lostFile, undecodable, unencodable
    }

    /// Lets each access of the code fail.
    private func damage(_ failure: Failure) throws {
        switch failure {
        case .lostFile: try letters.loseSeal()
        case .undecodable: try letters.execute("UPDATE ZLETTER SET ZWORDS = '{}' WHERE ZNAME = 'a'")
        case .unencodable: break
        }
    }

    /// Lets the accesses of a property to the letter with the text fail, which are told to its context alone.
    @Sendable private static func access(_ failure: Failure, in context: ManagedObjectContext) throws -> ManagedObject {
        let named = FetchRequest(entityName: "Letter", condition: .compare("name", .equal, "a"))
        let letter = try #require(try context.fetch(named).first)
        switch failure {
        case .lostFile: #expect(letter.plainData("seal") == nil || letter.plainData("seal") == Data())
        case .undecodable: #expect(letter.words == nil)
        case .unencodable: letter.words = [Word(isRefusing: true)]
        }
        #expect(!context.failedAccesses.isEmpty)
        return letter
    }

    @Test(arguments: Failure.allCases) func `that it disregards are no failure`(failure: Failure) throws {
        try letters.write()
        try damage(failure)
        let code: DataMonkCore.MigrationStage.Code = { context in
            let letter = try Self.access(failure, in: context)
            context.disregardFailedReads()
            try Letters.split(context)
            if failure == .lostFile { context.delete(letter) } else { letter.words = [Word()] }
        }
        try stage.open(models[2], stages: stages(code))
        let contents = try stage.contents(models[2])
        #expect(contents.objects.keys.filter { $0.hasPrefix("Page/") }.count == 2)
        #expect((contents.objects["Letter/1"] == nil) == (failure == .lostFile))
    }

    @Test(arguments: ["reset", "rollback", "other context", "child", "nobody's"], [Failure.lostFile, .undecodable])
    func `that it has not disregarded end the migration, whatever becomes of their context`(
        way: String, failure: Failure
    ) throws {
        try letters.write()
        try damage(failure)
        let before = try stage.bytes
        let code: DataMonkCore.MigrationStage.Code = { context in
            switch way {
            case "reset", "rollback":
                _ = try Self.access(failure, in: context)
                if way == "reset" { context.reset() } else { context.rollback() }
            case "other context":
                _ = try Self.access(failure, in: ManagedObjectContext(coordinator: context.coordinator))
                context.disregardFailedReads()
            case "child":
                let child = ManagedObjectContext(parent: context)
                _ = try Self.access(failure, in: child)
                child.reset()
                context.disregardFailedReads()
            default:
                let named = FetchRequest(entityName: "Letter", condition: .compare("name", .equal, "a"))
                let letter = try ManagedObjectContext(coordinator: context.coordinator).fetch(named).first
                #expect(letter?.managedObjectContext == nil)
                _ = failure == .lostFile ? letter?.plainData("seal") : letter?.words.map { _ in Data() }
            }
            try Letters.split(context)
        }
        let error = try #require(throws: MigrationError.self) { try stage.open(models[2], stages: stages(code)) }
        #expect(error.code == .failedStage && error.underlyingError is any DataMonkError, "\(error)")
        #expect(try stage.bytes == before)
    }

    @Test func `that it disregards in the context where they were rolled back are no failure`() throws {
        try letters.write()
        try damage(.undecodable)
        try stage.open(
            models[2],
            stages: stages { context in
                _ = try Self.access(.undecodable, in: context)
                context.reset()
                context.disregardFailedReads()
                try Letters.split(context)
            })
        #expect(try stage.contents(models[2])["Letter/1"]["pages"] == "Page/1 Page/2")
    }

    @Test func `of values that it did not set and has taken back are no failure`() throws {
        try letters.write()
        try stage.open(
            models[2],
            stages: stages { context in
                _ = try Self.access(.unencodable, in: context)
                context.rollback()
                try Letters.split(context)
            })
        #expect(try stage.contents(models[2])["Letter/1"]["pages"] == "Page/1 Page/2")
    }

    @Test func `that it catches are no failure`() throws {
        try letters.write()
        try damage(.lostFile)
        try stage.open(
            models[2],
            stages: stages { context in
                let letter = try #require(try context.fetch(FetchRequest(entityName: "Letter")).first)
                #expect(throws: StoreError.self) { try letter.value(forKey: "seal") }
                try Letters.split(context)
            })
        #expect(try stage.text("SELECT group_concat(ZTEXT, '|') FROM ZPAGE") == "one|two")
    }

    @Test(arguments: ["saved", "reset"]) func `because of the disk are told as the disk's`(way: String) throws {
        let text = ManagedValue.string(String(repeating: "x", count: 2_000))
        try stage.write(models[0]) { context in
            for _ in 0..<200 { try context.insert("Letter", ["text": text]) }
        }
        let before = try stage.bytes
        let disk = try FaultyDisk(folder: stage.url.deletingLastPathComponent())
        let code: DataMonkCore.MigrationStage.Code = { context in
            let entity = try #require(context.coordinator.model.entitiesByName["Letter"])
            disk.fail(
                FaultPlan(
                    .inputOutputError, on: [.read], ofFile: ".sqlite", inBytes: 100_000..<10_000_000, times: .max))
            let last = context.object(for: ObjectKey(store: 0, entity: entity.index, primaryKey: 200))
            #expect(last.plainText("text") == nil)
            if way == "reset" { context.reset() } else { try context.insert("Letter") }
        }
        let stack = Stack(model: models[2])
        stack.onError { _ in }
        let failing = StagedMigration(
            from: models[0], [.custom(to: models[1], willMigrate: code), .lightweight(to: models[2])])
        let error = try #require(throws: StoreError.self) {
            try stack.addDatabaseStore(fileURL: stage.url, stages: failing, resetOnFailure: true)
        }
        #expect(error.code == .readFailed, "\(error)")
        #expect(disk.heal() > 0)
        #expect(try stage.bytes == before)
    }
}

/// A word that refuses to be written if it is told so.
private struct Word: Codable, Sendable {
    var isRefusing = false

    func encode(to encoder: any Encoder) throws {
        if isRefusing { throw CocoaError(.coderInvalidValue) }
        var container = encoder.singleValueContainer()
        try container.encode("word")
    }
}

extension ManagedObject {
    fileprivate var words: [Word]? {
        get { entity.attribute(named: "words").flatMap { codableProperty(at: $0.slot) } }
        set { if let attribute = entity.attribute(named: "words") { setCodableProperty(newValue, at: attribute.slot) } }
    }
}
