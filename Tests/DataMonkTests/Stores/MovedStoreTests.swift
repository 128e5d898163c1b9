import DataMonk
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// A store file that is moved, deleted or replaced while a stack has it open.
@Suite struct `A store whose files are moved` {
    enum Event: CaseIterable { case deleted, renamed, replaced, folderRenamed, logDeleted, indexDeleted }

    /// When it happens: before a commit, or as a statement of it begins.
    enum Moment: String, CaseIterable { case before, atBegin = "BEGIN", atInsert = "INSERT", atCommit = "COMMIT" }

    private let folder: TemporaryFolder
    private let url: URL
    private let plan = Locked<Plan?>(nil)

    /// What happens when a statement begins.
    private struct Plan: Sendable {
        let prefix: String
        let event: Event
    }

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("a/store.sqlite")
        // What is put in the place of the store: a backup with an object of its own.
        let backup = try Self.stack(folder.file("backup.sqlite"))
        try Self.add("backup", to: backup)
        try backup.close()
    }

    private static func stack(_ url: URL, trace: (@Sendable (String) -> Void)? = nil) throws -> Stack {
        let model = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } }
        let stack = Stack(model: model, trace: trace)
        try stack.addDatabaseStore(fileURL: url)
        return stack
    }

    private static func add(_ text: String, to stack: Stack) throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert(stack.model.entities[0]).setValue(.string(text), forKey: "text")
        try context.save()
    }

    private static func texts(_ stack: Stack) throws -> [ManagedValue] {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        return try context.fetch(FetchRequest(entityName: "Note")).map { try $0.value(forKey: "text") }
    }

    private static func texts(at url: URL) throws -> [ManagedValue] {
        let stack = try stack(url)
        let texts = try texts(stack)
        try stack.close()
        return texts
    }

    private static func waitForClockStep() {
        #if os(Linux)
            let clock = CLOCK_MONOTONIC_COARSE
        #else
            let clock = CLOCK_MONOTONIC_RAW_APPROX
        #endif
        var (start, now) = (timespec(), timespec())
        clock_gettime(clock, &start)
        repeat { clock_gettime(clock, &now) } while now.tv_nsec / 1_000_000 == start.tv_nsec / 1_000_000
    }

    private static func carryOut(_ event: Event, _ url: URL) {
        let path = url.path
        let folder = url.deletingLastPathComponent().path
        let backup = url.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("backup.sqlite")
        let result =
            switch event {
            case .deleted: unlink(path)
            case .renamed: rename(path, path + ".moved")
            case .replaced: rename(backup.path, path)
            case .folderRenamed: rename(folder, folder + ".moved")
            case .logDeleted: unlink(path + "-wal")
            case .indexDeleted: unlink(path + "-shm")
            }
        #expect(result == 0)
    }

    /// A stack over a store with an object, whose next statement that begins with a moment's word carries an event out.
    private func stackThatLoses(_ event: Event, at moment: Moment) throws -> Stack {
        let (plan, url) = (plan, url)
        let stack = try Self.stack(url) { statement in
            let event = plan.withLock { plan -> Event? in
                guard let next = plan, statement.hasPrefix(next.prefix) else { return nil }
                plan = nil
                return next.event
            }
            if let event { Self.carryOut(event, url) }
        }
        try Self.add("kept", to: stack)
        // Within the same step of the clock, the look after this commit would answer for the next BEGIN too.
        Self.waitForClockStep()
        if moment == .before {
            Self.carryOut(event, url)
        } else {
            plan.withLock { $0 = Plan(prefix: moment.rawValue, event: event) }
        }
        return stack
    }

    /// The index of the log is looked at ten times a second only.
    @Test(arguments: Event.allCases.filter { $0 != .indexDeleted }, Moment.allCases)
    func `acknowledges no commit, at any moment of it`(
        event: Event, moment: Moment
    ) throws {
        let stack = try stackThatLoses(event, at: moment)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert(stack.model.entities[0]).setValue(.string("lost"), forKey: "text")
        let error = #expect(throws: StoreError.self) { try context.save() }
        // From then on the commit was under way, into the file that had gone. The log is looked at after COMMIT only.
        let isUnknown = moment == .atInsert || moment == .atCommit || event == .logDeleted
        let cause = isUnknown ? error?.underlyingError as? StoreError : error
        #expect(error?.code == (isUnknown ? .outcomeUnknown : .fileMoved) && error?.storeURL == url, "\(error as Any)")
        #expect(cause?.code == .fileMoved && error?.message.contains("store.sqlite") == true)
        #expect(error?.message.contains("unknown whether the changes were saved") == isUnknown, "\(error as Any)")
        #expect(context.hasChanges)

        // It stays so, whatever comes back.
        #expect(throws: StoreError.self) { try context.save() }
        #expect(throws: StoreError.self) { try Self.texts(stack) }
        try stack.close()
        try expectNothingLost(event)
        guard event == .renamed || event == .folderRenamed else { return }
        let moved = event == .renamed ? URL(fileURLWithPath: url.path + ".moved") : folder.file("a.moved/store.sqlite")
        #expect(try Self.texts(at: moved).contains("lost") == isUnknown)
    }

    /// What was committed before is where the file is by now, and what lies in its place is as it was put there.
    private func expectNothingLost(_ event: Event) throws {
        switch event {
        case .deleted: #expect(!FileManager.default.fileExists(atPath: url.path))
        case .renamed: #expect(try Self.texts(at: URL(fileURLWithPath: url.path + ".moved")).contains("kept"))
        case .replaced: #expect(try Self.texts(at: url) == ["backup"])
        case .folderRenamed: #expect(try Self.texts(at: folder.file("a.moved/store.sqlite")).contains("kept"))
        case .logDeleted, .indexDeleted: #expect(try Self.texts(at: url).contains("kept"))
        }
    }

    @Test func `is not read through a new connection, which would lay the old log over the new file`() throws {
        let stack = try Self.stack(url)
        try Self.add("kept", to: stack)
        Self.carryOut(.replaced, url)
        let error = #expect(throws: StoreError.self) { try Self.texts(stack) }
        #expect(error?.code == .fileMoved)
        try stack.close()
        #expect(try Self.texts(at: url) == ["backup"])
    }

    @Test(arguments: Event.allCases) func `is noticed by who only reads`(event: Event) throws {
        let stack = try Self.stack(url)
        try Self.add("kept", to: stack)
        #expect(try Self.texts(stack) == ["kept"])
        Self.carryOut(event, url)
        // The files are looked at ten times a second, while somebody reads.
        let deadline = ContinuousClock.now + .seconds(600)
        var code: StoreError.Code?
        while code == nil, .now < deadline {
            do { _ = try Self.texts(stack) } catch let error as StoreError { code = error.code }
        }
        #expect(code == .fileMoved)
        try stack.close()
        try expectNothingLost(event)
    }

    /// A folder above is looked at ten times a second only: what is committed meanwhile is in the store that was moved.
    @Test(arguments: [true, false])
    func `keeps every acknowledged commit if a folder above is renamed`(afterClockStep: Bool) throws {
        let url = folder.file("above/below/store.sqlite")
        let stack = try Self.stack(url)
        try Self.add("kept", to: stack)
        if afterClockStep { Self.waitForClockStep() }
        #expect(rename(folder.file("above").path, folder.file("moved").path) == 0)
        let deadline = ContinuousClock.now + .seconds(600)
        var (count, failure) = (1, StoreError?.none)
        while failure == nil, .now < deadline {
            do {
                try Self.add("note", to: stack)
                count += 1
            } catch let error as StoreError { failure = error }
        }
        try stack.close()
        // A COMMIT may have run whose check then found the file gone: the error says that nobody knows, and the row is there.
        let isUnknown = failure?.code == .outcomeUnknown
        let cause = isUnknown ? failure?.underlyingError as? StoreError : failure
        #expect(cause?.code == .fileMoved, "\(failure as Any)")
        if isUnknown { count += 1 }
        #expect(try Self.texts(at: folder.file("moved/below/store.sqlite")).count == count)
    }

    @Test func `takes no transaction for metadata either`() throws {
        try Self.stack(url).close()
        let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        Self.carryOut(.replaced, url)
        let error = #expect(throws: SQLiteFailure.self) { try connection.begin(.immediate) }
        #expect(error.map { StoreError($0, storeURL: url).code } == .fileMoved)
        #expect(!connection.isInTransaction)
    }

    @Test func `a store that nobody moves goes on, a link to it followed`() throws {
        try Self.stack(url).close()
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let stack = try Self.stack(link)
        for number in 0..<3 { try Self.add("note \(number)", to: stack) }
        #expect(try Self.texts(stack).count == 3)
        try stack.close()
    }
}
