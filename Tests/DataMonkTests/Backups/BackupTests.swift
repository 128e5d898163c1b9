import DataMonk
import DataMonkTesting
import Foundation
import Testing

@Suite struct `A backup` {
    private let folder: TemporaryFolder
    private var target: URL { folder.file("Backup.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    @Test func `is a sound store with everything in it, files too`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        // In the log alone.
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Club", ["title": "new"])
        try context.save()
        context.endTurn()
        let backup = try await stack.backUp(to: target)
        #expect(backup.url == target && backup.externalFileCount == 2 && backup.missingFiles == [])
        #expect(backup.byteCount > 400_001)
        #expect(try Stack.examine(storeAt: target).findings == [])
        #expect(try names == [".Backup_SUPPORT", "Backup.sqlite"])
        let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        #expect(try StoreCopy.rows(target, "PRAGMA auto_vacuum") == [["2"]])
        let copy = try School.openStack(at: target)
        #expect(try GraphDump(copy) == GraphDump(stack))
        try copy.close()
        try stack.close()
    }

    @Test func `has no files that no row refers to`() async throws {
        let school = try School()
        try Data("orphan".utf8).write(to: school.dataFolder.appending(path: UUID().uuidString))
        let stack = try School.openStack(at: school.url)
        #expect(try await stack.backUp(to: target).externalFileCount == 2)
        let files = folder.file(".Backup_SUPPORT").appending(path: "_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 2)
        try stack.close()
    }

    @Test func `is made although a file is missing, and says so`() async throws {
        let school = try School()
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: school.dataFolder.path).first)
        try FileManager.default.removeItem(at: school.dataFolder.appending(path: name))
        let stack = try School.openStack(at: school.url)
        let backup = try await stack.backUp(to: target)
        #expect(backup.missingFiles == [name] && backup.externalFileCount == 1)
        #expect(try Stack.examine(storeAt: target).findings.map(\.kind) == [.missingFile])
        try stack.close()
    }

    /// The error that a backup of a stack throws.
    private func refusal(
        _ stack: Stack, storeAt url: URL? = nil,
        onProgress: (@Sendable (StoreBackup.Progress) throws -> Void)? = nil
    ) async throws -> StoreError {
        let target = target
        return try await #require(throws: StoreError.self) {
            _ = try await stack.backUp(to: target, storeAt: url, onProgress: onProgress)
        }
    }

    @Test(arguments: ["", "-wal", "-journal"]) func `replaces nothing`(suffix: String) async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let present = folder.file("Backup.sqlite" + suffix)
        try Data("mine".utf8).write(to: present)
        let error = try await refusal(stack)
        #expect(error.code == .fileExists && error.message.contains("Backup.sqlite\(suffix)"))
        #expect(try Data(contentsOf: present) == Data("mine".utf8))
        #expect(try names == ["Backup.sqlite" + suffix])
        try stack.close()
    }

    @Test func `shares no folder for external data with its original`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let error = try await #require(throws: StoreError.self) {
            _ = try await stack.backUp(to: school.file("School.bak"))
        }
        #expect(error.code == .fileExists && error.message.contains(".School_SUPPORT"))
        try stack.close()
    }

    @Test func `replaces no file that appears while it is made`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let error = try await refusal(stack) { [target] progress in
            if progress.fractionCompleted == 1 { try Data("mine".utf8).write(to: target) }
        }
        #expect(error.code == .fileExists)
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
        #expect(try names == ["Backup.sqlite"])
        try stack.close()
    }

    @Test func `tells its progress from nothing to everything`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let steps = Locked<[StoreBackup.Progress]>([])
        let backup = try await stack.backUp(to: target) { progress in steps.withLock { $0.append(progress) } }
        let seen = steps.withLock { $0 }
        #expect(seen.first?.completedByteCount == 0 && seen.last?.fractionCompleted == 1)
        #expect(seen.map(\.completedByteCount) == seen.map(\.completedByteCount).sorted())
        #expect(Set(seen.map(\.totalByteCount)) == [backup.byteCount])
        try stack.close()
    }

    @Test func `has the files of its rows while values change`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let isDone = Locked(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var size = 150_000
                while !isDone.withLock({ $0 }) {
                    let context = ManagedObjectContext(coordinator: stack.coordinator)
                    for person in try context.fetch(FetchRequest(entityName: "Person")).prefix(2) {
                        size += 1
                        try person.setValue(.data(PhotoShop.bytes(size)), forKey: "portrait")
                    }
                    try context.save()
                    context.endTurn()
                    // The backup's task needs a thread, too.
                    await Task.yield()
                }
            }
            group.addTask { [folder] in
                defer { isDone.withLock { $0 = true } }
                for number in 0..<5 {
                    let target = folder.file("backup-\(number).sqlite")
                    let backup = try await stack.backUp(to: target)
                    #expect(backup.missingFiles == [] && backup.externalFileCount >= 2)
                    #expect(try Stack.examine(storeAt: target).findings == [])
                }
            }
            try await group.waitForAll()
        }
        try stack.close()
    }

    // MARK: Cancelled, killed

    @Test(arguments: [0.0, 0.5, 1.0]) func `leaves nothing when it is cancelled`(part: Double) async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let task = Task { [target] in
            try await stack.backUp(to: target) { progress in
                if progress.fractionCompleted >= part { throw CancellationError() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try names == [])
        // Nothing is held: it can be made again.
        _ = try await stack.backUp(to: target)
        try stack.close()
    }

    @Test func `ends when its task is cancelled`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let task = Task { [target] in
            try await stack.backUp(to: target) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try names == [])
        try stack.close()
    }

    @Test(arguments: [0.0, 0.5, 1.0]) func `leaves no target when its process is killed`(part: Double) async throws {
        let school = try School()
        let plan = [school.url.path, target.path, "\(part)"]
        await #expect(processExitsWith: .signal(SIGKILL)) { [plan = plan as [String]] in
            let stack = try School.openStack(at: URL(filePath: plan[0]))
            _ = try await stack.backUp(to: URL(filePath: plan[1])) { progress in
                if progress.fractionCompleted >= Double(plan[2]) ?? 0 { kill(getpid(), SIGKILL) }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        let stack = try School.openStack(at: school.url)
        _ = try await stack.backUp(to: target)
        #expect(try Stack.examine(storeAt: target).findings == [])
        try stack.close()
    }

    // MARK: Which store

    @Test func `is of a store in a file`() async throws {
        let stack = Stack(model: try School.model.get())
        try stack.addInMemoryStore()
        let error = try await refusal(stack)
        #expect(error.code == .unsupportedRequest)
        let other = try await refusal(stack, storeAt: target)
        #expect(other.code == .fileNotFound)
    }

    // MARK: The log

    @Test func `is not needed to empty the log`() throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Club", ["title": "new"])
        try context.save()
        context.endTurn()
        #expect(stack.logByteCount > 0)
        let generation = stack.coordinator.publishedGeneration
        #expect(try stack.checkpoint() == 0)
        #expect(stack.logByteCount == 0)
        // Nobody takes it for a commit of another process.
        #expect(try context.count(FetchRequest(entityName: "Club")) == 4)
        try context.insert("Club", ["title": "newer"])
        try context.save()
        context.endTurn()
        #expect(stack.coordinator.publishedGeneration.rawValue == generation.rawValue + 1)
        try stack.close()
    }

    @Test func `leaves in the log what a reader needs`() throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let reader = ManagedObjectContext(coordinator: stack.coordinator)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Club", ["title": "new"])
        try context.save()
        reader.stores.turn.endsWithEachCall = false
        #expect(try reader.count(FetchRequest(entityName: "Club")) == 4)
        try context.insert("Club", ["title": "newer"])
        try context.save()
        context.endTurn()
        #expect(try stack.checkpoint() > 0)
        reader.endTurn()
        #expect(try stack.checkpoint() == 0)
        try stack.close()
    }
}

#if Macros
    /// Money moves between accounts while backups are made: each has the whole of it.
    @Suite struct `Concurrency of backups` {
        @Test func `each backup is one state of the store`() async throws {
            let environment = ProcessInfo.processInfo.environment
            let backups = environment["DATAMONK_BACKUPS"].flatMap { Int($0) } ?? 5
            let folder = try TemporaryFolder()
            let stack = try Bank.openStack(at: folder.file("bank.sqlite"))
            try stack.openAccounts(50)
            let (commits, made) = (Locked(0), Locked(0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var random = SeededGenerator(seed: 7)
                    // A hundred commits for each backup, and as many more as the last one takes.
                    while commits.withLock({ $0 }) < backups * 100 || made.withLock({ $0 }) < backups {
                        let source = Int.random(in: 0..<50, using: &random)
                        let destination = (source + Int.random(in: 1..<50, using: &random)) % 50
                        try stack.transfer(1, from: source, to: destination)
                        commits.withLock { $0 += 1 }
                        // The backups' task needs a thread, too.
                        await Task.yield()
                    }
                }
                group.addTask {
                    for number in 0..<backups {
                        let target = folder.file("backup-\(number).sqlite")
                        let before = commits.withLock { $0 }
                        _ = try await stack.backUp(to: target)
                        made.withLock { $0 += 1 }
                        #expect(try Stack.examine(storeAt: target).findings == [])
                        let rows = try StoreCopy.rows(
                            target, "SELECT sum(ZBALANCE), sum(Z_OPT) - count(*) FROM ZBANKACCOUNT")
                        #expect(rows[0][0] == "\(50 * Bank.deposit)")
                        // Everything that was committed before; each transfer has changed two accounts.
                        #expect(Int(rows[0][1]) ?? 0 >= 2 * before)
                        try FileManager.default.removeItem(at: target)
                    }
                }
                try await group.waitForAll()
            }
            #expect(commits.withLock { $0 } >= backups * 100)
            try stack.close()
        }
    }
#endif
