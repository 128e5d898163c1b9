import DataMonk
import Foundation
import Testing

/// What Core Data was observed to do with what belongs to a store as a whole.
@Suite struct `Scenarios of stores` {
    private func photos(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Photo") {
                AttributeDescription("name", .string)
                AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)
                attributes.map { .attribute($0) }
            }
        }
    }

    /// A file alone: what is in memory is never of another version.
    @Test(.scenario("scn/migration/004"), arguments: [true, false])
    func `large values are the same bytes after a migration`(isRebuilt: Bool) throws {
        let stage = try MigrationStage()
        let images = (0..<3).map { number in Data(PhotoShop.bytes(150_000 + number).reversed()) }
        try stage.write(photos()) { context in
            for (number, image) in images.enumerated() {
                try context.insert("Photo", ["name": .string("\(number)"), "image": .data(image)])
            }
        }
        // A new optional attribute adds a column; a required one builds the table anew.
        let model = try photos(
            AttributeDescription("rating", .integer16, isOptional: !isRebuilt, defaultValue: isRebuilt ? 3 : .null))
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var request = FetchRequest(entityName: "Photo")
        request.sortTerms = [SortTerm("name")]
        let photos = try context.fetch(request)
        #expect(try photos.map { try $0.value(forKey: "image") } == images.map { .data($0) })
        #expect(try photos.allSatisfy { try $0.value(forKey: "rating") == (isRebuilt ? 3 : .null) })
        context.endTurn()
        try stack.close()
    }

    @Test(.scenario("scn/migration/003")) func `commits that lie in the log are migrated`() throws {
        let stage = try MigrationStage()
        try stage.write(photos()) { try $0.insert("Photo", ["name": "in the file"]) }
        // A copy of a store at work: its last commit is in its log alone.
        let writer = Stack(model: try photos())
        try writer.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: writer.coordinator)
        try context.insert("Photo", ["name": "in the log"])
        try context.save()
        let copy = try TemporaryFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                at: URL(filePath: stage.url.path + suffix), to: copy.file("copy.sqlite" + suffix))
        }
        let migrated = Stack(model: try photos(AttributeDescription("rating", .integer16)))
        try migrated.addDatabaseStore(fileURL: copy.file("copy.sqlite"), synchronous: .normal)
        let reader = ManagedObjectContext(coordinator: migrated.coordinator)
        let names = try reader.fetch(FetchRequest(entityName: "Photo")).map { try $0.value(forKey: "name") }
        #expect(Set(names) == ["in the file", "in the log"])
    }

    @Test(.scenario("scn/derived/001"), arguments: Gallery.Kind.allCases)
    func `a derived value is computed by the save, and old elsewhere until it is refreshed`(kind: Gallery.Kind) throws {
        let gallery = try Gallery(kind)
        let (context, stale) = (gallery.context(), gallery.context(followsCommits: false))
        let album = try gallery.album("A", context)
        try context.save()
        let seen = try stale.existingObject(with: album.anyObjectID)
        #expect(try seen.value(forKey: "photoCount") == 0)
        stale.endTurn()
        try gallery.photo(7, in: album, context)
        #expect(try album.value(forKey: "photoCount") == 0)
        try context.save()
        #expect(try album.value(forKey: "photoCount") == 1)
        #expect(try seen.value(forKey: "photoCount") == 0)
        try stale.refresh(seen, mergeChanges: false)
        #expect(try seen.value(forKey: "photoCount") == 1)
    }

    @Test(.scenario("scn/metadata/001")) func `metadata set on a coordinator are in the file with the next save`()
        throws
    {
        let stage = try MigrationStage()
        let stack = Stack(model: try photos())
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        let coordinator = stack.coordinator
        try coordinator.setMetadata(["owner": "Monk"], ofStoreAt: stage.url)
        #expect(try coordinator.metadata(ofStoreAt: stage.url)["owner"] == "Monk")
        #expect(try Stack.metadata(ofStoreAt: stage.url)["owner"] == nil)
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert("Photo", ["name": "one"])
        try context.save()
        #expect(try Stack.metadata(ofStoreAt: stage.url)["owner"] == "Monk")
        context.endTurn()
        try stack.close()
    }

    @Test(.scenario("scn/metadata/001")) func `metadata set on a file are in it at once`() throws {
        let stage = try MigrationStage()
        try stage.write(photos()) { try $0.insert("Photo") }
        let own = try Stack.metadata(ofStoreAt: stage.url)
        try Stack.setMetadata(["owner": "Monk", "runs": [1, 2.5, ["at": .date(.distantPast)]]], ofStoreAt: stage.url)
        let read = try Stack.metadata(ofStoreAt: stage.url)
        #expect(read["owner"] == "Monk" && read["runs"] == [1, 2.5, ["at": .date(.distantPast)]])
        #expect(own["NSStoreUUID"] != nil && own.allSatisfy { read[$0.key] == $0.value })
        #expect(try stage.contents(photos()).objects.count == 1)
    }
}
