#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// **Value.** A file that comes with an article.
    struct Enclosure: Codable, Hashable, Sendable {
        enum Medium: String, Codable { case audio, video }

        var url: URL
        var length: Int
        var medium: Medium = .audio
        var recorded: Date?
        var size: [String: Double] = [:]
    }

    /// **Value.** A value that cannot be encoded if it says so.
    struct Stubborn: Codable, Sendable {
        var isStubborn = false

        func encode(to encoder: any Encoder) throws {
            if isStubborn { throw CancellationError() }
            var container = encoder.singleValueContainer()
            try container.encode("mild")
        }

        init(isStubborn: Bool) { self.isStubborn = isStubborn }
        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(String.self)
        }
    }

    @Entity final class FeedArticle: ManagedObject {
        var title: String = ""
        @Attribute(.codable) var enclosure: Enclosure?
        @Attribute(.codable) var keywords: [String] = []
        @Attribute(.codable) var flags: Set<Int> = [3]
        @Attribute(.codable) var ratings: [String: Double]? = nil
        @Attribute(.codable) var medium: Enclosure.Medium = .video
        @Attribute(.codable) var votes: [UUID: Int] = [:]
        @Attribute(.codable) var stubborn: Stubborn?
        @Relationship(inverse: \Feed.articles) var feed: Feed?
    }

    @Entity final class Feed: ManagedObject {
        var title: String = ""
        var limit: Int = 0
        var articles: Set<FeedArticle>
    }

    extension Enclosure {
        static func sample(_ length: Int, _ medium: Medium = .audio) throws -> Enclosure {
            Enclosure(
                url: try #require(URL(string: "https://example.org/\(length).mp3")), length: length, medium: medium,
                recorded: Date(timeIntervalSinceReferenceDate: Double(length)), size: ["width": Double(length) / 4])
        }
    }
#endif
