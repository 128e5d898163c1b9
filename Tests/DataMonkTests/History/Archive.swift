#if Macros
    import DataMonk
    import Foundation

    /// A stack whose stores keep a history.
    final class Archive {
        @Entity class Document: ManagedObject {
            @Attribute(.preserveValueOnDeletion) var title: String = ""
            @Attribute(.preserveValueOnDeletion) var number: UUID?
            @Attribute(.preserveValueOnDeletion) var written: Date?
            var text: String?
            @Relationship(inverse: \Shelf.documents) var shelf: Shelf?
        }

        @Entity final class Letter: Document {
            @Attribute(.preserveValueOnDeletion) var pages: Int = 1
        }

        @Entity final class Shelf: ManagedObject {
            var name: String = ""
            var documents: Set<Document>
        }

        static let model = Result { try ManagedObjectModel(classes: [Letter.self, Shelf.self]) }

        let stack: Stack
        private let folder: TemporaryFolder
        private var contexts: [ManagedObjectContext] = []

        var fileURL: URL { folder.file("archive.sqlite") }

        init(_ kind: StoreKind, tracksHistory: Bool = true, trace: (@Sendable (String) -> Void)? = nil) throws {
            folder = try TemporaryFolder()
            stack = Stack(model: try Self.model.get(), trace: trace)
            switch kind {
            case .memory: try stack.addInMemoryStore(tracksHistory: tracksHistory)
            case .file: try stack.addDatabaseStore(fileURL: fileURL, synchronous: .normal, tracksHistory: tracksHistory)
            }
        }

        /// Another program's stack over the same file.
        func otherStack(tracksHistory: Bool = true) throws -> Stack {
            let other = Stack(model: try Self.model.get())
            try other.addDatabaseStore(fileURL: fileURL, synchronous: .normal, tracksHistory: tracksHistory)
            return other
        }

        func newContext(_ author: String? = nil) -> ManagedObjectContext {
            for context in contexts { context.endTurn() }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            context.transactionAuthor = author
            contexts.append(context)
            return context
        }

        /// Saves a document in a context of its own.
        @discardableResult
        func document(_ title: String, by author: String? = nil) throws -> AnyObjectID {
            let context = newContext(author)
            let document = try context.insert(Document.self)
            document.title = title
            try context.save()
            return document.anyObjectID
        }
    }
#endif
