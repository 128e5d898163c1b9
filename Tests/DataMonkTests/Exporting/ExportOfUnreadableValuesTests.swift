import DataMonk
import DataMonkTesting
import Foundation
import Testing

@Suite struct `An export of values that cannot be read` {
    private let shop = Result { try PhotoShop() }

    /// A stack over photos whose images are in files of their own, of which one is gone.
    private func stackWithMissingImage(_ shop: PhotoShop, whileWhole: (Stack) async throws -> Void) async throws
        -> Stack
    {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for number in 0..<3 { try shop.insert("p\(number)", Data(count: 200_000 + number), context) }
        try context.save()
        try await whileWhole(stack)
        let images = try FileManager.default.contentsOfDirectory(atPath: shop.dataFolder.path)
        try FileManager.default.removeItem(at: shop.dataFolder.appending(path: try #require(images.max())))
        return try shop.openStack()
    }

    @Test func `throws, and leaves the file of an earlier one as it is`() async throws {
        let shop = try shop.get()
        let file = shop.folder.file("photos.json")
        var options = ExportOptions(format: .json)
        options.replacesFile = true
        let stack = try await stackWithMissingImage(shop) { stack in
            _ = try await stack.exportRows(entityName: "Photo", to: .file(file), options: options)
        }
        let before = try Data(contentsOf: file)
        let names = try FileManager.default.contentsOfDirectory(atPath: shop.folder.url.path).sorted()
        let error = await #expect(throws: FetchError.self) {
            try await stack.exportRows(entityName: "Photo", to: .file(file), options: options)
        }
        #expect(error?.code == .unreadValues)
        #expect(try Data(contentsOf: file) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.folder.url.path).sorted() == names)
    }

    @Test(arguments: [ExportFormat.json, .jsonLines, .csv(CSVFormat())])
    func `hands a sink no substitute for them`(format: ExportFormat) async throws {
        let stack = try await stackWithMissingImage(try shop.get()) { _ in }
        let parts = Locked<[Data]>([])
        await #expect(throws: FetchError.self) {
            try await stack.exportRows(
                entityName: "Photo", to: .sink { part in parts.withLock { $0.append(part) } },
                options: ExportOptions(format: format))
        }
        // Each row that it was handed has an image.
        let text = parts.withLock { Data($0.joined()) }
        #expect(text.count { $0 == UInt8(ascii: "p") } * 266_668 <= text.count)
    }
}
