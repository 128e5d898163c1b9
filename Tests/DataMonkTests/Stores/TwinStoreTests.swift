import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// A file that a stack has already, by another name: each of its objects would be there twice, with one URI.
@Suite struct `A store that is added to a stack twice` {
    private let folder: TemporaryFolder
    private let stack: Stack
    private var url: URL { folder.file("Notes.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        let model = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } }
        stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: folder.file("Notes.sqlite"), synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert(stack.model.entities[0]).setValue("one", forKey: "text")
        try context.save()
    }

    private func expectRefusal(of other: URL) throws {
        let error = try #require(throws: StoreError.self) {
            try stack.addDatabaseStore(fileURL: other, synchronous: .normal)
        }
        #expect(error.code == .openFailed && error.message.contains(url.path))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        #expect(try context.count(FetchRequest(entityName: "Note")) == 1)
        try context.insert(stack.model.entities[0]).setValue("two", forKey: "text")
        try context.save()
        #expect(try context.count(FetchRequest(entityName: "Note")) == 2)
    }

    @Test func `is refused behind a link`() throws {
        let link = folder.file("Link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        try expectRefusal(of: link)
    }

    @Test func `is refused as a copy`() throws {
        let copy = folder.file("Copy.sqlite")
        _ = try StoreCopy.rows(url, "VACUUM INTO '\(copy.path)'")
        try expectRefusal(of: copy)
    }
}
