import DataMonk
import DataMonkTesting
import FeedLibrary
import Foundation
import Testing

/// A store that the application's first version has written, opened by the present one.
@Suite @MainActor struct MigrationTests {
    /// The classes of the first version.
    private enum First {
        @Entity final class Feed: ManagedObject {
            @Attribute(.unique) var address: String = ""
            var title: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Article.feed) var articles: Set<Article>
        }

        @Entity final class Article: ManagedObject {
            @Attribute(.unique) var url: String = ""
            var title: String = ""
            @Attribute(.externalStorage) var picture: Data?
            var feed: Feed?
        }
    }

    @Test func `a store of the first version opens with everything in it`() async throws {
        try await withTemporaryStore { url in
            let picture = Data(repeating: 7, count: 200_000)
            let first = try Stack(First.Feed.self)
            try first.addDatabaseStore(fileURL: url)
            try await Context(stack: first).update { update in
                let feed = try update.create(First.Feed.self)
                feed.address = "https://feed.example"
                for number in 0..<10 {
                    let article = try update.create(First.Article.self)
                    article.url = "https://feed.example/\(number)"
                    article.title = "Article \(number)"
                    article.feed = feed
                    if number == 3 { article.picture = picture }
                }
                try update.commit()
            }
            try first.close()

            // Renamed and new attributes, new entities and relationships: nothing to write.
            let World = try MainContext(stack: Stack(Feed.self))
            try World.stack.addDatabaseStore(fileURL: url)
            let feed = try World.fetch(Feed.self)
            #expect(feed.articleCount == 10 && feed.unreadCount == 10)
            let third = try World.fetch(Article.self) { $0.link == "https://feed.example/3" }
            #expect(third.picture == picture && third.tags.isEmpty && third.enclosure == nil)
            #expect(try World.count(Article.self) { $0.title.contains(words: "article 3") } == 1)
            try World.stack.close()
        }
    }
}
