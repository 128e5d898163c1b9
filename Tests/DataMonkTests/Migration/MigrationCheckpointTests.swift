import DataMonk
import Foundation
import Testing

/// A migration is committed in the log; moving the log into the file comes after that.
@Suite(.serialized) struct `The checkpoint after a migration` {
    private enum Versions {
        static func first() throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Aardvark") { AttributeDescription("text", .string) }
                EntityDescription("Note") { AttributeDescription("text", .string) }
            }
        }

        /// An entity that sorts before the notes: their table is rebuilt, and the file grows a little.
        static func second() throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Aardvark") { AttributeDescription("text", .string) }
                EntityDescription("Album", properties: [])
                EntityDescription("Note") { AttributeDescription("text", .string) }
            }
        }
    }

    /// Migrates in a process whose files may not grow.
    private static func migrate(_ url: URL) throws {
        signal(SIGXFSZ, SIG_IGN)
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
        let stack = Stack(model: try Versions.second())
        try stack.addDatabaseStore(fileURL: url) { progress in
            guard progress.fractionCompleted == 1 else { return }
            // The log is far smaller than the file.
            var limit = rlimit()
            _ = getrlimit(.init(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = rlim_t(size)
            _ = setrlimit(.init(RLIMIT_FSIZE.rawValue), &limit)
        }
        #expect(stack.lastError is StoreError, "\(String(describing: stack.lastError))")
        #expect(stack.coordinator.stores.count == 1)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        #expect(try context.count(FetchRequest(entityName: "Note")) == 20)
        context.endTurn()
    }

    @Test func `may fail, and the migration stands`() async throws {
        let stage = try MigrationStage()
        try stage.write(Versions.first()) { context in
            let text = ManagedValue.string(String(repeating: "x", count: 5_000))
            for _ in 0..<200 { try context.insert("Aardvark", ["text": text]) }
            for _ in 0..<20 { try context.insert("Note", ["text": text]) }
        }
        let path = stage.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Self.migrate(URL(fileURLWithPath: path))
        }
        #expect(try stage.text("SELECT count(*) FROM Z_PRIMARYKEY") == "3")
        #expect(try stage.contents(Versions.second(), discarding: []).objects.count == 220)
    }
}
