import CSQLite
import DataMonkCore
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// What a store makes of a disk that fails.
@Suite struct `A store on a failing disk` {
    private let directory: TemporaryDirectory
    private let disk: FaultyDisk
    private let reported = Locked<[StoreError]>([])
    /// Code that runs for each error that is reported.
    private struct Reaction {
        var run: @Sendable () -> Void = {}
    }
    private let onReport = Locked(Reaction())
    private let statements = Locked<[String]>([])

    init() throws {
        directory = try TemporaryDirectory()
        disk = try FaultyDisk(folder: directory.url)
    }

    /// The ends of the names of the store and its log.
    private let store = ".sqlite"
    private let log = "-wal"

    private func fail(
        _ operation: FileOperation, of file: String, by fault: FileFault = .inputOutputError, times: Int = 1
    ) {
        disk.fail(FaultPlan(fault, on: [operation], ofFile: file, times: times))
    }

    private var codes: [StoreError.Code] { reported.withLock { $0.map(\.code) } }

    /// - Parameter url: The file of the store; `nil` for the one on the failing disk.
    private func coordinator(
        _ durability: SQLiteOptions.Durability = .full, at url: URL? = nil
    ) throws -> PersistentStoreCoordinator {
        let model = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } }
        let coordinator = PersistentStoreCoordinator(model: model)
        coordinator.setErrorHandler { [reported, onReport] error in
            guard let error = error as? StoreError else { return }
            reported.withLock { $0.append(error) }
            let reaction = onReport.withLock { $0 }
            reaction.run()
        }
        try coordinator.add(
            SQLiteStore.open(
                url ?? directory.store, configuration: nil, directory: coordinator.directory, index: 0,
                durability: durability,
                trace: StatementTrace { [statements] event in statements.withLock { $0.append(event.sql) } }))
        return coordinator
    }

    private func add(_ text: String, to coordinator: PersistentStoreCoordinator) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(coordinator.model.entities[0]).setValue(.string(text), forKey: "text")
        try context.save()
    }

    private func texts(_ coordinator: PersistentStoreCoordinator) throws -> [ManagedValue] {
        let context = ManagedObjectContext(coordinator: coordinator)
        defer { context.endTurn() }
        return try context.fetch(FetchRequest(entityName: "Note")).map { try $0.value(forKey: "text") }
    }

    /// How many connections were opened for writing.
    private var writers: Int { statements.withLock { $0.count { $0.hasPrefix("PRAGMA journal_mode") } } }

    @Test func `a commit that succeeds at the second attempt is told`() throws {
        let coordinator = try coordinator()
        fail(.write, of: log)
        try add("kept", to: coordinator)
        #expect(codes == [.writeFailed])
        #expect(reported.withLock { $0.first?.message.contains("is being retried") } == true)
        #expect(try texts(coordinator) == ["kept"])
        try coordinator.close()
    }

    @Test func `a failed sync is told, and the commit written over another connection`() throws {
        let coordinator = try coordinator()
        try add("first", to: coordinator)
        #expect(writers == 1)
        fail(.sync, of: log)
        try add("second", to: coordinator)
        #expect(codes == [.writeFailed])
        #expect(writers == 2)
        try add("third", to: coordinator)
        #expect(writers == 2)
        #expect(try texts(coordinator) == ["first", "second", "third"])
        try coordinator.close()
        #expect(try texts(self.coordinator()) == ["first", "second", "third"])
    }

    @Test func `a disk that syncs no more is told by the commit, which can be tried again`() throws {
        let coordinator = try coordinator()
        try add("first", to: coordinator)
        fail(.sync, of: log, times: .max)
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(coordinator.model.entities[0]).setValue("second", forKey: "text")
        let error = #expect(throws: StoreError.self) { try context.save() }
        // The whole commit is in the log, behind its end, and cannot be overwritten.
        #expect(error?.code == .outcomeUnknown && (error?.underlyingError as? StoreError)?.code == .writeFailed)
        #expect(context.hasChanges)
        #expect(try texts(coordinator) == ["first"])
        #expect(try textsAfterKill() == ["first", "second"])
        disk.heal()
        try context.save()
        #expect(try texts(coordinator) == ["first", "second"])
        #expect(try textsAfterKill() == ["first", "second"])
        try coordinator.close()
    }

    /// Returns what the next process would find if this one were killed now.
    private func textsAfterKill() throws -> [ManagedValue] {
        let copy = try TemporaryDirectory()
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: directory.store.path + end, toPath: copy.store.path + end)
        }
        let coordinator = try coordinator(at: copy.store)
        let found = try texts(coordinator)
        try coordinator.close()
        return found
    }

    @Test func `a commit that is reported as failed is not found by whoever recovers the log`() throws {
        let coordinator = try coordinator()
        try add("first", to: coordinator)
        // The second attempt fails before it has written anything.
        onReport.withLock { $0.run = { [disk] in disk.fail(FaultPlan(.inputOutputError, on: [.write], times: .max)) } }
        fail(.sync, of: log)
        let error = #expect(throws: StoreError.self) { try add("second", to: coordinator) }
        #expect(error?.code == .writeFailed && codes == [.writeFailed])
        onReport.withLock { $0.run = {} }
        disk.heal()
        #expect(try texts(coordinator) == ["first"])
        #expect(try textsAfterKill() == ["first"])
        try coordinator.close()
    }

    @Test(arguments: [1, 100_000])
    func `a full disk is told by the commit, which can be tried again when there is space`(length: Int) throws {
        let coordinator = try coordinator()
        try add("first", to: coordinator)
        let context = ManagedObjectContext(coordinator: coordinator)
        let text = String(repeating: "x", count: length)
        // More than the pages that a transaction keeps in memory: the longer ones are refused before the commit.
        for _ in 0..<100 { try context.insert(coordinator.model.entities[0]).setValue(.string(text), forKey: "text") }
        fail(.write, of: log, by: .diskFull, times: .max)
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .outOfSpace && error?.message.contains("No changes were lost") == true)
            #expect(context.insertedObjects.count == 100)
            #expect(try texts(coordinator) == ["first"])
        }
        disk.heal()
        try context.save()
        #expect(try texts(coordinator).count == 101)
        try coordinator.close()
        #expect(try texts(self.coordinator()).count == 101)
    }

    @Test func `a disk that is too full for a checkpoint keeps the commits in the log`() throws {
        let coordinator = try coordinator(.normal)
        fail(.write, of: store, by: .diskFull, times: .max)
        let long = String(repeating: "x", count: 200_000)
        for _ in 0..<30 { try add(long, to: coordinator) }
        #expect(codes == [.outOfSpace])
        #expect(try texts(coordinator).count == 30)
        disk.heal()
        try coordinator.close()
        #expect(try texts(self.coordinator()).count == 30)
    }

    @Test func `a checkpoint that fails is told, and loses nothing`() throws {
        let coordinator = try coordinator(.normal)
        fail(.write, of: store, times: .max)
        // More than the thousand pages after which the log is moved.
        let long = String(repeating: "x", count: 200_000)
        for _ in 0..<30 { try add(long, to: coordinator) }
        #expect(codes == [.writeFailed])
        #expect(reported.withLock { $0.first?.message.contains("log") } == true)
        disk.heal()
        for _ in 0..<30 { try add(long, to: coordinator) }
        #expect(codes.count == 1)
        #expect(try texts(coordinator).count == 60)
        try coordinator.close()
    }

    @Test func `a log whose sync fails in a checkpoint goes with its connection`() throws {
        let coordinator = try coordinator(.normal)
        // The first commit syncs the log's header.
        try add("first", to: coordinator)
        fail(.sync, of: log)
        let long = String(repeating: "x", count: 200_000)
        for _ in 0..<30 { try add(long, to: coordinator) }
        #expect(codes == [.writeFailed])
        #expect(writers == 2)
        #expect(try texts(coordinator).count == 31)
        try coordinator.close()
    }

    @Test func `a checkpoint on demand whose sync fails is thrown, and takes the writer's connection with it`() throws {
        let coordinator = try coordinator(.normal)
        try add("first", to: coordinator)
        fail(.sync, of: log)
        #expect(throws: StoreError.self) { try coordinator.checkpointStores() }
        #expect(writers == 1)
        try add("second", to: coordinator)
        #expect(writers == 2)
        try coordinator.checkpointStores()
        #expect(try texts(coordinator) == ["first", "second"])
        try coordinator.close()
        #expect(try texts(self.coordinator()) == ["first", "second"])
    }

    @Test func `a disk that cannot be read is not told as a damaged file`() throws {
        let first = try coordinator()
        try add("kept", to: first)
        try first.close()
        for failingReads in [1, 2, 3, 5, 8, 13] {
            let again = try self.coordinator()
            fail(.read, of: store, times: failingReads)
            do {
                _ = try texts(again)
            } catch let error as StoreError {
                #expect(error.code == .readFailed, "\(error)")
            }
            disk.heal()
            #expect(try texts(again) == ["kept"])
            try again.close()
        }
    }

    /// The statement that switches to the log writes the file's header when it ends, after it has returned its row.
    @Test(arguments: ["", "-journal"])
    func `a file that cannot be switched to the log is not opened`(end: String) throws {
        var database: OpaquePointer?
        sqlite3_open(directory.store.path, &database)
        sqlite3_exec(database, "CREATE TABLE t (x); DROP TABLE t", nil, nil, nil)
        sqlite3_close(database)
        fail(.sync, of: store + end)
        #expect(throws: StoreError.self) { try self.coordinator() }
        let coordinator = try coordinator()
        try add("kept", to: coordinator)
        #expect(FileManager.default.fileExists(atPath: directory.store.path + "-wal"))
        try coordinator.close()
    }

    @Test func `a damaged page is told as damage`() throws {
        let first = try coordinator()
        for number in 0..<100 { try add("note \(number)", to: first) }
        try first.close()
        let file = try FileHandle(forWritingTo: directory.store)
        let size = try file.seekToEnd()
        for page in 1..<(size / 4096) {
            try file.seek(toOffset: page * 4096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 100))
        }
        try file.close()
        let error = #expect(throws: StoreError.self) { try texts(coordinator()) }
        #expect(error?.code == .corrupt)
    }
}
