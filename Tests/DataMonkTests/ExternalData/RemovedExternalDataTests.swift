import DataMonk
import Foundation
import Testing

/// Files of large values whose attribute is gone from the model, and with it every attribute of its kind.
@Suite struct `Large values of an attribute that is gone` {
    private let shop: PhotoShop

    init() throws {
        shop = try PhotoShop()
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("one", PhotoShop.bytes(200_000), context)
        try context.save()
        context.endTurn()
        try stack.close()
    }

    /// Opens and closes the store with a model without images.
    private func openWithoutImages() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Photo", uniquenessConstraints: [["name"]]) { AttributeDescription("name", .string) }
        }
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: shop.url, discarding: .property("Photo", "image"), synchronous: .normal)
        try stack.close()
    }

    @Test func `go when the store is migrated`() throws {
        try shop.age()
        try openWithoutImages()
        #expect(try shop.files().isEmpty)
    }

    @Test func `go later, if they were young when the store was migrated`() throws {
        try openWithoutImages()
        #expect(try shop.files().count == 1)
        try shop.age()
        try openWithoutImages()
        #expect(try shop.files().isEmpty)
    }

    @Test func `stay where another store may refer to them`() throws {
        try shop.age()
        try Data().write(to: shop.url.deletingPathExtension().appendingPathExtension("store"))
        try openWithoutImages()
        #expect(try shop.files().count == 1)
    }
}
