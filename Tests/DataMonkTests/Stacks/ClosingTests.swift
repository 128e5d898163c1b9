import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// What `close()` leaves open: nothing.
@Suite struct `Closing a stack` {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    private func stack() throws -> Stack {
        let model = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } }
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url)
        return stack
    }

    /// Throws if anybody has the file open.
    private func openAlone() throws {
        var options = SQLiteOptions(access: .readWrite)
        options.isExclusive = true
        options.busyTimeout = .zero
        try SQLiteConnection(fileURL: url, options: options).close()
    }

    @Test @MainActor func `frees the file that the same turn of the main actor has read`() throws {
        let stack = try stack()
        let world = try MainContext(stack: stack)
        #expect(try world.count(entityName: "Note") == 0)
        try stack.close()
        try openAlone()
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        #expect(throws: StoreError.self) { try world.count(entityName: "Note") }
    }

    @Test @MainActor func `frees the file that a draft of the same turn has read`() throws {
        let stack = try stack()
        let world = try MainContext(stack: stack)
        let draft = world.draft()
        #expect(try draft.managedObjectContext.count(FetchRequest(entityName: "Note")) == 0)
        try stack.close()
        try openAlone()
    }

    @Test @MainActor func `frees it elsewhere, too, once the main actor is free`() async throws {
        let stack = try stack()
        let world = try MainContext(stack: stack)
        #expect(try world.count(entityName: "Note") == 0)
        try await stack.closeStores()
        try openAlone()
        withExtendedLifetime(world) {}
    }

    @Test @MainActor func `does not wait for the main actor`() throws {
        let stack = try stack()
        let world = try MainContext(stack: stack)
        #expect(try world.count(entityName: "Note") == 0)
        let closed = DispatchSemaphore(value: 0)
        let failures = Locked<[any Error]>([])
        Thread.detachNewThread {
            do { try stack.close() } catch { failures.withLock { $0.append(error) } }
            closed.signal()
        }
        // The main actor is held until the other thread is done.
        closed.wait()
        #expect(failures.withLock { $0.isEmpty })
        withExtendedLifetime(world) {}
    }
}
