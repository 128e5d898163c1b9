import DataMonk
import Foundation
import JSONFolderStore
import Testing

/// Files in the folder of a store that are not the store's.
@Suite struct `Files beside a store's own` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "DataMonk-\(UUID())")

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Note") { AttributeDescription("text", .string) }
            EntityDescription("Tag") { AttributeDescription("text", .string) }
        }
    }

    private func withStack(
        _ description: StoreDescription, _ body: (ManagedObjectContext) throws -> Void
    ) async throws {
        let stack = Stack(model: try Self.model())
        try await stack.addStore(description)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try body(context)
        context.endTurn()
        try stack.close()
    }

    private func add(to context: ManagedObjectContext) throws {
        for entity in context.coordinator.model.entities {
            try context.insert(entity).setValue("text", forKey: "text")
            try context.save()
        }
    }

    private var names: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test(arguments: [true, false]) func `stay where they are`(isAtomic: Bool) async throws {
        // Nothing may have been saved.
        defer { try? FileManager.default.removeItem(at: folder) }
        let foreign = ["Letters", "Letters/mine.txt", "notes.json", "\(UUID()).json"]
        try FileManager.default.createDirectory(
            at: folder.appending(path: foreign[0]), withIntermediateDirectories: true)
        for name in foreign.dropFirst() { try Data("mine".utf8).write(to: folder.appending(path: name)) }
        for _ in 0..<2 {
            try await withStack(isAtomic ? .custom(JSONFolder(folder)) : .custom(JSONRecords(folder)), add)
            #expect(try Set(names).isSuperset(of: foreign))
        }
        #expect(try names.count { $0.hasSuffix(".contents") || $0.hasSuffix(".index") } == 1)
    }

    @Test func `are not touched by a store that is opened for reading only`() async throws {
        // Nothing may have been saved.
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withStack(.custom(JSONRecords(folder)), add)
        for name in ["\(UUID()).records", "\(UUID()).index"] {
            try Data("{}".utf8).write(to: folder.appending(path: name))
        }
        let before = try names
        try await withStack(.custom(JSONRecords(folder), readOnly: true)) { context in
            let count = try context.count(FetchRequest(entityName: "Note"))
            #expect(count == 1)
        }
        #expect(try names == before)
    }

    @Test func `do not hide that the objects of an entity are missing`() async throws {
        // Nothing may have been saved.
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withStack(.custom(JSONFolder(folder)), add)
        let file = try #require(try names.first { $0.hasSuffix("Note.json") })
        try FileManager.default.removeItem(at: folder.appending(path: file))
        let error = await #expect(throws: StoreError.self) {
            try await withStack(.custom(JSONFolder(folder))) { _ in }
        }
        #expect(error?.code == .openFailed && error?.underlyingError != nil)
    }
}
