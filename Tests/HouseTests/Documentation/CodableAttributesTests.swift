#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The snippets on attributes of `Codable` types.
    @Suite struct CodableAttributesTests {
        struct Enclosure: Codable, Equatable {
            var url: URL
            var length: Int
            var recorded: Date?
        }

        @Entity final class Article: ManagedObject {
            var title: String = ""
            @Attribute(.codable) var enclosure: Enclosure?
            @Attribute(.codable) var keywords: [String] = []
            @Attribute(.codable) var ratings: [String: Double] = [:]
        }

        @Test @MainActor func `the article's snippets run`() async throws {
            let stack = try Stack(Article.self)
            try stack.addInMemoryStore()
            let World = try MainContext(stack: stack)
            let url = try #require(URL(string: "https://example.org/a.mp3"))
            try await World.update { update in
                let article = try update.create(Article.self)
                article.enclosure = Enclosure(url: url, length: 4_096)
                article.enclosure?.length += 1
                article.keywords.append("swift")
                try update.commit()
            }
            let yesterday = Date.now.addingTimeInterval(-86_400)
            let enclosure = Enclosure(url: url, length: 4_097)

            let long = try World.fetchAll(Article.self, %"enclosure.length" > 1_000_000)
            let tagged = try World.fetchAll(Article.self, %"keywords"%.any == "swift")
            let liked = try World.fetchAll(Article.self, %"ratings.anna" >= 4 && %"keywords.@count" > 2)

            let recent = try World.fetchAll(Article.self) {
                $0.enclosure.value(at: "recorded", as: Date.self) > yesterday && $0.keywords.contains("swift")
            }
            let same = try World.fetchAll(Article.self) { try $0.enclosure.equals(enclosure) && $0.enclosure != nil }
            #expect(long.isEmpty && tagged.count == 1 && liked.isEmpty && recent.isEmpty && same.count == 1)
        }
    }
#endif
