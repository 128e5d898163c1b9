import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Large values of a store that several stacks or processes have open: a row never names a file that is gone.
@Suite struct `Large values of a store that others have open` {
    private let shop: PhotoShop

    init() throws { shop = try PhotoShop() }

    private static let older = PhotoShop.bytes(200_000)
    private static let newer = PhotoShop.bytes(150_000)

    /// Gives the photo another image, and closes the store, which sweeps.
    private static func replaceImage(at url: URL, _ dataFolder: URL) throws {
        let stack = try PhotoShop.openStack(at: url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let photo = try #require(try context.fetch(FetchRequest(entityName: "Photo")).first)
        try photo.setValue(.data(newer), forKey: "image")
        try context.save()
        context.endTurn()
        try PhotoShop.age(dataFolder)
        try stack.close()
    }

    /// A stack with the store open, and a photo in it as it was before its image was replaced elsewhere.
    ///
    /// The folder of large values is not there when the stack is opened, and nothing of it has been read.
    private func openStaleStack(
        policy: MergePolicy, replacing: () async throws -> Void
    ) async throws -> (Stack, ManagedObjectContext, ManagedObject) {
        let stack = try shop.openStack()
        let other = try shop.openStack()
        let writer = ManagedObjectContext(coordinator: other.coordinator)
        try shop.insert("one", Self.older, writer)
        try writer.save()
        let context = ManagedObjectContext(
            coordinator: stack.coordinator, mergePolicy: policy, followsCommits: false)
        let photo = try #require(try context.fetch(FetchRequest(entityName: "Photo")).first)
        #expect(try photo.value(forKey: "name") == "one")
        context.endTurn()
        try other.close()
        try await replacing()
        return (stack, context, photo)
    }

    @Test(arguments: [false, true])
    func `are not written into a folder that was moved`(isReplaced: Bool) throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("one", Self.older, context)
        try context.save()
        let support = shop.dataFolder.deletingLastPathComponent()
        let elsewhere = shop.folder.file("elsewhere")
        try FileManager.default.moveItem(at: support, to: elsewhere)
        if isReplaced {
            try FileManager.default.createDirectory(at: shop.dataFolder, withIntermediateDirectories: true)
        }
        try shop.insert("two", Self.newer, context)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .fileMoved && error?.message.contains(".Shop_SUPPORT") == true)
        if isReplaced { try FileManager.default.removeItem(at: support) }
        try FileManager.default.moveItem(at: elsewhere, to: support)
        try context.save()
        #expect(try shop.images(stack) == ["one": .data(Self.older), "two": .data(Self.newer)])
        try stack.close()
        #expect(try shop.files().count == 2)
    }

    private func replaceElsewhere() async throws {
        await #expect(processExitsWith: .success) {
            [url = shop.url as URL, dataFolder = shop.dataFolder as URL] in
            try `Large values of a store that others have open`.replaceImage(at: url, dataFolder)
        }
    }

    @Test(arguments: [false, true])
    func `are there for whoever has an older row`(inOtherProcess: Bool) async throws {
        let (stack, context, photo) = try await openStaleStack(policy: .overwrite) {
            if inOtherProcess { return try await replaceElsewhere() }
            try Self.replaceImage(at: shop.url, shop.dataFolder)
        }
        #expect(try photo.value(forKey: "image") == .data(Self.older))
        // The older row is written back, over the newer one.
        try photo.setValue("two", forKey: "name")
        try context.save()
        context.endTurn()
        try shop.age()
        try stack.close()
        let reopened = try shop.openStack()
        #expect(try shop.images(reopened) == ["two": .data(Self.older)])
        #expect(try shop.files().count == 1)
    }

    @Test func `whose files are gone are not written back`() async throws {
        let (stack, context, photo) = try await openStaleStack(policy: .overwrite) {
            try Self.replaceImage(at: shop.url, shop.dataFolder)
            let kept = try shop.rows("SELECT substr(ZIMAGE, 2, 36) FROM ZPHOTO")[0][0]
            for name in try shop.files() where name != kept {
                try FileManager.default.removeItem(at: shop.dataFolder.appending(path: name))
            }
        }
        try photo.setValue("two", forKey: "name")
        let thrown = try #require(throws: (any Error).self) { try context.save() }
        // The merge policy has looked at the value that cannot be read.
        let error = try #require(thrown as? SaveError)
        #expect(error.code == .unreadValues && error.failedAccesses.map(\.objectID.entityName) == ["Photo"])
        context.rollback()
        #expect(try shop.images(stack) == ["one": .data(Self.newer)])
        try stack.close()
        #expect(try shop.images(shop.openStack()) == ["one": .data(Self.newer)])
    }

    @Test func `make the folder when the store is opened, and are locked until it is closed`() throws {
        let stack = try shop.openStack()
        let folder = open(shop.dataFolder.path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        #expect(folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0)
        #expect(flock(folder, LOCK_SH | LOCK_NB) == 0 && flock(folder, LOCK_UN) == 0)
        try stack.close()
        #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
    }

    @Test func `have no folder where the model asks for none`() throws {
        let folder = try TemporaryFolder()
        let stack = Stack(
            model: try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } })
        try stack.addDatabaseStore(fileURL: folder.file("Notes.sqlite"), synchronous: .normal)
        #expect(!FileManager.default.fileExists(atPath: folder.file(".Notes_SUPPORT").path))
    }
}
