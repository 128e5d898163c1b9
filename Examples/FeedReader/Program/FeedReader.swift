import DataMonk
import ExampleChecks
import FeedLibrary
import Foundation

/// A feed reader without a screen: it imports, lists, searches, marks, orders and unsubscribes, and checks each step.
@main
@MainActor
struct FeedReader {
    private static let feeds = 20
    private static let articles = 100
    /// Everything but one day and one feed, whose return by an undo is taken back again.
    private static let unreadAtTheEnd = (feeds - 1) * (articles - 1)
    private let World: MainContext
    private let importer: FeedImporter

    static func main() async throws {
        let url = try Expect.emptyFolder().appending(path: "Feeds.sqlite")
        let stack = try Stack(Feed.self)
        try await stack.addStore(.database(fileURL: url))
        let reader = FeedReader(World: try MainContext(stack: stack), importer: try FeedImporter(stack: stack))
        let badge = reader.followUnread()
        try await reader.importFeeds()
        try reader.search()
        try reader.lookIntoFiles()
        try await reader.markDayAsRead()
        try await reader.importAgain()
        try await reader.orderReadingList()
        try await reader.unsubscribe()
        try Expect.that(
            try await badge.value.last == unreadAtTheEnd, "The number on the icon has followed to the last commit.")
        try await stack.closeStores()
        try FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    /// The number on the application's icon: a task that gets it anew after each commit that concerns it, and ends with the
    /// one that the program ends with.
    private func followUnread() -> Task<[Int], any Error> {
        let World = World
        return Task {
            var shown: [Int] = []
            let counts = World.observeValue { try $0.queryValue(Feed.self, .sum(\.unreadCount)) ?? 0 }
            for try await count in counts {
                shown.append(NSDecimalNumber(decimal: count).intValue)
                if shown.last == Self.unreadAtTheEnd { break }
            }
            return shown
        }
    }

    /// All feeds at once, while a list follows.
    private func importFeeds() async throws {
        let list = try World.fetchedResults(
            Article.self, orderBy: .descending(\.day) | .ascending(\.title), sectionBy: \.day)
        let changes = list.changes
        try await takeFeeds(titles: "")
        // The screen of an application would apply each change as it comes.
        for await _ in changes where list.count == Self.feeds * Self.articles { break }
        try Expect.that(
            list.sections.count == Self.articles, "A list in sections by day has followed to the last article.")
        try Expect.that(try World.count(Tag.self) == 9, "Tags that many imports made at once are there once.")
    }

    private func takeFeeds(titles suffix: String) async throws {
        let importer = importer
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.feeds {
                var document = FeedDocument.sample(number, articles: Self.articles)
                for index in document.items.indices { document.items[index].title += suffix }
                group.addTask { [document] in try await importer.take(document) }
            }
            try await group.waitForAll()
        }
    }

    private func search() throws {
        let found = try World.fetchAll(Article.self, orderBy: .ascending(\.published), options: .Limit(10)) {
            $0.title.contains(words: "article \"feed 7\"") && $0.tags.any { $0.name == "tag 3" }
        }
        try Expect.that(
            found.count == 10 && found.allSatisfy { $0.feed?.title == "Feed 7" }, "A search finds its articles.")
        let busiest = try World.query(
            Article.self, .select(\.day), .count, orderBy: .descending(.count), groupBy: .key(\.day),
            options: .Limit(1))
        try Expect.that(busiest.first?.1 == Self.feeds, "A grouped query counts the busiest day.")
        try Expect.that(
            try World.first(Article.self) { $0.title.contains(words: "no such words") } == nil,
            "A search that finds nothing is no error.")
    }

    /// Conditions look into a codable value.
    private func lookIntoFiles() throws {
        let large = try World.fetchAll(Article.self) { $0.enclosure.value(at: "length", as: Int.self) > 80_000 }
        try Expect.that(
            large.count == 2 * Self.feeds && large.allSatisfy { $0.enclosure?.url.pathExtension == "mp3" },
            "Articles with large files are found by their size.")
    }

    private func markDayAsRead() async throws {
        let feed = try World.fetch(Feed.self) { $0.title == "Feed 0" }
        try await World.update { update in
            _ = try update.batchUpdate(Article.self, set: [.set(\.isRead, to: true)]) { $0.day == "2001-01-01" }
        }
        try Expect.that(try World.count(Article.self) { $0.isRead == true } == Self.feeds, "A day was marked as read.")
        try Expect.that(feed.unreadCount == Self.articles - 1, "A feed's own count has followed.")
        try Expect.that(
            try World.count(Feed.self) { $0.unreadCount == 99 } == Self.feeds, "Conditions know that count as well.")
    }

    private func importAgain() async throws {
        try await takeFeeds(titles: ", corrected")
        let read = try World.fetchAll(Article.self) { $0.isRead == true }
        try Expect.that(
            try World.count(Article.self) == Self.feeds * Self.articles && read.count == Self.feeds
                && read.allSatisfy { $0.title.hasSuffix(", corrected") },
            "A second import replaces titles, and keeps what was read.")
    }

    private func orderReadingList() async throws {
        let ids = try World.fetchAll(Article.self, orderBy: .ascending(\.link), options: .Limit(3)).map(\.objectID)
        try await World.update { update in
            let list = try update.create(ReadingList.self)
            list.articles = try update.use(Array(ids[0..<2]))
            list.articles.insert(try update.use(ids[2]), at: 0)
            try update.commit()
        }
        let list = try World.fetch(ReadingList.self)
        try Expect.that(list.articles.map(\.objectID) == [ids[2], ids[0], ids[1]], "A reading list keeps its order.")
    }

    /// In a draft, so that it can be taken back, before the commit and after it.
    private func unsubscribe() async throws {
        let all = Self.feeds * Self.articles
        let draft = World.draft()
        try draft.delete(draft.fetch(Feed.self) { $0.title == "Feed 3" })
        try await draft.commit()
        try Expect.that(try World.count(Article.self) == all - Self.articles, "A feed's articles go with it.")
        draft.undo()
        try await draft.commit()
        try Expect.that(
            try World.count(Article.self) == all && World.fetch(Feed.self) { $0.title == "Feed 3" }.articleCount == 100,
            "An undo after the commit brings all of them back.")
        draft.redo()
        try await draft.commit()
        try Expect.that(try World.count(Feed.self) == Self.feeds - 1, "A redo takes them away again.")
    }
}
