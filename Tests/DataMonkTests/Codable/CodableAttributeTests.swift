#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Values of `Codable` types in attributes.
    @Suite struct `A codable attribute` {
        enum Kind: CaseIterable { case file, memory }

        private let folder: TemporaryFolder
        private let reports = Reports()

        init() throws { folder = try TemporaryFolder() }

        private func context(_ kind: Kind) throws -> ManagedObjectContext {
            let stack = try Stack(FeedArticle.self, Feed.self)
            stack.onError { [reports] in reports.add($0) }
            switch kind {
            case .file: try stack.addDatabaseStore(fileURL: folder.file("Feeds.sqlite"), synchronous: .normal)
            case .memory: try stack.addInMemoryStore()
            }
            return ManagedObjectContext(coordinator: stack.coordinator)
        }

        @Test(arguments: Kind.allCases) func `keeps structs, lists, sets, dictionaries and enums`(kind: Kind) throws {
            let context = try context(kind)
            let article = try context.insert(FeedArticle.self)
            #expect(article.enclosure == nil && article.keywords.isEmpty && article.flags == [3])
            #expect(article.ratings == nil && article.medium == .video)
            article.enclosure = try .sample(100, .video)
            article.enclosure?.length += 1
            article.keywords = ["swift", "a/b", "\"quoted\"", "É"]
            article.flags = [9, 1, 5]
            article.ratings = ["anna": 4.5, "ben": .infinity]
            article.medium = .audio
            try context.save()
            let other = ManagedObjectContext(coordinator: context.coordinator)
            let read = try #require(try other.all(FeedArticle.self).first)
            var expected = try Enclosure.sample(100, .video)
            expected.length = 101
            #expect(read.enclosure == expected && read.keywords == ["swift", "a/b", "\"quoted\"", "É"])
            #expect(read.flags == [1, 5, 9] && read.ratings == ["anna": 4.5, "ben": .infinity])
            #expect(read.medium == .audio)
            read.enclosure = nil
            read.ratings = nil
            try other.save()
            try context.refreshAllObjects()
            #expect(article.enclosure == nil && article.ratings == nil)
        }

        @Test func `is the JSON of the value in a column of text`() throws {
            let context = try context(.file)
            let article = try context.insert(FeedArticle.self)
            article.flags = [30, 1, 200]
            article.enclosure = Enclosure(url: try #require(URL(string: "https://e.org/a")), length: 5)
            #expect(try article.value(forKey: "flags") == .string("[1,200,30]"))
            try context.save()
            let rows = try StoreCopy.rows(
                folder.file("Feeds.sqlite"), "SELECT ZENCLOSURE, typeof(ZFLAGS) FROM ZFEEDARTICLE")
            #expect(rows.first == [#"{"length":5,"medium":"audio","size":{},"url":"https://e.org/a"}"#, "text"])
        }

        @Test func `is no change if its value is encoded as before`() throws {
            let context = try context(.memory)
            let article = try context.insert(FeedArticle.self)
            article.flags = Set(0..<50)
            try context.save()
            article.flags = Set((0..<50).reversed())
            try context.save()
            #expect(article.changedValues().isEmpty)
        }

        @Test func `that does not decode is a failed read, which stands in the way of a save`() throws {
            let context = try context(.file)
            let article = try context.insert(FeedArticle.self)
            article.enclosure = try .sample(1)
            try context.save()
            for damage in [#"{"length":"long"}"#, "no JSON", ""] {
                _ = try StoreCopy.rows(
                    folder.file("Feeds.sqlite"),
                    "UPDATE ZFEEDARTICLE SET Z_OPT = Z_OPT + 1, ZENCLOSURE = '\(damage)', ZKEYWORDS = '{}'")
                let other = ManagedObjectContext(coordinator: context.coordinator)
                let read = try #require(try other.all(FeedArticle.self).first)
                #expect(read.enclosure == nil && read.keywords == [])
                read.title = "changed"
                let error = try #require(throws: SaveError.self) { try other.save() }
                #expect(
                    error.code == .unreadValues
                        && error.failedAccesses.map(\.propertyName) == ["enclosure", "keywords"])
                let cause = try #require(error.failedAccesses.first?.cause as? StoreError)
                #expect(cause.code == .corrupt && cause.message.contains("FeedArticle.enclosure"), "\(cause)")
                #expect(!cause.message.contains("long"))
                other.rollback()
                read.enclosure = try .sample(2)
                try other.save()
            }
        }

        @Test func `keeps its value if a new one cannot be encoded, and nothing is saved`() throws {
            let context = try context(.memory)
            let article = try context.insert(FeedArticle.self)
            article.stubborn = Stubborn(isStubborn: false)
            try context.save()
            article.stubborn = Stubborn(isStubborn: true)
            article.title = "x"
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .unreadValues && error.failedAccesses.first?.kind == .write)
            #expect(
                (error.failedAccesses.first?.cause as? FetchError)?.message.contains("FeedArticle.stubborn") == true)
            #expect(reports.count == 1)
            context.rollback()
            #expect(article.stubborn != nil)
        }

        @Test func `refuses text that is not JSON, by name`() throws {
            let context = try context(.memory)
            let article = try context.insert(FeedArticle.self)
            #expect(throws: FetchError.self) { try article.setValue("no JSON", forKey: "enclosure") }
            try article.setValue(#"["a"]"#, forKey: "keywords")
            #expect(article.keywords == ["a"])
            #expect(try article.value(forKeyPath: "keywords") == #"["a"]"#)
            #expect(try article.value(forKeyPath: "keywords.@count") == 1)
        }

        @Test func `can be undone and rolled back`() throws {
            let context = try context(.memory)
            let article = try context.insert(FeedArticle.self)
            article.keywords = ["a"]
            try context.save()
            article.keywords.append("b")
            context.rollback()
            #expect(article.keywords == ["a"])
        }

        @Test func `of text that is nested without end is read without an end of the stack`() throws {
            let context = try context(.memory)
            let article = try context.insert(FeedArticle.self)
            let depth = 200_000
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(throws: FetchError.self) { try article.setValue(.string(deep), forKey: "enclosure") }
            let level = 1_000
            let legal = String(repeating: "[", count: level) + String(repeating: "]", count: level)
            try article.setValue(.string(legal), forKey: "enclosure")
            #expect(article.enclosure == nil)
            #expect(throws: SaveError.self) { try context.save() }
        }

        @Test func `with a dictionary of other keys is no change if its value is the same`() throws {
            let context = try context(.memory)
            let article = try context.insert(FeedArticle.self)
            let ids = (0..<20).map { _ in UUID() }
            article.votes = Dictionary(uniqueKeysWithValues: ids.map { ($0, 1) })
            try context.save()
            for _ in 0..<20 {
                var votes: [UUID: Int] = [:]
                for id in ids.shuffled() { votes[id] = 1 }
                article.votes = votes
                #expect(article.changedValues().isEmpty)
            }
            #expect(article.votes.count == 20)
        }

        @Test func `is set by a batch to JSON alone`() throws {
            let context = try context(.file)
            let article = try context.insert(FeedArticle.self)
            (article.title, article.keywords) = ("no JSON", ["a"])
            try context.save()
            func update(_ value: ConditionExpression) throws {
                try context.execute(
                    BatchUpdateRequest(entityName: "FeedArticle", propertiesToUpdate: ["enclosure": value]))
            }
            #expect(throws: FetchError.self) { try update(.keyPath("title")) }
            #expect(throws: FetchError.self) { try update(.value("no JSON")) }
            #expect(throws: FetchError.self) { try update(.keyPath("keywords")) }
            try update(.keyPath("keywords.@json"))
            #expect(try context.all(FeedArticle.self).first?.value(forKey: "enclosure") == #"["a"]"#)
        }

        @Test func `must be codable in the class and in its model`() throws {
            for isCodable in [true, false] {
                let note = #"<userInfo><entry key="DataMonkCodable" value="JSON"/></userInfo>"#
                func model(_ noteClass: ManagedObject.Type) throws -> ManagedObjectModel {
                    let contents = """
                        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                            <entity name="Note" representedClassName="\(noteClass)">
                                <attribute name="words" optional="YES" attributeType="String">\(isCodable ? note : "")</attribute>
                            </entity>
                        </model>
                        """
                    return try ModelBundle.model(
                        fromContents: Data(contents.utf8), fileName: "contents", classes: [noteClass])
                }
                _ = try model(isCodable ? CodableNote.self : PlainNote.self)
                let error = #expect(throws: ModelError.self) {
                    try model(isCodable ? PlainNote.self : CodableNote.self)
                }
                #expect(error?.message.contains("codable in the class or in the entity") == true)
            }
        }

        @Test func `with a default that cannot be encoded is refused by the model`() throws {
            let error = #expect(throws: ModelError.self) { try ManagedObjectModel(classes: [StubbornNote.self]) }
            #expect(error?.message.contains("default value is not JSON") == true)
        }

        @Test func `is text for Core Data, with a note in the model`() throws {
            let model = try ManagedObjectModel(classes: [FeedArticle.self, Feed.self])
            let attribute = try #require(model.entitiesByName["FeedArticle"]?.attribute(named: "enclosure"))
            #expect(attribute.type == .string && attribute.isCodable && attribute.description.isCodable)
            #expect(attribute.description.userInfo["DataMonkCodable"] == "JSON")
            let context = try context(.file)
            try context.save()
            let stored = try ManagedObjectModel.load(fromStoreAt: folder.file("Feeds.sqlite"))
            #expect(stored.entitiesByName["FeedArticle"]?.attribute(named: "enclosure")?.isCodable == true)
        }
    }

    @Entity("Note") final class PlainNote: ManagedObject { var words: String? }
    @Entity("Note") final class CodableNote: ManagedObject { @Attribute(.codable) var words: [String]? }
    @Entity final class StubbornNote: ManagedObject {
        @Attribute(.codable) var word: Stubborn = Stubborn(isStubborn: true)
    }

    /// **Shared.** Counts reports of errors.
    private final class Reports: Sendable {
        private let errors = Locked<[any Error]>([])

        var count: Int { errors.withLock(\.count) }
        func add(_ error: any Error) { errors.withLock { $0.append(error) } }
    }
#endif
