#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Conditions on what is inside of a codable attribute.
    @Suite struct `A condition on a codable attribute` {
        enum Kind: CaseIterable { case file, memory, unsaved }

        private let folder: TemporaryFolder
        private let stack: Stack

        init() throws {
            folder = try TemporaryFolder()
            stack = try Stack(FeedArticle.self, Feed.self)
        }

        /// Returns a context over articles of 10, 20 and 30 bytes, one without an enclosure, and their feeds.
        private func context(_ kind: Kind) throws -> ManagedObjectContext {
            if kind == .file {
                try stack.addDatabaseStore(fileURL: folder.file("Feeds.sqlite"), synchronous: .normal)
            } else {
                try stack.addInMemoryStore()
            }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let feed = try context.insert(Feed.self)
            (feed.title, feed.limit) = ("feed", 15)
            for (title, keywords) in [
                ("10", ["swift", "Ä"]), ("20", []), ("30", ["swiftly", "10"]), ("none", ["swift"]),
            ] {
                let article = try context.insert(FeedArticle.self)
                (article.title, article.keywords, article.feed) = (title, keywords, title == "none" ? nil : feed)
                article.enclosure = try Int(title).map { try .sample($0, $0 == 20 ? .video : .audio) }
                article.ratings = Int(title).map { ["anna": Double($0) / 10, "ben": 1] }
            }
            if kind != .unsaved { try context.save() }
            return context
        }

        private func titles(_ context: ManagedObjectContext, _ condition: Condition) throws -> [String] {
            var request = FetchRequest(entityName: "FeedArticle")
            request.condition = condition
            return try context.fetch(request).compactMap { ($0 as? FeedArticle)?.title }.sorted()
        }

        private static let conditions: [(String, [String])] = [
            ("enclosure.length > 10", ["20", "30"]),
            ("enclosure.length == 20", ["20"]),
            ("enclosure.length IN {10, 30, 50}", ["10", "30"]),
            ("enclosure.length BETWEEN {10, 20}", ["10", "20"]),
            ("enclosure.length != 20", ["10", "30", "none"]),
            ("NOT enclosure.length > 10", ["10", "none"]),
            ("enclosure == nil", ["none"]),
            ("enclosure != nil", ["10", "20", "30"]),
            ("enclosure.length == nil", ["none"]),
            ("enclosure.length == '20'", []),
            ("enclosure.medium == 'video'", ["20"]),
            ("enclosure.medium BEGINSWITH[c] 'VI'", ["20"]),
            ("enclosure.url CONTAINS '/3'", ["30"]),
            ("enclosure.url LIKE '*0.mp3'", ["10", "20", "30"]),
            ("enclosure.size.width < 6", ["10", "20"]),
            ("enclosure.length > feed.limit", ["20", "30"]),
            ("feed.limit < enclosure.length", ["20", "30"]),
            ("20 <= enclosure.length", ["20", "30"]),
            ("title == enclosure.medium", []),
            ("ANY keywords == 'swift'", ["10", "none"]),
            ("'swift' IN keywords", ["10", "none"]),
            ("keywords CONTAINS 'swift'", ["10", "none"]),
            ("ANY keywords BEGINSWITH 'swift'", ["10", "30", "none"]),
            ("ALL keywords BEGINSWITH 'swift'", ["20", "none"]),
            ("NONE keywords BEGINSWITH 'swift'", ["20"]),
            ("ANY keywords ==[cd] 'a'", ["10"]),
            ("title IN keywords", []),
            ("keywords.@count == 2", ["10", "30"]),
            ("ratings.anna >= 2", ["20", "30"]),
            ("ANY ratings > 2.5", ["30"]),
            ("medium == 'video'", ["10", "20", "30", "none"]),
            ("ANY feed.articles.enclosure.length == 30", ["10", "20", "30"]),
            ("ANY feed.articles.keywords == 'swiftly'", ["10", "20", "30"]),
            ("SUBQUERY(feed.articles, $a, $a.enclosure.length > 10).@count == 2", ["10", "20", "30"]),
            ("enclosure.missing.deep == 1", []),
        ]

        @Test(arguments: Kind.allCases, 0..<conditions.count)
        func `chooses the same objects in a file, in memory and unsaved`(kind: Kind, place: Int) throws {
            let (format, expected) = Self.conditions[place]
            let context = try context(kind)
            #expect(try titles(context, Condition(format: format)) == expected, "\(format)")
        }

        @MainActor @Test(arguments: [Kind.file, .memory]) func `can be written with key paths`(kind: Kind) throws {
            let context = try context(kind)
            let World = try MainContext(stack: stack)
            func titles(_ query: (TypedObject<FeedArticle>) throws -> Query) throws -> [String] {
                try World.fetchAll(FeedArticle.self, where: query).map(\.title).sorted()
            }
            #expect(try titles { $0.enclosure.value(at: "length", as: Int.self) > 10 } == ["20", "30"])
            let time = Date(timeIntervalSinceReferenceDate: 15)
            #expect(try titles { $0.enclosure.value(at: "recorded", as: Date.self) < time } == ["10"])
            let url = try #require(URL(string: "https://example.org/20.mp3"))
            #expect(try titles { $0.enclosure.value(at: "url", as: URL.self) == url } == ["20"])
            #expect(try titles { $0.keywords.contains("swift") && $0.enclosure != nil } == ["10"])
            #expect(try titles { $0.enclosure == nil } == ["none"])
            #expect(try titles { $0.keywords.count > 1 } == ["10", "30"])
            #expect(try titles { try $0.enclosure.equals(.sample(20, .video)) } == ["20"])
            #expect(try titles { try $0.medium.equals(.audio) } == [])
            #expect(
                try titles { try $0.feed.articles.any { try $0.keywords.equals(["swift", "Ä"]) } } == [
                    "10", "20", "30",
                ])
            withExtendedLifetime(context) {}
        }

        @Test(arguments: [Kind.file, .memory]) func `orders and selects values of any type`(kind: Kind) throws {
            let context = try context(kind)
            let article = try context.insert(FeedArticle.self)
            article.title = "odd"
            try article.setValue(#"{"length": "long", "medium": true}"#, forKey: "enclosure")
            try context.save()
            var request = FetchRequest(entityName: "FeedArticle")
            request.sortTerms = [SortTerm("enclosure.length", ascending: false), SortTerm("title")]
            #expect(
                try context.fetch(request).compactMap { ($0 as? FeedArticle)?.title } == [
                    "odd", "30", "20", "10", "none",
                ])
            request.resultType = .dictionaries
            request.propertiesToFetch = [.init("enclosure.length"), .init("enclosure.medium"), .init("keywords")]
            let rows = try context.values(request)
            #expect(rows.map { $0[0] } == ["long", 30, 20, 10, nil])
            #expect(rows.map { $0[1] } == [1, "audio", "video", "audio", nil])
            #expect(rows.map { $0[2] } == ["[]", #"["swiftly","10"]"#, "[]", #"["swift","Ä"]"#, #"["swift"]"#])
        }

        private static let refused: [(String, String)] = [
            ("enclosure < nil", "a value in JSON"),
            ("enclosure.length == enclosure.size", "a value in JSON"),
            ("enclosure.length IN {1, 'a'}", "a list"),
            ("enclosure.length == feed", "Feed"),
            ("enclosure.@sum.length > 1", "@sum"),
            ("abs:(enclosure.length) == 1", "a value in JSON"),
            ("keywords.@count.x == 1", "@count"),
            ("enclosure.length CONTAINS 5 AND enclosure.length + 1 == 2", "a value in JSON"),
        ]

        @Test(arguments: 0..<refused.count) func `is refused where it has no meaning`(place: Int) throws {
            let (format, words) = Self.refused[place]
            let context = try context(.memory)
            let error = #expect(throws: FetchError.self, "\(format)") {
                try titles(context, Condition(format: format))
            }
            #expect(error?.message.contains(words) == true, "\(format): \(error?.message ?? "")")
        }

        @Test func `takes text that is not JSON for no value`() throws {
            let context = try context(.file)
            _ = try StoreCopy.rows(
                folder.file("Feeds.sqlite"), "UPDATE ZFEEDARTICLE SET ZENCLOSURE = '{' WHERE ZTITLE = '10'")
            #expect(try titles(context, Condition(format: "enclosure.length > 0")) == ["20", "30"])
            #expect(try titles(context, Condition(format: "ANY enclosure == 20")) == ["20"])
        }
    }
#endif
