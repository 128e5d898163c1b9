import DataMonk
import DataMonkCore
import DataMonkTesting
import Foundation
import Synchronization
import Testing

/// The store, its files and its locks after code of a stage has failed.
@Suite struct `After code in a stage has failed`: LetterSuite {
    let letters: Letters

    init() throws { letters = try Letters() }

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

    @Test(arguments: ["split", "reset", "handled", "disregarded"])
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
            if way == "disregarded" { context.disregardFailedReads() }
        }
        let error = try #require(throws: MigrationError.self) { try stage.open(models[2], stages: stages(code)) }
        #expect(error.code == .failedStage && (error.underlyingError as? StoreError)?.code == .corrupt, "\(error)")
        #expect(try stage.bytes == before)
    }

    @Test(arguments: ["code", "next stage"])
    func `the large values that it wrote are gone`(place: String) throws {
        try letters.write()
        let files = try letters.externalFiles()
        let code: DataMonkCore.MigrationStage.Code = { context in
            for round in 0..<2 {
                for letter in try context.fetch(FetchRequest(entityName: "Letter")) {
                    try letter.setValue(.data(Data(repeating: UInt8(round), count: 200_000)), forKey: "seal")
                }
                try context.save()
            }
            if place == "code" { throw CocoaError(.featureUnsupported) }
        }
        let last = place == "code" ? models[2] : try Letters.model(false, true, numbers: .date)
        let failing = StagedMigration(
            from: models[0], [.custom(to: models[1], didMigrate: code), .lightweight(to: last)])
        let error = try #require(throws: MigrationError.self) { try stage.open(last, stages: failing) }
        #expect(error.code == (place == "code" ? .failedStage : .notInferable), "\(error)")
        #expect(try letters.externalFiles() == files && files.count == 1)
    }

    @Test func `a folder for large values is made by the first of them, and goes with them`() throws {
        try stage.write(models[0]) { try $0.insert("Letter", ["name": "a"]) }
        let support = ".store_SUPPORT"
        try FileManager.default.removeItem(at: stage.url.deletingLastPathComponent().appending(path: support))
        for writes in [false, true] {
            let failing = stages { context in
                if writes { try context.insert("Letter", ["seal": .data(Letters.seal)]) }
                try context.save()
                #expect(try stage.files.contains(support) == writes)
                throw CocoaError(.featureUnsupported)
            }
            #expect(throws: MigrationError.self) { try stage.open(models[2], stages: failing) }
            #expect(try !stage.files.contains(support))
        }
    }

    @Test(arguments: [false, true])
    func `a disk that is full in a save is told as such`(passesOver: Bool) throws {
        try letters.write()
        let (before, names) = try (stage.bytes, stage.files)
        let disk = try FaultyDisk(folder: stage.url.deletingLastPathComponent())
        let failing = stages { context in
            disk.fail(FaultPlan(.diskFull, on: [.write], ofFile: "-wal", times: .max))
            let text = ManagedValue.string(String(repeating: "x", count: 60_000))
            // More than a connection keeps in memory.
            for _ in 0..<400 { try context.insert("Page", ["text": text]) }
            guard passesOver else { return try context.save() }
            #expect(throws: StoreError.self) { try context.save() }
            context.rollback()
            #expect(throws: StoreError.self) { try context.count(FetchRequest(entityName: "Letter")) }
        }
        let stack = Stack(model: models[2])
        stack.onError { _ in }
        let error = try #require(throws: StoreError.self) {
            try stack.addDatabaseStore(fileURL: stage.url, stages: failing, resetOnFailure: true)
        }
        #expect(error.code == .outOfSpace, "\(error)")
        #expect(disk.heal() > 0)
        #expect(try stage.bytes == before && stage.files == names)
    }

    @Test func `a context that it kept locks nothing`() throws {
        try letters.write()
        let kept = Mutex<[PersistentStoreCoordinator]>([])
        let failing = stages { context in
            let coordinator = context.coordinator
            kept.withLock { $0.append(coordinator) }
            _ = try context.fetch(FetchRequest(entityName: "Letter")).map { try $0.value(forKey: "name") }
            throw CocoaError(.featureUnsupported)
        }
        #expect(throws: MigrationError.self) { try stage.open(models[2], stages: failing) }
        try stage.open(models[2], stages: letters.stages)
        #expect(kept.withLock { $0.count } == 1)
        #expect(try stage.contents(models[2])["Letter/1"]["pages"] == "Page/1 Page/2")
    }

    @Test func `contexts and results that it kept lock nothing, and refuse`() throws {
        try letters.write()
        nonisolated(unsafe) var kept: (contexts: [ManagedObjectContext], others: [Any]) = ([], [])
        let failing = stages { context in
            let other = ManagedObjectContext(coordinator: context.coordinator, isReadOnly: true)
            let child = ManagedObjectContext(parent: context)
            kept.contexts = [context, other, child]
            let request = FetchRequest(entityName: "Letter")
            for each in kept.contexts {
                let letters = try each.fetch(request)
                _ = try letters.map { ($0.plainData("seal"), try $0.members("pages")) }
                let batched = try each.fetchBatched(request)
                _ = batched.first?.plainText("name")
                let pages = try each.objectIDs(FetchRequest(entityName: "Page")).map { each.object(for: $0.key) }
                _ = pages.map { $0.plainText("text") }
                kept.others += [letters, batched, pages]
                if !each.isReadOnly { try letters[0].setValue("other", forKey: "name") }
                _ = letters.map(\.hasConflict)
                _ = try each.fetch(request).map { try $0.value(forKey: "name") }
                try each.refreshAllObjects()
            }
            throw CocoaError(.featureUnsupported)
        }
        #expect(throws: MigrationError.self) { try stage.open(models[2], stages: failing) }
        try stage.open(models[2], stages: letters.stages)
        for each in kept.contexts {
            #expect(throws: StoreError.self) { try each.count(FetchRequest(entityName: "Letter")) }
        }
        withExtendedLifetime(kept) {}
    }

    @Test func `a disk that cannot be read is the reason of all later saves`() throws {
        let text = ManagedValue.string(String(repeating: "x", count: 2_000))
        try stage.write(models[0]) { context in
            for _ in 0..<200 { try context.insert("Letter", ["text": text]) }
        }
        let before = try stage.bytes
        let disk = try FaultyDisk(folder: stage.url.deletingLastPathComponent())
        let failing = StagedMigration(
            from: models[0],
            [
                .custom(
                    to: models[1],
                    willMigrate: { context in
                        // The last rows, which nobody has read yet.
                        disk.fail(
                            FaultPlan(
                                .inputOutputError, on: [.read], ofFile: ".sqlite", inBytes: 100_000..<10_000_000,
                                times: .max))
                        try context.insert("Letter")
                        for _ in 0..<2 {
                            let error = #expect(throws: StoreError.self) { try context.save() }
                            #expect(error?.code == .readFailed, "\(String(describing: error))")
                        }
                    }), .lightweight(to: models[2]),
            ])
        let stack = Stack(model: models[2])
        stack.onError { _ in }
        let error = try #require(throws: StoreError.self) {
            try stack.addDatabaseStore(fileURL: stage.url, stages: failing, resetOnFailure: true)
        }
        #expect(error.code == .readFailed, "\(error)")
        #expect(disk.heal() > 0)
        #expect(try stage.bytes == before)
    }
}
