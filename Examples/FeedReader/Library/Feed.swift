public import DataMonk
public import Foundation

/// A feed that somebody reads.
@Entity public final class Feed: ManagedObject {
    /// The address, by which an import finds it again.
    @Attribute(.unique) public var address: String = ""
    /// The title.
    public var title: String = ""
    /// The number of articles, which the store keeps.
    @Attribute(.derived("articles.@count")) public private(set) var articleCount: Int = 0
    /// The number of those that were not read, which conditions and orders know as well.
    @Attribute(.derived("SUBQUERY(articles, $a, $a.isRead == NO).@count")) public private(set) var unreadCount: Int = 0
    /// The articles, which go with it.
    @Relationship(deleteRule: .cascade, inverse: \Article.feed) public var articles: Set<Article>
}

/// An article of a feed.
@Entity public final class Article: ManagedObject {
    #Index<Article>([\.day, \.published])
    /// The address, by which an import finds it again.
    @Attribute(.unique, originalName: "url") public var link: String = ""
    /// The title, whose words are found by an index.
    @Attribute(.textSearch) public var title: String = ""
    /// The time of its publication.
    public var published: Date = Date(timeIntervalSinceReferenceDate: 0)
    /// The day of its publication, as the list has its sections: 2026-11-23.
    public var day: String = ""
    /// Whether it was read. No import sets it.
    public var isRead: Bool = false
    /// The file that comes with it.
    @Attribute(.codable) public var enclosure: Enclosure?
    /// The picture at its top, which lies in a file of its own.
    @Attribute(.externalStorage) public var picture: Data?
    /// The feed.
    public var feed: Feed?
    /// The subjects.
    @Relationship(inverse: \Tag.articles) public var tags: Set<Tag>
    /// The reading lists that have it.
    @Relationship(inverse: \ReadingList.articles) public var readingLists: Set<ReadingList>
}

/// A subject of articles.
@Entity public final class Tag: ManagedObject {
    /// The word.
    @Attribute(.unique) public var name: String = ""
    /// The articles about it.
    public var articles: Set<Article>
}

/// Articles for later, in an order.
@Entity public final class ReadingList: ManagedObject {
    /// The name.
    public var name: String = ""
    /// The articles, the next one first.
    public var articles: [Article]
}
