#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Errors that cannot be thrown go to the handler, the last error and the log, and stand in the article.
    @Suite(.timeLimit(.minutes(60))) struct `An error that no caller can catch` {
        /// The rows that other tests reach: their files and names.
        private static let others: [String: (String, String)] = [
            "The log could not be moved after a commit": (
                "DataMonkSQLiteTests/Store/FailingDiskTests.swift", "a checkpoint that fails is told, and loses nothing"
            ),
            "A transaction could not be rolled back": (
                "DataMonkTests/Faults/ScarcityTests.swift", "of memory gets an error from SQLite, and can go on"
            ),
            "The log could not be moved after a migration": (
                "DataMonkTests/Migration/MigrationCheckpointTests.swift", "may fail, and the migration stands"
            ),
            "A part of the history is missing": (
                "DataMonkTests/RealStores/CoreDataFactsTests.swift", "a part of a history is told, and not written on"
            ),
            "Triggers of derived attributes were replaced": (
                "DataMonkTests/Derived/HostileTriggerTests.swift", "beside the right ones are dropped, and not run"
            ),
            "Triggers are missing in a store that is only read": (
                "DataMonkTests/Derived/CoreDataTriggerTests.swift",
                "that are missing are told where the store is only read"
            ),
            "A derivation is not supported and has no trigger": (
                "DataMonkTests/Derived/ForeignTriggerTests.swift",
                "are missing: the values stay as they are, which is told"
            ),
            "A migration discarded what the application's two versions describe, or an order": (
                "DataMonkTests/Migration/MigrationDiscardTests.swift", "losses.map(\\.code) == [.discarded]"
            ),
            "A property could not be read": (
                "DataMonkTests/ExternalData/ExternalDataTests.swift",
                "whose file is gone or was replaced are an error, and the object's other values are there"
            ),
            "A property was read after its context had gone": (
                "DataMonkTests/Engine/StalenessTests.swift", ".contextIsGone, .contextIsGone"
            ),
            "A property was loaded lazily where that is reported": (
                "DataMonkTests/Engine/LazyLoadingTests.swift", "reported"
            ),
            "A fetch left out damaged rows": (
                "DataMonkTests/BadInput/DamagedRowTests.swift", "does not hide the others from a fetch, and is reported"
            ),
            "A list could not follow a change": (
                "DataMonkTests/FailedReads/FailedReadTests.swift", "leaves a list as it is until it can be followed"
            ),
            "A property that is observed could not be read": (
                "DataMonkTests/FailedReads/ObservedReadTests.swift", "is reported, and told when it can be read again"
            ),
            "An observer of the root context has thrown": (
                "DataMonkTests/Updating/RootContextConcurrencyTests.swift",
                "reports what an observer throws, and goes on"
            ),
            "The rules of a deletion could not be read": (
                "DataMonkTests/Undo/UnreadRuleTests.swift", "stage.errors.withLock(\\.count) == 1"
            ),
            "An update that nobody awaits has thrown": (
                "DataMonkTests/Updating/UpdateConcurrencyTests.swift",
                "the error of an update that nobody waits for goes to the handler"
            ),
        ]

        private static let package =
            (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

        private static func text(_ path: String) throws -> String {
            try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
        }

        @Test(arguments: UncaughtFailure.allCases)
        func `is told once, and names the thing`(failure: UncaughtFailure) async throws {
            let record = HandlerRecord()
            try await failure.plant(record)
            let told = record.errors.withLock { $0.compactMap { $0 as? StoreError } }
            #expect(told.map(\.code) == [failure.code], "\(told)")
            #expect(told.first?.message.contains(failure.word) == true, "\(told)")
            let last = record.stacks.withLock { $0.compactMap(\.lastError).first }
            #expect((last as? StoreError)?.code == failure.code)
        }

        @Test func `stands in the article, and each row of the article is reached`() throws {
            let lines = try Self.text("Sources/DataMonk/DataMonk.docc/UncaughtErrors.md").split(separator: "\n")
            let cells = lines.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| what") }.map { line in
                line.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)
            }
            #expect(Set(cells) == Set(UncaughtFailure.allCases.map(\.row)).union(Self.others.keys))
            for (file, test) in Self.others.values { #expect(try Self.text("Tests/\(file)").contains(test), "\(test)") }
        }

        @Test func `is logged, with a handler and without`() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let stack = Stack(model: try Bookcase.model.get())
                stack.coordinator.report(StoreError(.readFailed, "Without a handler."))
                let count = Locked(0)
                stack.onError { _ in count.withLock { $0 += 1 } }
                stack.coordinator.report(StoreError(.readFailed, "With a handler."))
                #expect(count.withLock { $0 } == 1)
                #expect((stack.lastError as? StoreError)?.message == "With a handler.")
            }
            let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            for text in ["Without a handler.", "With a handler."] {
                #expect(log.components(separatedBy: text).count == 2, "\(log)")
            }
        }

        @Test func `is one of large values whose context and store have gone`() throws {
            let shop = try PhotoShop()
            let record = HandlerRecord()
            let stack = record.stack(try shop.model())
            try stack.addDatabaseStore(fileURL: shop.url, synchronous: .normal)
            var context: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
            if let context { try shop.insert("one", PhotoShop.bytes(200_000), context) }
            try context?.save()
            context?.endTurn()
            context = ManagedObjectContext(coordinator: stack.coordinator)
            let photo = try #require(try context?.fetch(FetchRequest(entityName: "Photo")).first)
            context?.endTurn()
            context = nil
            try stack.close()
            let image: Data? = photo.property(at: photo.entity.propertiesByName["image"]?.slot ?? 0)
            #expect(image == Data() && record.errors.withLock { $0.count } == 1)
        }
    }

    /// Errors of an interrupted copy and of a new directory, which are thrown.
    @Suite struct `An error that a caller can catch` {
        private let folder: TemporaryFolder
        private let disk: FaultyDisk

        init() throws {
            folder = try TemporaryFolder()
            disk = try FaultyDisk(folder: folder.url)
        }

        @Test func `is one of a directory for a new store that does not reach the disk`() throws {
            let url = folder.file("a").appendingPathComponent("b").appendingPathComponent("shop.sqlite")
            let stack = Stack(model: try Bookcase.model.get())
            disk.fail(FaultPlan(.inputOutputError, on: [.sync], ofFile: "a"))
            #expect(throws: StoreError.self) { try stack.addDatabaseStore(fileURL: url) }
            #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
            try stack.addDatabaseStore(fileURL: url)
            try stack.close()
        }

        @Test func `leaves a list of what a failed copy cannot remove, and the next copy removes it`() async throws {
            let target = folder.file("Backup.sqlite")
            let stack = Stack(model: try Bookcase.model.get())
            try stack.addDatabaseStore(fileURL: folder.file("shop.sqlite"))
            disk.fail(FaultPlan(.inputOutputError, on: [.remove], times: .max))
            await #expect(throws: (any Error).self) {
                try await stack.backUp(to: target) { progress in
                    if progress.fractionCompleted == 1 { throw CancellationError() }
                }
            }
            func remains() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
                    .filter { $0.contains("Backup") && $0 != "Backup.sqlite" }
            }
            #expect(try !remains().isEmpty)
            await #expect(throws: StoreError.self) { try await stack.backUp(to: target) }
            disk.heal()
            _ = try await stack.backUp(to: target)
            #expect(try remains() == [])
            try stack.close()
        }
    }
#endif
