public import Foundation

/// **Value.** A feed as it comes over the network.
public struct FeedDocument: Sendable, Codable {
    /// **Value.** One of its articles.
    public struct Item: Sendable, Codable {
        /// The address.
        public var link: String
        /// The title.
        public var title: String
        /// The time of its publication.
        public var published: Date
        /// The subjects.
        public var tags: [String]
        /// The file that comes with it.
        public var enclosure: Enclosure?
    }

    /// The address.
    public var address: String
    /// The title.
    public var title: String
    /// The articles.
    public var items: [Item]

    private static func enclosure(at address: String, number: Int) -> Enclosure? {
        URL(string: "\(address)/\(number).mp3").map { Enclosure(url: $0, length: (number + 1) * 1_000) }
    }

    /// Returns a feed as the examples need it: its articles are a day apart, and have one or two of nine tags each; every
    /// tenth comes with a file.
    public static func sample(_ number: Int, articles: Int) -> FeedDocument {
        let address = "https://feed\(number).example"
        return FeedDocument(
            address: address, title: "Feed \(number)",
            items: (0..<articles).map { index in
                Item(
                    link: "\(address)/\(index)", title: "Article \(index) of feed \(number)",
                    published: Date(timeIntervalSinceReferenceDate: Double(index) * 86_400),
                    tags: ["tag \(index % 9)", "tag \((index + number + 1) % 9)"],
                    enclosure: index % 10 == 0 ? enclosure(at: address, number: index) : nil)
            })
    }
}
