import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// Files that somebody else holds, or that this user may not write. Each waits for the store's deadline of five seconds.
@Suite struct `Store files that are locked or protected` {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } }
    }

    private func makeStore() throws -> Stack {
        let stack = Stack(model: try Self.model())
        try stack.addDatabaseStore(fileURL: url)
        return stack
    }

    @Test func `a file that has to be migrated while another holds it for writing is told as locked`() throws {
        try makeStore().close()
        let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        try other.begin(.immediate)
        let model = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("title", .string) } }
        let stack = Stack(model: model)
        let error = #expect(throws: StoreError.self) {
            try stack.addDatabaseStore(fileURL: url, resetOnFailure: true, busyTimeout: .milliseconds(100))
        }
        #expect(error?.code == .locked && error?.storeURL == url)
        try other.rollback()
        try other.close()
        try stack.addDatabaseStore(fileURL: url)
    }

    @Test func `a commit that finds the file locked keeps its changes, and succeeds afterwards`() throws {
        let stack = try makeStore()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let note = try context.insert(stack.model.entities[0])
        let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        try other.begin(.immediate)
        // Readers do not care.
        #expect(try context.count(FetchRequest(entityName: "Note")) == 1)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .locked)
        #expect(note.isInserted && context.hasChanges)
        try other.rollback()
        try context.save()
        #expect(!note.objectID.isTemporaryID)
    }

    // MARK: Permissions

    /// The superuser may write everything: such a process becomes nobody first.
    private static func becomeNobody() throws {
        guard geteuid() == 0 else { return }
        try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
    }

    private static func refusal(_ path: String) throws -> StoreError? {
        try becomeNobody()
        let stack = Stack(model: try model())
        do {
            try stack.addDatabaseStore(fileURL: URL(fileURLWithPath: path), resetOnFailure: true)
            return nil
        } catch let error as StoreError {
            return error
        }
    }

    private func setPermissions(_ permissions: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    @Test func `a folder that may not be written is named`() async throws {
        try setPermissions(0o555, folder.url.path)
        let path = url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let error = try Self.refusal(path)
            #expect(error?.code == .noWritePermission)
            #expect(error?.message.contains("store.sqlite") == true)
        }
        try setPermissions(0o755, folder.url.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `a file that may only be read is named`() async throws {
        try makeStore().close()
        try setPermissions(0o444, url.path)
        try setPermissions(0o555, folder.url.path)
        let path = url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let error = try Self.refusal(path)
            #expect(error?.code == .readOnly)
        }
        try setPermissions(0o755, folder.url.path)
        try setPermissions(0o644, url.path)
        try makeStore().close()
    }

    @Test(arguments: [(0o444, 0o777), (0o666, 0o555)])
    func `a plan says of a file that may not be written what opening says`(file: Int, folder: Int) async throws {
        try makeStore().close()
        try setPermissions(file, url.path)
        try setPermissions(folder, self.folder.url.path)
        let path = url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Self.becomeNobody()
            let model = try ManagedObjectModel {
                EntityDescription("Note") {
                    AttributeDescription("text", .string)
                    AttributeDescription("title", .string)
                }
            }
            for model in [try Self.model(), model] {
                let store = StoreDescription.database(fileURL: URL(fileURLWithPath: path))
                let planned = await #expect(throws: StoreError.self) {
                    _ = try await Stack(model: model).migrationPlan(for: store)
                }
                let opened = await #expect(throws: StoreError.self) { try await Stack(model: model).addStore(store) }
                #expect(planned?.code == opened?.code && planned?.code == .readOnly, "\(planned as Any)")
            }
        }
        try setPermissions(0o755, self.folder.url.path)
    }

    @Test func `a file that may not even be read is named`() async throws {
        try makeStore().close()
        try setPermissions(0o000, url.path)
        let path = url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let error = try Self.refusal(path)
            #expect(error?.code == .noWritePermission || error?.code == .noReadPermission)
        }
    }
}
