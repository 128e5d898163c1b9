import DataMonk
import DataMonkTesting
import FeedLibrary
import Foundation
import Testing

/// The tests of an application: each has a stack of its own, so they run at the same time.
@Suite @MainActor struct FeedTests {
    private let World: MainContext
    private let importer: FeedImporter

    init() throws {
        World = try MainContext(stack: .inMemory(Feed.self))
        importer = try FeedImporter(stack: World.stack)
    }

    @Test func `unread articles are those that were not read`() throws {
        let objects = try TestObjects(Feed.self)
        let feed = try objects.create(Feed.self)
        for isRead in [true, false, false] {
            let article = try objects.create(Article.self) { ($0.isRead, $0.feed) = (isRead, feed) }
            article.link = "\(article.objectID)"
        }
        try objects.managedObjectContext.save()
        #expect(feed.unreadCount == 2)
    }

    @Test func `a list shows an import of a thousand articles`() async throws {
        let list = try World.fetchedResults(Article.self, orderBy: .ascending(\.link))
        try await importer.take(.sample(0, articles: 1_000))
        try await World.waitUntilListsAreCurrent()
        #expect(list.count == 1_000)
    }

    @Test func `imports at the same time share their tags`() async throws {
        let importer = importer
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 { group.addTask { try await importer.take(.sample(number, articles: 20)) } }
            try await group.waitForAll()
        }
        #expect(try World.count(Tag.self) == 9 && World.count(Article.self) == 160)
    }

    @Test func `objects on the main actor come again when one of them has changed`() async throws {
        try await importer.take(.sample(0, articles: 3))
        var unread = World.observeOnMain { world in
            try world.fetchAll(Article.self, orderBy: .ascending(\.link)) { $0.isRead == false }
        }.makeAsyncIterator()
        #expect(try await unread.next()?.count == 3)
        try await World.update { update in
            try update.fetch(Article.self) { $0.link == "https://feed0.example/1" }.isRead = true
            try update.commit()
        }
        #expect(try await unread.next()?.map(\.link) == ["https://feed0.example/0", "https://feed0.example/2"])
    }

    @Test func `an import again keeps what was read`() async throws {
        try await importer.take(.sample(0, articles: 3))
        try await World.update { update in
            try update.fetch(Article.self) { $0.link == "https://feed0.example/1" }.isRead = true
            try update.commit()
        }
        try await importer.take(.sample(0, articles: 4))
        #expect(try World.fetchAll(Article.self) { $0.isRead == true }.count == 1)
        #expect(try World.count(Article.self) == 4)
    }

    @Test func `an import is one transaction, and marking a day one statement`() async throws {
        try await withTemporaryStore { url in
            let recorder = StatementRecorder()
            let stack = try Stack(Feed.self, trace: recorder.trace)
            try stack.addDatabaseStore(fileURL: url)
            let importer = try FeedImporter(stack: stack)
            let importing = try await recorder.recording { try await importer.take(.sample(0, articles: 50)) }
            #expect(importing.count { $0.sql.hasPrefix("COMMIT") } == 1)
            let marking = try await recorder.recording {
                try await Context(stack: stack).update { update in
                    _ = try update.batchUpdate(Article.self, set: [.set(\.isRead, to: true)]) { $0.day == "2001-01-01" }
                }
            }
            #expect(marking.count { $0.kind == .update } == 1)
            try stack.close()
        }
    }
}
