import DataMonk
import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// A uniqueness constraint over data in external files, which Core Data accepts.
@Suite struct `Unique data of a stored model` {
    @Test func `is a conflict if it is in its row, and never compared if it is in a file`() throws {
        let folder = try TemporaryFolder()
        let photo = EntityDescription("Photo", uniquenessConstraints: [["image"]]) {
            AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)
        }
        let model = try ArchivedModel(contents: ModelContents(entities: [photo])).model().model
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: folder.file("Photos.sqlite"), synchronous: .normal)
        func save(_ image: Data) throws {
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            _ = try context.insert("Photo", ["image": .data(image)])
            try context.save()
        }
        try save(Data([1, 2, 3]))
        let error = #expect(throws: SaveError.self) { try save(Data([1, 2, 3])) }
        #expect(error?.code == .constraintConflict && error?.conflicts.map(\.constraint) == [["image"]])
        for _ in 0..<2 { try save(Data(repeating: 7, count: 200_000)) }
        #expect(
            try ManagedObjectContext(coordinator: stack.coordinator).count(FetchRequest(entityName: "Photo")) == 3)
        try stack.close()
    }
}
