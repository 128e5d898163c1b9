import DataMonk
import Foundation
import Testing

@Suite struct `Removing a store` {
    private static let model = Result {
        try ManagedObjectModel(configurations: ["Books": ["Book"], "Songs": ["Song"]]) {
            EntityDescription("Book") { AttributeDescription("title", .string) }
            EntityDescription("Song") { AttributeDescription("title", .string) }
        }
    }

    private let folder: TemporaryFolder
    private let stack: Stack
    private var books: URL { folder.file("Books.sqlite") }
    private var songs: URL { folder.file("Songs.sqlite") }

    init() async throws {
        folder = try TemporaryFolder()
        stack = Stack(model: try Self.model.get())
        try await stack.addStore(.database(fileURL: books, configuration: "Books"))
        try await stack.addStore(.database(fileURL: songs, configuration: "Songs"))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for title in ["one", "two"] {
            try context.insert("Book", ["title": .string(title)])
            try context.insert("Song", ["title": .string(title)])
        }
        try context.save()
        context.endTurn()
    }

    private func titles(_ name: String) throws -> [String] {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        return try context.fetch(FetchRequest(entityName: name)).map { "\(try $0.value(forKey: "title"))" }.sorted()
    }

    @Test func `closes it, leaves the file, and the other stores as they are`() async throws {
        let before = try titles("Song")
        try await stack.removeStore(at: books)
        #expect(stack.storeDescriptions.map(\.url) == [songs])
        #expect(try titles("Song") == before)
        #expect(try titles("Book") == [])
        #expect(try await Stack.destroyStore(.database(fileURL: books)))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Song", ["title": "three"])
        try context.save()
        try context.insert("Book", ["title": "three"])
        #expect(throws: SaveError.self) { try context.save() }
        context.endTurn()
        #expect(try titles("Song").count == 3)
        try stack.close()
    }

    @Test @MainActor func `and adding one is followed by lists`() async throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var request = FetchRequest(entityName: "Book")
        request.sortTerms = [SortTerm("title")]
        let books = try FetchedResultsController<ManagedObject>(context: context, request: request)
        try books.performFetch()
        #expect(books.count == 2)
        try await stack.removeStore(at: songs)
        context.mergeCommits()
        var told: [FetchedResultsChanges] = []
        let observation = books.observeChanges { told.append($0) }
        try await stack.removeStore(at: self.books)
        context.mergeCommits()
        #expect(books.count == 0 && told.map(\.requiresFetch) == [true])
        try await stack.addStore(.database(fileURL: self.books, configuration: "Books"))
        context.mergeCommits()
        #expect(books.count == 2)
        _ = observation
        context.endTurn()
        try stack.close()
    }

    @Test func `makes its objects unreadable, and changes of them unsaved, with a reason`() async throws {
        let before = try titles("Book")
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let found = try context.fetch(FetchRequest(entityName: "Book"))
        let (changed, known) = (found[0], found[1])
        try changed.setValue("changed", forKey: "title")
        let uri = known.anyObjectID.uri
        context.endTurn()
        try await stack.removeStore(at: books)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.message.contains("Books.sqlite was removed") == true)
        #expect(context.hasChanges)
        context.rollback()
        let id = known.anyObjectID
        #expect(throws: StoreError.self) {
            try ManagedObjectContext(coordinator: stack.coordinator).existingObject(with: id)
        }
        #expect(known.anyObjectID.uri == uri && stack.objectID(forURI: uri) == nil)
        try await stack.addStore(.database(fileURL: books, configuration: "Books"))
        #expect(try titles("Book") == before)
        let again = try #require(stack.objectID(forURI: uri))
        #expect(try context.existingObject(with: again).value(forKey: "title") != .null)
        context.endTurn()
        try stack.close()
    }

    @Test func `keeps one whose metadata waits, and tells of one that is not there`() async throws {
        try stack.coordinator.setMetadata(["author": "me"], ofStoreAt: books)
        await #expect(throws: StoreError.self) { try await stack.removeStore(at: books) }
        #expect(try titles("Book").count == 2)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.save()
        context.endTurn()
        try await stack.removeStore(at: books)
        let error = await #expect(throws: StoreError.self) { try await stack.removeStore(at: books) }
        #expect(error?.message.contains("Songs.sqlite") == true && error?.message.contains("Books.sqlite,") == false)
        #expect(try Stack.metadata(ofStoreAt: books)["author"] == "me")
        try await stack.removeStore(at: songs)
        #expect(throws: StoreError.self) { try titles("Song") }
        try stack.close()
    }

    @Test func `is followed by main contexts`() async throws {
        try await check()
    }

    @MainActor private func check() async throws {
        let World = try MainContext(stack: stack)
        #expect(try World.fetchAll(entityName: "Book").count == 2)
        try await stack.removeStore(at: books)
        #expect(try World.fetchAll(entityName: "Book").isEmpty)
        #expect(try World.fetchAll(entityName: "Song").count == 2)
        try await stack.addStore(.database(fileURL: books, configuration: "Books"))
        #expect(try World.fetchAll(entityName: "Book").count == 2)
        try stack.close()
    }

    @Test func `waits for commits that run beside it`() async throws {
        let context = try Context(stack: stack)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        try await context.update { update in
                            try update.create(entityName: "Book").setValue(.string("book \(number)"), forKey: "title")
                            try update.create(entityName: "Song").setValue(.string("song \(number)"), forKey: "title")
                            try update.commit()
                        }
                    } catch is SaveError {
                    } catch is StoreError {}
                }
            }
            group.addTask { try await stack.removeStore(at: books) }
            try await group.waitForAll()
        }
        let count = try titles("Song").count
        try await stack.addStore(.database(fileURL: books, configuration: "Books"))
        #expect(try titles("Book").count == count)
        try stack.close()
    }
}
