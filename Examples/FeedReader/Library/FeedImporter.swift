public import DataMonk
import Foundation

/// **Shared.** Takes feeds into the store, as many at once as there are callers.
public struct FeedImporter: Sendable {
    private let context: Context

    /// Creates an importer. Under object trump, a new object with the unique value of a stored one becomes that one, and what
    /// was set wins: titles are replaced, and what was read stays read.
    public init(stack: Stack) throws {
        context = try Context(stack: stack, mergePolicy: .mergeByPropertyObjectTrump)
    }

    /// Takes a feed, new or known, with all its articles in one commit.
    public func take(_ document: FeedDocument) async throws {
        try await context.update { update in
            let feed = try update.create(Feed.self)
            feed.address = document.address
            feed.title = document.title
            var tags: [String: Tag] = [:]
            for item in document.items {
                let article = try update.create(Article.self)
                article.link = item.link
                article.title = item.title
                article.published = item.published
                article.day = Self.day(of: item)
                article.enclosure = item.enclosure
                article.feed = feed
                for name in item.tags { article.tags.insert(try Self.tag(name, among: &tags, update)) }
            }
            try update.commit()
        }
    }

    private static func tag(_ name: String, among tags: inout [String: Tag], _ update: Update) throws -> Tag {
        if let tag = tags[name] { return tag }
        let tag = try update.create(Tag.self)
        tag.name = name
        tags[name] = tag
        return tag
    }

    static func day(of item: FeedDocument.Item) -> String { String(item.published.ISO8601Format().prefix(10)) }
}
