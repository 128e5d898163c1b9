/// The articles, the tags and which article has which, the same for the same count on every machine. There is about one
/// article for five rows of the other workloads; each has 5 tags, and each tag 200 articles. Keys count from 1.
package enum Tagging {
    package static let tagsPerArticle = 5
    private static let articlesPerTag = 200

    package static func tagCount(for count: Int) -> Int { max(1, count / 1_000) * tagsPerArticle }
    package static func articleCount(for count: Int) -> Int { tagCount(for: count) * articlesPerTag / tagsPerArticle }
    package static func articleTitle(id: Int64) -> String { "Article Number \(id)" }
    package static func tagName(id: Int64) -> String { "Tag Number \(id)" }

    /// The key of the tag in a place from 0 to 4.
    package static func tag(_ place: Int, ofArticle id: Int64, tagCount: Int) -> Int64 {
        1 + (id + Int64(place * (tagCount / tagsPerArticle))) % Int64(tagCount)
    }

    /// The names of so many tags, or of all if there are fewer.
    static func tagNames(_ names: Int, for count: Int) -> [String] {
        (1...Int64(min(names, tagCount(for: count)))).map(tagName)
    }
}
