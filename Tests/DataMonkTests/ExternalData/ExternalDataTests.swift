import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Large values live in files beside the store, as Core Data lays them out.
@Suite struct `Large values of a store` {
    private let shop: PhotoShop

    init() throws { shop = try PhotoShop() }

    // MARK: Where they lie

    @Test func `lie in files of their own, small ones in their rows`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("small", PhotoShop.bytes(102_400), context)
        try shop.insert("large", PhotoShop.bytes(102_401), context)
        try shop.insert("none", nil, context)
        try context.save()
        let lengths = try shop.rows(
            "SELECT ZNAME, length(ZIMAGE), hex(substr(ZIMAGE, 1, 1)) FROM ZPHOTO ORDER BY ZNAME")
        #expect(lengths == [["large", "38", "02"], ["none", "", ""], ["small", "102401", "01"]])
        let name = try shop.rows("SELECT substr(ZIMAGE, 2, 36) FROM ZPHOTO WHERE ZNAME = 'large'")[0][0]
        #expect(try shop.files() == [name] && name == name.uppercased())
        #expect(try Data(contentsOf: shop.dataFolder.appending(path: name)) == PhotoShop.bytes(102_401))
        #expect(try shop.mode(of: shop.dataFolder) == 0o700)
        #expect(try shop.mode(of: shop.dataFolder.appending(path: name)) == 0o600)
    }

    @Test func `read the same in the saving context, in others, and after opening again`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let photo = try shop.insert("one", PhotoShop.bytes(300_000), context)
        try context.save()
        #expect(try photo.value(forKey: "image") == .data(PhotoShop.bytes(300_000)))
        #expect(photo.property(at: photo.entity.propertiesByName["image"]?.slot ?? 0) == PhotoShop.bytes(300_000))
        #expect(try shop.images(stack) == ["one": .data(PhotoShop.bytes(300_000))])
        try stack.close()
        #expect(try shop.images(shop.openStack()) == ["one": .data(PhotoShop.bytes(300_000))])
    }

    @Test func `stay where they are when another attribute changes`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let photo = try shop.insert("one", PhotoShop.bytes(200_000), context)
        try context.save()
        let files = try shop.files()
        try photo.setValue("two", forKey: "name")
        try context.save()
        #expect(try shop.files() == files)
        #expect(try shop.images(stack) == ["two": .data(PhotoShop.bytes(200_000))])
    }

    // MARK: Orphans

    @Test func `go when the store is closed, once no row names them`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let changed = try shop.insert("changed", PhotoShop.bytes(200_000), context)
        let deleted = try shop.insert("deleted", PhotoShop.bytes(200_000), context)
        try shop.insert("kept", PhotoShop.bytes(200_000), context)
        try context.save()
        let reader = ManagedObjectContext(coordinator: stack.coordinator, followsCommits: false)
        let older = try reader.existingObject(with: changed.anyObjectID)
        reader.endTurn()
        try changed.setValue(.data(PhotoShop.bytes(150_000)), forKey: "image")
        context.delete(deleted)
        try context.save()
        // Whoever holds an older row reads the older value.
        #expect(try older.value(forKey: "image") == .data(PhotoShop.bytes(200_000)))
        #expect(try shop.files().count == 4)
        try shop.age()
        try stack.close()
        #expect(try shop.files().count == 2)
        #expect(
            try shop.images(shop.openStack()) == [
                "changed": .data(PhotoShop.bytes(150_000)), "kept": .data(PhotoShop.bytes(200_000)),
            ])
    }

    @Test func `stay while another stack has the store open`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let photo = try shop.insert("one", PhotoShop.bytes(200_000), context)
        try context.save()
        let other = try shop.openStack()
        let reader = ManagedObjectContext(coordinator: other.coordinator)
        let object = try #require(try reader.fetch(FetchRequest(entityName: "Photo")).first)
        reader.endTurn()
        _ = try object.value(forKey: "image")
        context.delete(photo)
        try context.save()
        try stack.close()
        #expect(try object.value(forKey: "image") == .data(PhotoShop.bytes(200_000)))
        try other.close()
        try shop.age()
        try shop.openStack().close()
        #expect(try shop.files() == [])
    }

    @Test func `that a killed process left go when the store is opened, strange files stay`() throws {
        try shop.openStack().close()
        try FileManager.default.createDirectory(at: shop.dataFolder, withIntermediateDirectories: true)
        for name in [UUID().uuidString, ".\(UUID().uuidString).new", "notes.txt"] {
            try Data("left behind".utf8).write(to: shop.dataFolder.appending(path: name))
        }
        try shop.age()
        try shop.openStack().close()
        #expect(try shop.files() == ["notes.txt"])
    }

    @Test func `leave nothing behind when a save fails`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("one", nil, context)
        try context.save()
        try shop.insert("one", PhotoShop.bytes(200_000), context)
        #expect(throws: (any Error).self) { try context.save() }
        #expect(try shop.files() == [])
        context.rollback()
        try shop.insert("two", PhotoShop.bytes(200_000), context)
        try context.save()
        #expect(try shop.files().count == 1)
    }

    @Test func `are not swept where another store shares the folder's name`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let photo = try shop.insert("one", PhotoShop.bytes(200_000), context)
        try context.save()
        try Data().write(to: shop.url.deletingPathExtension().appendingPathExtension("db"))
        context.delete(photo)
        try context.save()
        try shop.age()
        try stack.close()
        #expect(try shop.files().count == 1)
    }

    @Test func `that were written within the hour stay, whoever wrote them`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        context.delete(try shop.insert("one", PhotoShop.bytes(200_000), context))
        try shop.insert("two", PhotoShop.bytes(200_000), context)
        try context.save()
        try Data("theirs".utf8).write(to: shop.dataFolder.appending(path: UUID().uuidString))
        try shop.age(by: 3_000)
        try stack.close()
        try shop.openStack().close()
        #expect(try shop.files().count == 2)
        try shop.age()
        try shop.openStack().close()
        #expect(try shop.files().count == 1)
    }

    @Test func `that a transformable value names stay`() throws {
        func openStack() throws -> Stack {
            let stack = Stack(
                model: try ManagedObjectModel {
                    EntityDescription("Photo") {
                        AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)
                        AttributeDescription("colors", .transformable, allowsExternalBinaryDataStorage: true)
                    }
                })
            try stack.addDatabaseStore(fileURL: shop.url)
            return stack
        }
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        _ = try context.insert(stack.model.entities[0])
        try context.save()
        try stack.close()
        let names = [UUID().uuidString, UUID().uuidString]
        for name in names { try Data("theirs".utf8).write(to: shop.dataFolder.appending(path: name)) }
        _ = try shop.rows("UPDATE ZPHOTO SET ZCOLORS = CAST(x'02' || '\(names[0])' || x'00' AS BLOB)")
        try shop.age()
        try openStack().close()
        #expect(try shop.files() == [names[0]])
    }

    @Test func `move aside with a store of another version`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("one", PhotoShop.bytes(200_000), context)
        try context.save()
        try stack.close()
        let other = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Photo") {
                    AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)
                }
            })
        try other.addDatabaseStore(fileURL: shop.url, autoMigrating: false, resetOnFailure: true)
        try other.close()
        #expect(try shop.files() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: shop.folder.url.path)
        let aside = try #require(names.first { $0.hasPrefix("Shop.") && !$0.hasPrefix("Shop.sqlite") })
        let kept = Stack(model: stack.model)
        try kept.addDatabaseStore(fileURL: shop.folder.file("\(aside)/Shop.sqlite"))
        #expect(try shop.images(kept) == ["one": .data(PhotoShop.bytes(200_000))])
        try kept.close()
    }

    // MARK: Files that are not what they should be

    @Test(arguments: ["missing", "link", "folder", "pipe"])
    func `whose file is gone or was replaced are an error, and the object's other values are there`(
        kind: String
    ) throws {
        let first = try shop.openStack()
        let context = ManagedObjectContext(coordinator: first.coordinator)
        try shop.insert("one", PhotoShop.bytes(200_000), context)
        try context.save()
        try first.close()
        let file = shop.dataFolder.appending(path: try #require(try shop.files().first))
        try FileManager.default.removeItem(at: file)
        switch kind {
        case "link":
            try Data("secret".utf8).write(to: shop.folder.file("secret"))
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: shop.folder.file("secret"))
        case "folder": try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        case "pipe": #expect(mkfifo(file.path, 0o600) == 0)
        default: break
        }
        let stack = try shop.openStack()
        let reported = Locked<[any Error]>([])
        stack.onError { error in reported.withLock { $0.append(error) } }
        let reader = ManagedObjectContext(coordinator: stack.coordinator)
        let object = try #require(try reader.fetch(FetchRequest(entityName: "Photo")).first)
        reader.endTurn()
        #expect(try object.value(forKey: "name") == "one")
        let error = try #require(throws: StoreError.self) { try object.value(forKey: "image") }
        #expect(error.code == (kind == "missing" ? .fileNotFound : .readFailed))
        let plain: Data? = object.property(at: object.entity.propertiesByName["image"]?.slot ?? 0)
        #expect(plain == Data() && reported.withLock { $0.count } == 1)
        try object.setValue(.data(PhotoShop.bytes(110_000)), forKey: "image")
        #expect(throws: SaveError.self) { try reader.save() }
        // The new image is no part of the old one.
        reader.disregardFailedReads()
        try reader.save()
        #expect(try shop.images(stack) == ["one": .data(PhotoShop.bytes(110_000))])
    }

    @Test func `are not looked for behind a linked folder`() throws {
        let elsewhere = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            at: shop.dataFolder.deletingLastPathComponent(), withDestinationURL: elsewhere.url)
        #expect(throws: StoreError.self) { try shop.openStack() }
    }

    @Test(arguments: ["x'02'", "x'022E2E2F2E2E2F736563726574'", "x'07AABB'", "x''", "zeroblob(38)"])
    func `that begin with neither data nor a bare name damage their row, and no other`(column: String) throws {
        let first = try shop.openStack()
        let context = ManagedObjectContext(coordinator: first.coordinator)
        try shop.insert("one", PhotoShop.bytes(10), context)
        try shop.insert("two", PhotoShop.bytes(10), context)
        try context.save()
        try first.close()
        _ = try shop.rows("UPDATE ZPHOTO SET ZIMAGE = \(column) WHERE ZNAME = 'one'")
        let reported = Locked<[any Error]>([])
        let stack = try shop.openStack { error in reported.withLock { $0.append(error) } }
        #expect(try shop.images(stack) == ["two": .data(PhotoShop.bytes(10))])
        let error = try #require(reported.withLock { $0.first } as? StoreError)
        #expect(error.code == .corrupt && error.entityName == "Photo" && error.objectURI?.contains("/Photo/p") == true)
    }

    // MARK: Merging

    @Test func `are compared by reference in conflicts, and survive them`() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let photo = try shop.insert("one", PhotoShop.bytes(200_000), context)
        try context.save()
        let other = ManagedObjectContext(
            coordinator: stack.coordinator, mergePolicy: .mergeByPropertyObjectTrump, followsCommits: false)
        let theirs = try other.existingObject(with: photo.anyObjectID)
        try theirs.setValue("theirs", forKey: "name")
        try photo.setValue(.data(PhotoShop.bytes(120_000)), forKey: "image")
        try context.save()
        try other.save()
        #expect(try shop.images(stack) == ["theirs": .data(PhotoShop.bytes(120_000))])
    }
}
