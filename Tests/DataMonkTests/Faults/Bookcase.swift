#if Macros
    import DataMonk
    import Foundation

    /// The objects that the workloads read and write.
    enum Bookcase {
        static let model = Result { try ManagedObjectModel(classes: [Shelf.self, Book.self, Tag.self]) }
        /// Text that takes many pages.
        static let longText = String(repeating: "All work and no play. ", count: 9_000)

        @Entity("FaultShelf") final class Shelf: ManagedObject {
            var name: String = ""
            var count: Int = 0
            @Relationship(deleteRule: .cascade, inverse: \Book.shelf) var books: Set<Book>
        }

        @Entity("FaultBook", userInfo: ["relatedByAttribute": "title"]) final class Book: ManagedObject {
            var title: String = ""
            var pages: Int = 0
            @Attribute(.externalStorage) var cover: Data?
            @Relationship(relatedBy: "name") var shelf: Shelf?
            @Relationship(inverse: \Tag.books, relatedBy: "name") var tags: Set<Tag>
        }

        @Entity("FaultTag") final class Tag: ManagedObject {
            var name: String = ""
            var books: Set<Book>
        }

        /// Fills a new store: three shelves of five books.
        static func fill(_ url: URL, covers: Bool = false, tracksHistory: Bool = false) throws {
            let stack = Stack(model: try model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal, tracksHistory: tracksHistory)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let tags = try (0..<3).map { try tag("tag \($0)", context) }
            for number in 0..<3 {
                let shelf: Shelf = try make("FaultShelf", context)
                shelf.name = "shelf \(number)"
                for place in 0..<5 {
                    let book = try book("book \(number).\(place)", on: shelf)
                    book.tags = [tags[place % 3]]
                    if covers, place == 0 { book.cover = cover(number) }
                }
                shelf.count = 5
            }
            try context.save()
            context.endTurn()
            try stack.close()
        }

        static func cover(_ number: Int) -> Data {
            Data((0..<110_000).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) })
        }

        static func book(_ title: String, on shelf: Shelf) throws -> Book {
            guard let context = shelf.managedObjectContext else { throw CocoaError(.keyValueValidation) }
            let book: Book = try make("FaultBook", context)
            book.title = title
            book.pages = 100
            book.shelf = shelf
            return book
        }

        private static func tag(_ name: String, _ context: ManagedObjectContext) throws -> Tag {
            let tag: Tag = try make("FaultTag", context)
            tag.name = name
            return tag
        }

        private static func make<Object: ManagedObject>(
            _ name: String, _ context: ManagedObjectContext
        ) throws -> Object {
            guard let entity = context.coordinator.model.entitiesByName[name],
                let object = try context.insert(entity) as? Object
            else { throw CocoaError(.keyValueValidation) }
            return object
        }
    }

    extension ManagedObjectContext {
        /// The shelves by name.
        func shelves() throws -> [Bookcase.Shelf] {
            var request = FetchRequest(entityName: "FaultShelf")
            request.sortTerms = [SortTerm("name")]
            return try fetch(request).compactMap { $0 as? Bookcase.Shelf }
        }
    }

    extension Bookcase.Shelf {
        /// The books by title.
        var order: [Bookcase.Book] { books.sorted { $0.title < $1.title } }
    }
#endif
