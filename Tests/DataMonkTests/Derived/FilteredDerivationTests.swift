import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Derived attributes that count or aggregate the objects that satisfy a condition.
@Suite struct `Filtered derived attributes` {
    private static let unread = "SUBQUERY(articles, $a, $a.isRead == NO).@count"

    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Feed") {
                AttributeDescription("title", .string)
                AttributeDescription("unreadCount", .integer32, derivationExpression: unread)
                AttributeDescription(
                    "longSize", .integer64,
                    derivationExpression: "SUBQUERY(articles, $x, $x.size >= 10 OR $x.title == \"it's\").@sum.size")
                AttributeDescription(
                    "newest", .date, derivationExpression: "SUBQUERY(articles, $a, $a.isRead != YES).@max.day")
                AttributeDescription(
                    "taggedCount", .integer32, derivationExpression: "SUBQUERY(tags, $t, $t.weight > 1.5).@count")
                AttributeDescription(
                    "openParts", .integer32, derivationExpression: "SUBQUERY(parts, $p, $p.title != nil).@count")
                RelationshipDescription("articles", to: "Article", inverse: "feed", isToMany: true)
                RelationshipDescription("tags", to: "Tag", inverse: "feeds", isToMany: true)
                RelationshipDescription("whole", to: "Feed", inverse: "parts")
                RelationshipDescription("parts", to: "Feed", isToMany: true)
            }
            EntityDescription("Folder", superentityName: "Feed", properties: [])
            EntityDescription("Article") {
                AttributeDescription("title", .string)
                AttributeDescription("isRead", .boolean)
                AttributeDescription("size", .integer64)
                AttributeDescription("day", .date)
                RelationshipDescription("feed", to: "Feed")
            }
            EntityDescription("Tag") {
                AttributeDescription("weight", .double)
                RelationshipDescription("feeds", to: "Feed", isToMany: true)
            }
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stack(_ kind: Gallery.Kind, _ model: ManagedObjectModel? = nil) throws -> Stack {
        let stack = Stack(model: try model ?? Self.model.get())
        switch kind {
        case .memory: try stack.addInMemoryStore()
        case .file: try stack.addDatabaseStore(fileURL: folder.file("feeds.sqlite"), synchronous: .normal)
        }
        return stack
    }

    @Test(arguments: Gallery.Kind.allCases) func `follow every change of the objects`(kind: Gallery.Kind) throws {
        let context = ManagedObjectContext(coordinator: try stack(kind).coordinator)
        let feed = try context.insert("Feed", ["title": "a"])
        let other = try context.insert("Folder", ["title": "b"])
        func article(_ isRead: ManagedValue, _ size: Int64, in feed: ManagedObject) throws -> ManagedObject {
            try context.insert(
                "Article", ["isRead": isRead, "size": .int(size), "feed": .object(feed.anyObjectID), "title": "it's"])
        }
        let first = try article(false, 5, in: feed)
        let second = try article(true, 50, in: feed)
        _ = try article(nil, 500, in: feed)
        try context.save()
        #expect(try feed.values("unreadCount", "longSize") == [1, 555])
        try second.setValue(false, forKey: "isRead")
        try context.save()
        #expect(try feed.values("unreadCount") == [2])
        try first.setValue(.object(other.anyObjectID), forKey: "feed")
        try first.setValue("other", forKey: "title")
        try context.save()
        #expect(try feed.values("unreadCount", "longSize") == [1, 550])
        #expect(try other.values("unreadCount", "longSize") == [1, 0])
        try first.setValue(.null, forKey: "feed")
        context.delete(second)
        try context.save()
        #expect(try feed.values("unreadCount", "longSize") == [0, 500])
        #expect(try other.values("unreadCount") == [0])
    }

    @Test(arguments: Gallery.Kind.allCases) func `equal a count after random changes`(kind: Gallery.Kind) throws {
        var generator = SeededGenerator(seed: 11)
        let stack = try stack(kind)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var feeds: [ManagedObject] = []
        for number in 0..<5 { feeds.append(try context.insert(number % 2 == 0 ? "Feed" : "Folder", [:])) }
        var articles: [ManagedObject] = []
        var tags: [ManagedObject] = []
        for _ in 0..<60 {
            for _ in 0..<4 {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: articles.append(try context.insert("Article", [:]))
                case 1: tags.append(try context.insert("Tag", [:]))
                case 2: if articles.count > 8 { context.delete(articles.remove(at: 0)) }
                case 3: if tags.count > 4 { context.delete(tags.remove(at: 0)) }
                case 4:
                    let feed = feeds.randomElement(using: &generator)
                    try feed?.setMembers("tags", Set(tags.filter { _ in Bool.random(using: &generator) }))
                case 5:
                    let whole = feeds.randomElement(using: &generator).map { ManagedValue.object($0.anyObjectID) }
                    try feeds.randomElement(using: &generator)?.setValue(whole ?? .null, forKey: "whole")
                case 6:
                    let title: ManagedValue = Bool.random(using: &generator) ? "it's" : .null
                    try feeds.randomElement(using: &generator)?.setValue(title, forKey: "title")
                default:
                    let article = articles.randomElement(using: &generator)
                    let flags: [ManagedValue] = [true, false, .null]
                    try article?.setValue(flags.randomElement(using: &generator) ?? .null, forKey: "isRead")
                    try article?.setValue(.int(.random(in: 0..<20, using: &generator)), forKey: "size")
                    try article?.setValue(
                        .date(Date(timeIntervalSinceReferenceDate: .random(in: 0..<9, using: &generator))),
                        forKey: "day")
                    let feed = feeds.randomElement(using: &generator).map { ManagedValue.object($0.anyObjectID) }
                    try article?.setValue(feed ?? .null, forKey: "feed")
                }
                if let tag = tags.randomElement(using: &generator) {
                    try tag.setValue(.double(.random(in: 0..<3, using: &generator)), forKey: "weight")
                }
            }
            try context.save()
            try expectCounts(of: feeds)
        }
        let reading = ManagedObjectContext(coordinator: stack.coordinator)
        try expectCounts(of: reading.fetch(FetchRequest(entityName: "Feed")))
    }

    private func expectCounts(of feeds: [ManagedObject]) throws {
        for feed in feeds {
            let articles = try feed.members("articles")
            let unread = try articles.filter { try $0.value(forKey: "isRead") == false }
            let long = try articles.filter { article in
                guard case .int(let size) = try article.value(forKey: "size") else { return false }
                return try size >= 10 || article.value(forKey: "title") == "it's"
            }
            let sizes = try long.map { article -> Int64 in
                if case .int(let size) = try article.value(forKey: "size") { size } else { 0 }
            }
            let days = try articles.filter { try $0.value(forKey: "isRead") != true }.compactMap { article -> Date? in
                if case .date(let day) = try article.value(forKey: "day") { day } else { nil }
            }
            let heavy = try feed.members("tags").filter { tag in
                if case .double(let weight) = try tag.value(forKey: "weight") { weight > 1.5 } else { false }
            }
            let open = try feed.members("parts").filter { try $0.value(forKey: "title") != .null }
            #expect(
                try feed.values("unreadCount", "longSize", "newest", "taggedCount", "openParts") == [
                    .int(Int64(unread.count)), .int(sizes.reduce(0, +)), days.max().map { .date($0) } ?? .null,
                    .int(Int64(heavy.count)), .int(Int64(open.count)),
                ])
        }
    }

    @Test func `are filled for the objects of an earlier version, and pass an examination`() throws {
        let old = try ManagedObjectModel {
            EntityDescription("Feed") {
                RelationshipDescription("articles", to: "Article", inverse: "feed", isToMany: true)
            }
            EntityDescription("Article") {
                AttributeDescription("isRead", .boolean)
                RelationshipDescription("feed", to: "Feed")
            }
        }
        let new = try ManagedObjectModel {
            EntityDescription("Feed") {
                AttributeDescription("unread", .integer64, derivationExpression: Self.unread)
                RelationshipDescription("articles", to: "Article", inverse: "feed", isToMany: true)
            }
            EntityDescription("Article") {
                AttributeDescription("isRead", .boolean)
                RelationshipDescription("feed", to: "Feed")
            }
        }
        let before = try stack(.file, old)
        let context = ManagedObjectContext(coordinator: before.coordinator)
        let feed = try context.insert("Feed", [:])
        for isRead in [true, false, false] {
            _ = try context.insert("Article", ["isRead": .bool(isRead), "feed": .object(feed.anyObjectID)])
        }
        try context.save()
        try before.close()
        let after = try stack(.file, new)
        let migrated = try ManagedObjectContext(coordinator: after.coordinator).fetch(FetchRequest(entityName: "Feed"))
        #expect(try migrated.first?.value(forKey: "unread") == 2)
        try after.close()
        let stored = try ManagedObjectModel.load(fromStoreAt: folder.file("feeds.sqlite"))
        #expect(
            stored.entitiesByName["Feed"]?.attribute(named: "unread")?.description.derivationExpression == Self.unread)
    }

    @Test(arguments: [
        ("SUBQUERY(articles, $a, $a.title CONTAINS 'x').@count", "can only compare"),
        ("SUBQUERY(articles, $a, NOT $a.isRead == YES).@count", "can only compare"),
        ("SUBQUERY(articles, $a, $a.feed.title == 'x').@count", "can only compare"),
        ("SUBQUERY(articles, $a, $a.title > 'x').@count", "can only compare"),
        ("SUBQUERY(articles, $a, $a.nothing == 1).@count", "can only compare"),
        ("SUBQUERY(articles, $a, $a.isRead == 2).@count", "can only compare"),
        ("SUBQUERY(articles, $a, $a.size > 1.5).@count", "can only compare"),
        ("SUBQUERY(articles, $a, $a.isRead == NO)", "has the form"),
        ("SUBQUERY(whole, $a, $a.isRead == NO).@count", "has the form"),
        ("SUBQUERY(articles, $a, $a.isRead == NO", "found the end"),
        ("SUBQUERY(articles, $a, $a.isRead == NO).@sum.title", "title"),
    ])
    func `are refused by name with any other condition`(expression: String, words: String) throws {
        let model = try ManagedObjectModel {
            EntityDescription("Feed") {
                AttributeDescription("count", .integer64, derivationExpression: expression)
                RelationshipDescription("whole", to: "Feed")
                RelationshipDescription("articles", to: "Article", inverse: "feed", isToMany: true)
            }
            EntityDescription("Article") {
                AttributeDescription("title", .string)
                AttributeDescription("isRead", .boolean)
                AttributeDescription("size", .integer64)
                RelationshipDescription("feed", to: "Feed")
            }
        }
        for kind in Gallery.Kind.allCases {
            let error = #expect(throws: (any Error).self) { try stack(kind, model) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("Feed.count") && text.contains(words), "\(text)")
        }
    }
}
