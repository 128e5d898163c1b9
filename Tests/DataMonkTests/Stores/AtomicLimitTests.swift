import DataMonk
import Foundation
import Testing

/// What files that are saved as a whole hold, and what they refuse, at their limits.
@Suite struct `Limits of files saved as a whole` {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Limits.file") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: AtomicKind.allCases)
    func `references to deleted objects are left out, and the file opens again`(kind: AtomicKind) async throws {
        let model = try ManagedObjectModel {
            EntityDescription("Box") {
                RelationshipDescription(
                    "kept", to: "Note", inverse: "keeper", isToMany: true, deleteRule: .noAction)
            }
            EntityDescription("Note") {
                RelationshipDescription("box", to: "Box")
                RelationshipDescription("keeper", to: "Box", inverse: "kept")
            }
        }
        let stack = Stack(model: model)
        try await stack.addStore(kind.description(url))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let box = try context.insert("Box")
        try context.insert("Note", ["box": .object(box.anyObjectID), "keeper": .object(box.anyObjectID)])
        try context.save()
        context.delete(box)
        try context.save()
        context.endTurn()
        try stack.close()
        let again = Stack(model: model)
        try await again.addStore(kind.description(url))
        let other = ManagedObjectContext(coordinator: again.coordinator)
        let note = try #require(try other.fetch(FetchRequest(entityName: "Note")).first)
        #expect(try note.value(forKey: "box") == .null && note.value(forKey: "keeper") == .null)
        other.endTurn()
        try again.close()
    }

    @Test(arguments: AtomicKind.allCases)
    func `metadata comes back, however deep and to the microsecond`(kind: AtomicKind) async throws {
        var deep = ManagedValue.string("core")
        for number in 0..<90 { deep = number.isMultiple(of: 2) ? .list([deep]) : .dictionary(["next": deep]) }
        let dates = [0.0, 0.25, -1.5, 801_234_567.123_457, 0.000_001].map {
            ManagedValue.date(Date(timeIntervalSinceReferenceDate: $0))
        }
        let stack = try await kind.open(url)
        try stack.coordinator.setMetadata(["deep": deep, "dates": .list(dates)], ofStoreAt: url)
        try AtomicKind.add("text", to: stack)
        try stack.close()
        let again = try await kind.open(url)
        let metadata = try again.coordinator.metadata(ofStoreAt: url)
        #expect(metadata["deep"] == deep && metadata["dates"] == .list(dates))
        try again.close()
    }

    @Test func `an object beyond the last key is refused`() async throws {
        struct Full: AtomicStore {
            var typeName: String { "Full" }
            func load(model: ManagedObjectModel) -> AtomicContents? {
                var contents = AtomicContents(identifier: UUID())
                contents.lastID = 1 << 46 - 1
                return contents
            }
            func save(_ contents: AtomicContents, model: ManagedObjectModel) {}
        }
        let stack = Stack(model: try AtomicKind.model())
        try await stack.addStore(.custom(Full()))
        let error = #expect(throws: StoreError.self) { try AtomicKind.add("text", to: stack) }
        #expect(error?.code == .operationFailed)
        try stack.close()
    }

    @Test(arguments: AtomicKind.allCases)
    func `a damaged backup and the file itself replace nothing`(kind: AtomicKind) async throws {
        let stack = try await kind.open(url)
        try AtomicKind.add("text", to: stack)
        try stack.close()
        let bytes = try Data(contentsOf: url)
        let backup = folder.file("Backup.file")
        try bytes.prefix(bytes.count - 20).write(to: backup)
        for (source, code) in [(backup, StoreError.Code.corrupt), (url, .fileExists)] {
            let error = await #expect(throws: StoreError.self) {
                try await Stack.replaceStore(kind.description(url), with: kind.description(source))
            }
            #expect(error?.code == code)
        }
        try Data("<?xml version=\"1.0\"?><databases/>".utf8).write(to: backup)
        let error = await #expect(throws: StoreError.self) {
            try await Stack.destroyStore(.xml(fileURL: backup))
        }
        #expect(error?.code == .invalidType)
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test(arguments: AtomicKind.allCases)
    func `a migration makes the file with its commit, and replaces none`(kind: AtomicKind) async throws {
        let school = try School()
        let stack = Stack(model: try School.model.get())
        let target = url
        try await stack.migrateStore(.database(fileURL: school.url), to: kind.description(target)) { _ in
            guard !FileManager.default.fileExists(atPath: target.path) else { throw CocoaError(.fileWriteFileExists) }
        }
        try FileManager.default.removeItem(at: target)
        let error = await #expect(throws: StoreError.self) {
            try await stack.migrateStore(.database(fileURL: school.url), to: kind.description(target)) { progress in
                if progress.completedUnitCount == 0 { try Data("mine".utf8).write(to: target) }
            }
        }
        #expect(error?.code == .fileMoved)
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
    }
}
