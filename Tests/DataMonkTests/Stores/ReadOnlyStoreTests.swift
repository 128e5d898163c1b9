import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// Stores that are opened for reading, alone or while others write.
@Suite struct `Opening a store to read` {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    private static func model(_ attribute: String = "text") throws -> ManagedObjectModel {
        try ManagedObjectModel { EntityDescription("Note") { AttributeDescription(attribute, .string) } }
    }

    private static func stack(
        _ url: URL, busyTimeout: Duration = .seconds(5), readOnly: Bool = false, immutable: Bool = false
    ) throws -> Stack {
        let stack = Stack(model: try model())
        try stack.addDatabaseStore(
            fileURL: url, busyTimeout: busyTimeout, readOnly: readOnly, immutable: immutable)
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

    private func makeStore() throws {
        let stack = try Self.stack(url)
        try Self.add("kept", to: stack)
        try stack.close()
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    // MARK: Beside a writer

    @Test(arguments: [false, true]) func `needs no lock that a writer has`(readOnly: Bool) throws {
        try makeStore()
        let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        try other.begin(.immediate)
        let stack = try Self.stack(url, busyTimeout: .zero, readOnly: readOnly)
        #expect(try Self.texts(stack) == ["kept"])
        try stack.close()
        try other.rollback()
    }

    @Test func `with a history needs no lock either once there is one`() throws {
        let first = Stack(model: try Self.model())
        try first.addDatabaseStore(fileURL: url, tracksHistory: true)
        try Self.add("kept", to: first)
        let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        try other.begin(.immediate)
        let stack = Stack(model: try Self.model())
        try stack.addDatabaseStore(fileURL: url, tracksHistory: true, busyTimeout: .zero)
        #expect(try stack.history().count == 1)
        try other.rollback()
    }

    @Test func `a commit waits no longer than its busy timeout`() throws {
        try makeStore()
        let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        let stack = try Self.stack(url, busyTimeout: .zero)
        try other.begin(.immediate)
        let error = #expect(throws: StoreError.self) { try Self.add("late", to: stack) }
        #expect(error?.code == .locked && error?.message.contains("busyTimeout") == true)
        try other.rollback()
        try Self.add("later", to: stack)
    }

    // MARK: Reading alone

    @Test(arguments: [false, true]) func `writes nothing, and keeps the changes of who tries`(immutable: Bool) throws {
        try makeStore()
        let bytes = try Data(contentsOf: url)
        let stack = try Self.stack(url, readOnly: !immutable, immutable: immutable)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert(stack.model.entities[0]).setValue("new", forKey: "text")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .readOnly && error?.storeURL == url)
        #expect(context.hasChanges)
        #expect(throws: StoreError.self) {
            try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Note")))
        }
        #expect(throws: StoreError.self) { try stack.coordinator.setMetadata(["a": .int(1)], ofStoreAt: url) }
        #expect(try Self.texts(stack) == ["kept"])
        try stack.close()
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test func `makes no file, and no folder`() throws {
        let missing = folder.file("a/b.sqlite")
        for immutable in [false, true] {
            let error = #expect(throws: StoreError.self) {
                try Self.stack(missing, readOnly: !immutable, immutable: immutable)
            }
            #expect(error?.code == .fileNotFound)
        }
        #expect(try files().isEmpty)
    }

    @Test func `neither migrates a store of another version nor puts it aside`() throws {
        try makeStore()
        let bytes = try Data(contentsOf: url)
        let stack = Stack(model: try Self.model("title"))
        let error = #expect(throws: StoreError.self) {
            try stack.addDatabaseStore(fileURL: url, resetOnFailure: true, readOnly: true)
        }
        #expect(error?.code == .incompatibleVersionHash)
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test func `reads what others commit meanwhile`() throws {
        try makeStore()
        let reading = try Self.stack(url, readOnly: true)
        #expect(try Self.texts(reading) == ["kept"])
        let writing = try Self.stack(url)
        try Self.add("more", to: writing)
        #expect(try Self.texts(reading).count == 2)
    }

    @Test func `keeps a program of another version from migrating the file`() throws {
        try makeStore()
        let reading = try Self.stack(url, readOnly: true)
        let other = Stack(model: try Self.model("title"))
        let error = #expect(throws: (any Error).self) {
            try other.addDatabaseStore(fileURL: url, busyTimeout: .zero)
        }
        #expect((error as? StoreError)?.code == .locked)
        try reading.close()
    }

    @Test func `new objects go into the store that can be written to`() throws {
        try makeStore()
        let stack = Stack(model: try Self.model())
        try stack.addDatabaseStore(fileURL: url, readOnly: true)
        let own = folder.file("own.sqlite")
        try stack.addDatabaseStore(fileURL: own)
        try Self.add("new", to: stack)
        #expect(Set(try Self.texts(stack)) == ["kept", "new"])
        try stack.close()
        #expect(try Self.texts(Self.stack(own)) == ["new"])
    }

    @Test func `the description of a store takes the options, too`() async throws {
        try makeStore()
        let stack = Stack(model: try Self.model())
        try await stack.addStore(.database(fileURL: url, busyTimeout: .seconds(1), readOnly: true))
        #expect(try Self.texts(stack) == ["kept"])
        #expect(throws: StoreError.self) { try stack.addDatabaseStore(fileURL: url) }
    }

    // MARK: Immutable

    @Test func `an immutable store is read without locks, and makes no files`() throws {
        try makeStore()
        let stack = try Self.stack(url, immutable: true)
        #expect(try Self.texts(stack) == ["kept"])
        #expect(try files() == ["store.sqlite"])
        try stack.close()
    }

    @Test func `a log that would be passed over is refused`() throws {
        let writing = try Self.stack(url)
        try Self.add("in the log", to: writing)
        let error = #expect(throws: StoreError.self) { try Self.stack(url, immutable: true) }
        #expect(error?.code == .openFailed && error?.message.contains("readOnly: true") == true)
        try writing.close()
        #expect(try Self.texts(Self.stack(url, immutable: true)) == ["in the log"])
    }

    /// Closing the descriptor of a file drops the locks that a process has on it, unless SQLite knows better.
    #if os(Linux)
        @Test func `who reads a store's model leaves the locks of an open stack alone`() throws {
            try makeStore()
            let facts = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .immutable))
            let stack = try Self.stack(url)
            let held = try locks()
            // A file system over another one may list the number of that one's file.
            guard held > 0 else { return }
            try facts.close()
            #expect(try locks() == held)
            try stack.close()
        }

        /// The locks of this process on the store file.
        private func locks() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            let number = try #require(attributes[.systemFileNumber] as? NSNumber)
            let table = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
            return table.split(separator: "\n").count { $0.contains(":\(number) ") && $0.contains(" \(getpid()) ") }
        }
    #endif
}
