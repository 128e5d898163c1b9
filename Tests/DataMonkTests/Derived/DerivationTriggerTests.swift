import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// How a file keeps derived attributes: by triggers, ours or Core Data's.
@Suite struct `Triggers of derived attributes` {
    private let gallery: Gallery

    init() throws { gallery = try Gallery(.file) }

    private func triggers() throws -> Set<String> {
        Set(try StoreCopy.rows(gallery.url, "SELECT name FROM sqlite_master WHERE type = 'trigger'").map { $0[0] })
    }

    private func reopened() throws -> ManagedObjectContext {
        let stack = Stack(model: try Gallery.model.get())
        try stack.addDatabaseStore(fileURL: gallery.url, synchronous: .normal)
        return ManagedObjectContext(coordinator: stack.coordinator)
    }

    @Test func `have Core Data's names`() throws {
        let names = try triggers()
        for event in ["INSERT", "DELETE", "UPDATE_INCREMENT", "UPDATE_DECREMENT"] {
            #expect(names.contains("Z_DA_ZPHOTO_Album_photoCount_PARAMETER_\(event)"))
        }
        #expect(names.contains("Z_DA_ZALBUM_Album_photoCount_SOURCE_INSERT"))
        #expect(names.contains("Z_DA_ZPHOTO_Photo_albumTitle_SOURCE_UPDATE"))
        #expect(names.contains("Z_DA_ZALBUM_Photo_albumTitle_PARAMETER_UPDATE"))
        #expect(names.contains("Z_DA_Z_1TAGS_Album_tagCount_PARAMETER_INSERT"))
        #expect(!names.contains { $0.hasSuffix("_albumTitle_PARAMETER_DELETE") })
        #expect(!names.contains { $0.contains("sortTitle_SOURCE") || $0.contains("changedAt") })
    }

    @Test func `that are missing are made when the store is opened, and values computed`() throws {
        let context = gallery.context()
        let album = try gallery.album("A", context)
        try gallery.photo(7, in: album, context)
        try context.save()
        try gallery.stack.close()
        let names = try triggers()
        let script = names.map { "DROP TRIGGER \($0)" } + ["UPDATE ZALBUM SET ZPHOTOCOUNT = NULL, ZTOTALSIZE = NULL"]
        _ = try StoreCopy.rows(gallery.url, script.joined(separator: ";"))
        let fresh = try reopened()
        let found = try #require(try fresh.fetch(FetchRequest(entityName: "Album")).first)
        #expect(try found.values("photoCount", "totalSize") == [1, 7])
        fresh.endTurn()
        #expect(try triggers() == names)
    }

    @Test(arguments: ["Z_DA_ZALBUM_Album_title_SOURCE_INSERT", "Z_DA_X", "harmless"])
    func `of no derived attribute are refused`(name: String) throws {
        try gallery.stack.close()
        _ = try StoreCopy.rows(
            gallery.url, "CREATE TRIGGER \(name) AFTER INSERT ON ZPHOTO BEGIN DELETE FROM ZALBUM; END")
        let error = try #require(throws: StoreError.self) { try reopened() }
        #expect(error.code == .incompatibleSchema && error.message.contains(name))
    }
}

#if Macros
    /// Derived attributes of classes.
    enum Library {
        @Entity("LibraryAuthor") final class Author: ManagedObject {
            var name: String = ""
            @Attribute(.derived("canonical:(name)")) private(set) var sortName: String = ""
            @Attribute(.derived("books.@count")) private(set) var bookCount: Int = 0
            @Relationship(inverse: \Book.author) var books: Set<Book>
        }

        @Entity("LibraryBook") final class Book: ManagedObject {
            @Attribute(.derived("author.name")) private(set) var authorName: String?
            var author: Author?
        }
    }

    @Suite struct `Derived attributes of classes` {
        @Test func `are declared by an option`() throws {
            let stack = try Stack(Library.Author.self)
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let author = try context.insert(Library.Author.self)
            author.name = "Zoë"
            let book = try context.insert(Library.Book.self)
            book.author = author
            #expect(author.bookCount == 0)
            try context.save()
            #expect(author.bookCount == 1 && author.sortName == "zoe" && book.authorName == "Zoë")
        }
    }
#endif
