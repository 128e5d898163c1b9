import DataMonk
import DataMonkTesting
import Foundation
import Testing

@Suite struct `Derived attributes` {
    @Test(arguments: Gallery.Kind.allCases) func `have their values after each save`(kind: Gallery.Kind) throws {
        let gallery = try Gallery(kind)
        let context = gallery.context()
        let album = try gallery.album("Été", context)
        let first = try gallery.photo(10, in: album, context)
        try gallery.photo(30, in: album, context)
        #expect(try album.value(forKey: "photoCount").isNull)
        try context.save()
        #expect(try album.values("photoCount", "totalSize", "largest", "tagCount") == [2, 40, 30, 0])
        #expect(try album.values("sortTitle", "loudTitle") == ["ete", "ÉTÉ"])
        #expect(try first.values("albumTitle", "albumSortTitle") == ["Été", "ete"])
        let other = try gallery.album("B", context)
        try first.setValue(.object(other.anyObjectID), forKey: "album")
        try context.save()
        #expect(try album.values("photoCount", "totalSize", "largest") == [1, 30, 30])
        #expect(try other.values("photoCount", "totalSize", "largest") == [1, 10, 10])
        #expect(try first.values("albumTitle", "albumSortTitle") == ["B", "b"])
        try first.setValue(15, forKey: "size")
        try other.setValue("C", forKey: "title")
        try context.save()
        #expect(try other.values("totalSize", "loudTitle") == [15, "C"])
        #expect(try first.values("albumTitle", "albumSortTitle") == ["C", "c"])
        context.delete(first)
        try context.save()
        #expect(try other.values("photoCount", "totalSize", "largest") == [0, 0, nil])
    }

    @Test(arguments: Gallery.Kind.allCases) func `follow many-to-manys and sub-entities`(kind: Gallery.Kind) throws {
        let gallery = try Gallery(kind)
        let context = gallery.context()
        let event = try gallery.insert("Event", context)
        let tags = try (1...3).map { number in
            let tag = try gallery.insert("Tag", context)
            try tag.setValue(.double(Double(number)), forKey: "weight")
            return tag
        }
        try event.setMembers("tags", Set(tags))
        try event.setMembers("parts", [event, try gallery.album("part", context)])
        try context.save()
        #expect(try event.values("tagCount", "tagWeight", "partCount") == [3, .double(6), 2])
        #expect(try tags[0].value(forKey: "albumCount") == 1)
        try event.setMembers("tags", Set(tags.dropFirst()))
        try tags[2].setValue(.double(5), forKey: "weight")
        try context.save()
        #expect(try event.values("tagCount", "tagWeight") == [2, .double(7)])
        #expect(try tags[0].value(forKey: "albumCount") == 0)
        context.delete(tags[1])
        try context.save()
        #expect(try event.values("tagCount", "tagWeight") == [1, .double(5)])
    }

    @Test(arguments: Gallery.Kind.allCases)
    func `reach other contexts with the commit, and leave versions alone`(kind: Gallery.Kind) throws {
        let gallery = try Gallery(kind)
        let context = gallery.context()
        let album = try gallery.album("A", context)
        try context.save()
        let reader = gallery.context()
        let seen = try reader.existingObject(with: album.anyObjectID)
        let editor = gallery.context()
        let edited = try editor.existingObject(with: album.anyObjectID)
        try edited.setValue("edited", forKey: "title")
        reader.endTurn()
        editor.endTurn()
        let writer = gallery.context()
        try gallery.photo(5, in: try writer.existingObject(with: album.anyObjectID), writer)
        try writer.save()
        reader.mergeCommits()
        #expect(try seen.values("photoCount", "totalSize") == [1, 5])
        // The edited object had an older count; what it saves has the new one, and meets no conflict.
        editor.mergePolicy = .error
        try editor.save()
        #expect(try edited.values("title", "photoCount") == ["edited", 1])
        reader.mergeCommits()
        #expect(try seen.values("title", "photoCount", "sortTitle") == ["edited", 1, "edited"])
        #expect(try album.value(forKey: "photoCount") == 0)
        try context.refreshAllObjects()
        #expect(try album.values("title", "photoCount") == ["edited", 1])
        context.endTurn()
    }

    @Test(arguments: Gallery.Kind.allCases) func `of the time change with their object only`(kind: Gallery.Kind) throws
    {
        let gallery = try Gallery(kind)
        let context = gallery.context()
        let start = Date()
        let album = try gallery.album("A", context)
        try context.save()
        guard case .date(let first) = try album.value(forKey: "changedAt") else { throw Wrong() }
        #expect(first >= start && first <= Date())
        try gallery.photo(1, in: album, context)
        try context.save()
        #expect(try album.value(forKey: "changedAt") == .date(first))
        try album.setValue("A", forKey: "title")
        try context.save()
        #expect(try album.value(forKey: "changedAt") == .date(first))
        try album.setValue("B", forKey: "title")
        try context.save()
        guard case .date(let second) = try album.value(forKey: "changedAt") else { throw Wrong() }
        #expect(second > first)
    }

    struct Wrong: Error {}

    @Test(arguments: Gallery.Kind.allCases) func `cannot be set`(kind: Gallery.Kind) throws {
        let gallery = try Gallery(kind)
        let album = try gallery.album("A", gallery.context())
        let error = try #require(throws: FetchError.self) { try album.setValue(3, forKey: "photoCount") }
        #expect(error.code == .derivedAttribute && error.keyPath == "photoCount")
    }

    @Test(arguments: Gallery.Kind.allCases) func `answer conditions`(kind: Gallery.Kind) throws {
        let gallery = try Gallery(kind)
        let context = gallery.context()
        try gallery.photo(1, in: try gallery.album("A", context), context)
        _ = try gallery.album("B", context)
        try context.save()
        let request = FetchRequest(entityName: "Album", condition: .compare("photoCount", .greaterThan, 0))
        #expect(try context.fetch(request).map { try $0.value(forKey: "title") } == ["A"])
        context.endTurn()
    }

    @Test(arguments: [
        "photos.album.title", "mystery:(title)", "canonical:(photoCount)", "uppercase:(whole.title)", "photos.size",
        "photos.@median.size", "SUBQUERY(photos, $p, $p.album.title == nil).@count",
    ])
    func `of an unknown form keep every store from being opened`(expression: String) throws {
        let model = try ManagedObjectModel {
            EntityDescription("Album") {
                AttributeDescription("title", .string)
                AttributeDescription("photoCount", .integer32)
                AttributeDescription("strange", .string, derivationExpression: expression)
                RelationshipDescription("whole", to: "Album")
                RelationshipDescription("photos", to: "Photo", inverse: "album", isToMany: true)
            }
            EntityDescription("Photo") {
                AttributeDescription("size", .integer64)
                RelationshipDescription("album", to: "Album")
            }
        }
        let folder = try TemporaryFolder()
        for add: (Stack) throws -> Void in [
            { try $0.addInMemoryStore() }, { try $0.addDatabaseStore(fileURL: folder.file("store.sqlite")) },
        ] {
            let error = try #require(throws: ModelError.self) { try add(Stack(model: model)) }
            #expect(error.problems.map(\.propertyName) == ["strange"])
        }
    }

    @Test(arguments: Gallery.Kind.allCases)
    func `are what one would count, after any edits`(kind: Gallery.Kind) throws {
        let seed: UInt64 = 1
        var random = SeededGenerator(seed: seed)
        let gallery = try Gallery(kind)
        let contexts = [gallery.context(), gallery.context()]
        for _ in 0..<40 {
            for context in contexts {
                for _ in 0..<4 { try edit(gallery, context, using: &random) }
                try context.save()
                try check(gallery.context(), "seed \(seed)")
                try check(context, "seed \(seed)")
            }
        }
    }

    private func edit(
        _ gallery: Gallery, _ context: ManagedObjectContext, using random: inout SeededGenerator
    ) throws {
        let albums = try context.fetch(FetchRequest(entityName: "Album"))
        let photos = try context.fetch(FetchRequest(entityName: "Photo"))
        let tags = try context.fetch(FetchRequest(entityName: "Tag"))
        let album = albums.randomElement(using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: _ = try gallery.album("album \(Int.random(in: 0..<99, using: &random))", context)
        case 1: try gallery.photo(.random(in: 0..<99, using: &random), in: album, context)
        case 2: try gallery.insert("Tag", context).setValue(.double(0.5), forKey: "weight")
        case 3:
            try photos.randomElement(using: &random)?.setValue(
                album.map { .object($0.anyObjectID) } ?? .null, forKey: "album")
        case 4: try album?.setMembers("tags", Set(tags.filter { _ in Bool.random(using: &random) }))
        case 5: try album?.setMembers("parts", Set(albums.filter { _ in Bool.random(using: &random) }))
        case 6:
            try photos.randomElement(using: &random)?.setValue(
                .int(.random(in: 0..<99, using: &random)), forKey: "size")
        default: if let object = (albums + photos + tags).randomElement(using: &random) { context.delete(object) }
        }
        context.processPendingChanges()
    }

    private func check(_ context: ManagedObjectContext, _ note: Comment) throws {
        defer { context.endTurn() }
        for album in try context.fetch(FetchRequest(entityName: "Album")) {
            let sizes = try album.members("photos").map { try $0.value(forKey: "size") }.map(Self.number)
            #expect(try album.value(forKey: "photoCount") == .int(Int64(sizes.count)), note)
            #expect(try album.value(forKey: "totalSize") == .int(sizes.reduce(0, +)), note)
            #expect(try album.value(forKey: "largest") == sizes.max().map { .int($0) } ?? .null, note)
            #expect(try album.value(forKey: "tagCount") == .int(Int64(album.members("tags").count)), note)
            #expect(try album.value(forKey: "partCount") == .int(Int64(album.members("parts").count)), note)
        }
        for photo in try context.fetch(FetchRequest(entityName: "Photo")) {
            let album: ManagedObject? = photo.property(at: try #require(photo.entity.relationship(named: "album")).slot)
            #expect(try photo.value(forKey: "albumTitle") == album?.value(forKey: "title") ?? .null, note)
        }
    }

    private static func number(_ value: ManagedValue) -> Int64 {
        if case .int(let number) = value { number } else { 0 }
    }
}
