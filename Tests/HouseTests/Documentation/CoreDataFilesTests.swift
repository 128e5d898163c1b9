import DataMonk
import Foundation
import Testing

/// The snippets on Core Data's files.
@Suite struct CoreDataFilesTests {
    @Test func `the article's snippets run`() throws {
        let bundleURL = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).bundle")
        let compiled = bundleURL.appending(path: "Shop.momd")
        try FileManager.default.createDirectory(at: compiled, withIntermediateDirectories: true)
        let source = try ManagedObjectModel {
            EntityDescription("Note") { AttributeDescription("tags", .transformable) }
        }
        try ModelArchiveWriter.archive(of: source).write(to: compiled.appending(path: "Shop.mom"))
        #expect(try Self.tags(try Self.model(bundleURL)) == .list(["urgent", "paid"]))
        try FileManager.default.removeItem(at: bundleURL)
    }

    private static func model(_ bundleURL: URL) throws -> ManagedObjectModel {
        let model = try ManagedObjectModel.load(contentsOf: bundleURL.appending(path: "Shop.momd"))
        return model
    }

    private static func tags(_ model: ManagedObjectModel) throws -> ManagedValue {
        let stack = Stack(model: model)
        try stack.addInMemoryStore()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let note = try context.insert(model.entities[0])
        try note.setTransformedValue(.list(["urgent", "paid"]), forKey: "tags")
        try context.save()
        return try note.transformedValue(forKey: "tags")
    }
}
