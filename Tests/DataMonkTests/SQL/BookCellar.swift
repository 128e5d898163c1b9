#if Macros
    import DataMonk
    import Foundation

    /// Books in a file, for tests of SQL and of text search.
    struct BookCellar {
        enum Shelf: Int, ManagedAttribute, CaseIterable, Codable { case cellar, hall }

        @Entity class Book: ManagedObject {
            var title: String = ""
            var pages: Int = 0
            var price: Decimal = 0
            var weight: Double = 0
            var printed: Date?
            var code: UUID?
            var cover: Data?
            var site: URL?
            var isLent: Bool = false
            var shelf: Shelf = .cellar
            @Relationship(inverse: \Author.books) var author: Author?
        }

        @Entity final class Atlas: Book {
            var scale: Int = 0
        }

        @Entity final class Author: ManagedObject {
            var name: String = ""
            var books: Set<Book>
        }

        let folder: TemporaryFolder
        let stack: Stack
        let context: Context
        var url: URL { folder.file("Library.sqlite") }

        static let code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        static let printed = Date(timeIntervalSinceReferenceDate: 1_000.5)

        /// Makes a library with two books and an atlas.
        init() async throws {
            folder = try TemporaryFolder()
            stack = try Stack(Book.self, Atlas.self, Author.self)
            try stack.addDatabaseStore(fileURL: folder.file("Library.sqlite"))
            context = try Context(stack: stack)
            try await context.update { update in
                let author = try update.create(Author.self)
                author.name = "Wei"
                let sutra = try update.create(Book.self)
                (sutra.title, sutra.pages, sutra.price, sutra.weight) = ("Sutra", 100, 12.5, 0.5)
                (sutra.printed, sutra.code, sutra.cover) = (Self.printed, Self.code, Data([1, 2]))
                (sutra.site, sutra.isLent, sutra.shelf) = (URL(string: "https://a.example/"), true, .hall)
                sutra.author = author
                try update.create(Book.self).title = "It's \"quoted\""
                let atlas = try update.create(Atlas.self)
                (atlas.title, atlas.pages, atlas.scale) = ("Atlas", 300, 1_000)
                try update.commit()
            }
        }

        /// The bytes of the database and of its log.
        var bytes: [Data] {
            get throws { try ["", "-wal"].map { try Data(contentsOf: folder.file("Library.sqlite\($0)")) } }
        }
    }
#endif
