import DataMonk
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// The place of a new store: who makes one there is alone, and leaves nothing to those who come later.
@Suite struct `The place of a copy` {
    private let folder: TemporaryFolder
    private var target: URL { folder.file("Backup.sqlite") }
    private var dataFolder: URL { folder.file(".Backup_SUPPORT").appending(path: "_EXTERNAL_DATA") }

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    private static func refusal(_ body: () throws -> Void) throws -> StoreError {
        try #require(throws: StoreError.self) { try body() }
    }

    private func expectWhole(_ folder: URL? = nil) throws {
        #expect(try Stack.examine(storeAt: target).findings == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: dataFolder.path).count == 2)
        #expect(try names == [".Backup_SUPPORT", "Backup.sqlite"])
    }

    // MARK: One at a time

    @Test func `is refused to a second one in the same process, which takes nothing away`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let isAsked = Locked(false)
        _ = try await stack.backUp(to: target) { [target] progress in
            guard progress.fractionCompleted == 1 else { return }
            for name in ["Backup.sqlite", "Backup.db"] {
                let place = target.deletingLastPathComponent().appending(path: name)
                for body in [
                    { _ = try Stack.repair(storeAt: school.url, to: place) },
                    { _ = try Stack.salvage(storeAt: school.url, to: place) },
                ] {
                    let error = try Self.refusal(body)
                    #expect(error.code == .fileExists)
                    #expect(error.message.contains("another connection of this process"), "\(error.message)")
                }
            }
            isAsked.withLock { $0 = true }
        }
        #expect(isAsked.withLock { $0 })
        try expectWhole()
        try stack.close()
    }

    @Test func `is refused to another process, which takes nothing away`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let mayEnd = DispatchSemaphore(value: 0)
        let isWaiting = Locked(false)
        let backup = Task { [target] in
            try await stack.backUp(to: target) { progress in
                guard progress.fractionCompleted == 1, !isWaiting.withLock({ $0 }) else { return }
                isWaiting.withLock { $0 = true }
                beginning.finish()
                mayEnd.wait()
            }
        }
        for await _ in begun {}
        let plan = [school.url.path, target.path]
        await #expect(processExitsWith: .success) { [plan = plan as [String]] in
            let error = try Self.refusal {
                _ = try Stack.repair(storeAt: URL(filePath: plan[0]), to: URL(filePath: plan[1]))
            }
            #expect(error.code == .fileExists && error.message.contains("is being made by"))
        }
        mayEnd.signal()
        _ = try await backup.value
        try expectWhole()
        try stack.close()
    }

    @Test func `may be had by one of many at once, and by all of them one after the other`() async throws {
        let school = try School()
        let target = target
        for _ in 0..<5 {
            let made = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        do {
                            if number % 2 == 0 {
                                _ = try Stack.repair(storeAt: school.url, to: target)
                            } else {
                                _ = try Stack.salvage(storeAt: school.url, to: target)
                            }
                            return true
                        } catch {
                            #expect((error as? StoreError)?.code == .fileExists)
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(made == 1)
            try expectWhole()
            for name in try names { try FileManager.default.removeItem(at: folder.file(name)) }
        }
    }

    // MARK: After a process that was killed

    private func killBackup(of school: School, at part: Double) async throws {
        let plan = [school.url.path, target.path, "\(part)"]
        await #expect(processExitsWith: .signal(SIGKILL)) { [plan = plan as [String]] in
            let stack = try School.openStack(at: URL(filePath: plan[0]))
            _ = try await stack.backUp(to: URL(filePath: plan[1])) { progress in
                if progress.fractionCompleted >= Double(plan[2]) ?? 0 { kill(getpid(), SIGKILL) }
            }
        }
        #expect(try names.contains(".Backup_SUPPORT.lock"))
    }

    @Test(arguments: [0.0, 0.5, 1.0]) func `is free again, and clean`(part: Double) async throws {
        let school = try School()
        try await killBackup(of: school, at: part)
        if FileManager.default.fileExists(atPath: dataFolder.path) { try PhotoShop.age(dataFolder) }
        if part == 0.5 {
            _ = try Stack.salvage(storeAt: school.url, to: target)
        } else {
            _ = try Stack.repair(storeAt: school.url, to: target)
        }
        try expectWhole()
    }

    @Test(arguments: ["", "D", "DataMonk", "DataMonk\nfol", "DataMonk\nmade 5A1C", "DataMonk\nfolder\nset"])
    func `is free after a process that was killed while it wrote to the list`(list: String) async throws {
        let school = try School()
        try Data(list.utf8).write(to: folder.file(".Backup_SUPPORT.lock"))
        // The lines that the next process adds are read as well.
        try await killBackup(of: school, at: 1)
        try PhotoShop.age(dataFolder)
        _ = try Stack.repair(storeAt: school.url, to: target)
        try expectWhole()
    }

    @Test func `is left as before by a copy that fails later`() async throws {
        let school = try School()
        try await killBackup(of: school, at: 1)
        try school.rows("UPDATE ZPARTY SET ZAGE = 'old' WHERE ZNAME = 'Ann'")
        #expect(try Self.refusal { _ = try Stack.repair(storeAt: school.url, to: target) }.code == .corrupt)
        #expect(try names == [])
    }

    @Test func `is clean after a copy that was refused meanwhile`() async throws {
        let school = try School()
        try await killBackup(of: school, at: 1)
        // It would share the folder for external data.
        let other = folder.file("Backup.db")
        try Data("other".utf8).write(to: other)
        #expect(try Self.refusal { _ = try Stack.repair(storeAt: school.url, to: target) }.code == .fileExists)
        try FileManager.default.removeItem(at: other)
        try PhotoShop.age(dataFolder)
        _ = try Stack.repair(storeAt: school.url, to: target)
        try expectWhole()
    }

    @Test func `keeps its folder for a store that was made there during a copy that was cancelled`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let other = Locked<Stack?>(nil)
        let backup = Task { [place = folder.file("Backup.db"), target] in
            try await stack.backUp(to: target) { _ in
                guard other.withLock({ $0 == nil }) else { return }
                // Reason for try?: without the other store, the test fails below.
                let made = try? School.openStack(at: place)
                other.withLock { $0 = made }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await backup.value }
        #expect(FileManager.default.fileExists(atPath: dataFolder.path))
        try #require(other.withLock { $0 }).close()
        try stack.close()
    }

    @Test func `keeps what somebody else has put there`() async throws {
        let school = try School()
        try await killBackup(of: school, at: 1)
        let foreign = dataFolder.appending(path: UUID().uuidString)
        let others = [foreign, folder.file(".Backup.sqlite.notes"), folder.file(".Other.sqlite.\(UUID().uuidString)")]
        for file in others { try Data("mine".utf8).write(to: file) }
        try PhotoShop.age(dataFolder)
        _ = try Stack.repair(storeAt: school.url, to: target)
        for file in others { #expect(try Data(contentsOf: file) == Data("mine".utf8)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: dataFolder.path).count == 3)
    }

    @Test func `is not taken from a file by the name of the lock`() throws {
        let school = try School()
        let file = folder.file(".Backup_SUPPORT.lock")
        try Data("mine".utf8).write(to: file)
        let error = try Self.refusal { _ = try Stack.repair(storeAt: school.url, to: target) }
        #expect(error.code == .fileExists && error.message.contains(".Backup_SUPPORT.lock"))
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        #expect(try names == [".Backup_SUPPORT.lock"])
    }

    // MARK: Volumes without links

    /// The two files of external data get their names first.
    private static let link = 3

    @Test func `needs no hard links`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let disk = try FaultyDisk(folder: folder.url)
        disk.fail(FaultPlan(.inputOutputError, on: [.rename], atCall: Self.link))
        _ = try await stack.backUp(to: target)
        #expect(disk.faultCount == 1)
        try expectWhole()
        try stack.close()
    }

    @Test func `is kept by a file that appears at the last moment, without hard links too`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let disk = try FaultyDisk(folder: folder.url)
        disk.fail(FaultPlan(.inputOutputError, on: [.rename], atCall: Self.link))
        let target = target
        let error = try await #require(throws: StoreError.self) {
            _ = try await stack.backUp(to: target) { progress in
                if progress.fractionCompleted == 1 { try Data("mine".utf8).write(to: target) }
            }
        }
        #expect(error.code == .fileExists && disk.faultCount == 1)
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
        #expect(try names == ["Backup.sqlite"])
        try stack.close()
    }
}

/// A store that nobody has open is read without locks. If somebody begins to write, it is read once more.
@Suite struct `A store at rest` {
    @Test func `is copied once more if somebody writes meanwhile`() throws {
        let school = try School()
        let folder = try TemporaryFolder()
        let target = folder.file("Backup.sqlite")
        let attempts = Locked(0)
        _ = try StoreCopier.backUp(
            school.url, to: target,
            schema: { _ in
                let isFirst = attempts.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst { try school.rows("UPDATE ZCLUB SET ZTITLE = 'changed'") }
                return nil
            })
        #expect(attempts.withLock { $0 } == 2)
        #expect(try Stack.examine(storeAt: target).findings == [])
        #expect(try StoreCopy.rows(target, "SELECT DISTINCT ZTITLE FROM ZCLUB") == [["changed"]])
    }

    @Test func `is left without a trace`() throws {
        let school = try School()
        let names = try school.names
        let folder = try TemporaryFolder()
        _ = try StoreCopier.backUp(school.url, to: folder.file("Backup.sqlite"), schema: { _ in nil })
        _ = try Stack.repair(storeAt: school.url, to: folder.file("Repaired.sqlite"))
        _ = try Stack.salvage(storeAt: school.url, to: folder.file("Salvaged.sqlite"))
        #expect(try school.names == names)
    }
}

/// Nobody may write to the folder.
@Suite struct `A store in a folder that is read-only` {
    /// The superuser may write everything: such a process becomes nobody first.
    private static func becomeNobody() throws {
        guard geteuid() == 0 else { return }
        try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
    }

    /// - Parameter hasLog: Whether commits are in the log alone, as after the end of a process.
    @Test(arguments: [false, true]) func `is examined, copied, repaired and salvaged`(hasLog: Bool) async throws {
        let school = try School()
        let (store, targets) = (try TemporaryFolder(), try TemporaryFolder())
        let stack = try School.openStack(at: school.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Club", ["title": "new"])
        try context.save()
        context.endTurn()
        if !hasLog { try stack.close() }
        let manager = FileManager.default
        for name in try school.names where !name.hasSuffix("-shm") {
            try manager.copyItem(at: school.file(name), to: store.file(name))
        }
        #expect(manager.fileExists(atPath: store.file("School.sqlite-wal").path) == hasLog)
        if hasLog { try stack.close() }
        for path in [store.url.path] + (manager.subpaths(atPath: store.url.path) ?? []).map({ store.file($0).path }) {
            var isFolder: ObjCBool = false
            _ = manager.fileExists(atPath: path, isDirectory: &isFolder)
            try manager.setAttributes([.posixPermissions: isFolder.boolValue ? 0o555 : 0o444], ofItemAtPath: path)
        }
        try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: targets.url.path)
        let plan = [store.file("School.sqlite").path, targets.url.path]
        await #expect(processExitsWith: .success) { [plan = plan as [String]] in
            try Self.becomeNobody()
            setenv("TMPDIR", plan[1], 1)
            let (url, targets) = (URL(filePath: plan[0]), URL(filePath: plan[1]))
            let examination = try Stack.examine(storeAt: url)
            #expect(examination.findings == [] && examination.objectCounts["Club"] == 4)
            let places = ["Backup", "Repaired", "Salvaged"].map { targets.appending(path: "\($0).sqlite") }
            _ = try StoreCopier.backUp(url, to: places[0], schema: { _ in nil })
            _ = try Stack.repair(storeAt: url, to: places[1])
            _ = try Stack.salvage(storeAt: url, to: places[2])
            for place in places {
                let copy = try Stack.examine(storeAt: place)
                #expect(copy.findings == [] && copy.objectCounts["Club"] == 4)
            }
        }
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.url.path)
        for path in manager.subpaths(atPath: store.url.path) ?? [] where path.contains("SUPPORT") {
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.file(path).path)
        }
    }
}
