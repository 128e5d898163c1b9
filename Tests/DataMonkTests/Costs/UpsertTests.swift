#if Macros
    import DataMonk
    import Testing

    /// Many new objects with the unique values of stored ones, saved at once.
    @Suite(.serialized) struct `Upserts by a constraint` {
        @Entity final class Feed: ManagedObject {
            var title: String = ""
            /// Without an inverse.
            var entries: Set<Entry>
            var latest: Entry?
        }

        @Entity final class Entry: ManagedObject {
            @Attribute(.unique) var link: String?
            var text: String = ""
            /// Without an inverse.
            var previous: Entry?
        }

        private static let model = Result { try ManagedObjectModel(classes: [Feed.self, Entry.self]) }
        private let stack: Stack

        init() throws {
            stack = Stack(model: try Self.model.get())
            try stack.addInMemoryStore()
        }

        private func newContext() -> ManagedObjectContext {
            ManagedObjectContext(coordinator: stack.coordinator, mergePolicy: .mergeByPropertyObjectTrump)
        }

        private func importFeed(_ text: String, _ count: Int, into context: ManagedObjectContext) throws -> Feed {
            let feed = try context.insert(Feed.self)
            feed.title = text
            var last: Entry?
            for number in 0..<count {
                let entry = try context.insert(Entry.self)
                entry.link = "https://example.org/\(number)"
                entry.text = text
                entry.previous = last
                last = entry
                feed.entries.insert(entry)
            }
            feed.latest = last
            return feed
        }

        @Test func `what led to the new objects leads to the stored ones, by every kind of relationship`() throws {
            let first = newContext()
            _ = try importFeed("old", 50, into: first)
            try first.save()
            let second = newContext()
            let feed = try importFeed("new", 60, into: second)
            try second.save()
            let reading = newContext()
            let entries = try reading.fetch(FetchRequest(entityName: "Entry")).compactMap { $0 as? Entry }
            #expect(entries.count == 60 && entries.allSatisfy { $0.text == "new" })
            let links = Dictionary(uniqueKeysWithValues: entries.compactMap { entry in entry.link.map { ($0, entry) } })
            for number in 1..<60 {
                let entry = try #require(links["https://example.org/\(number)"])
                #expect(entry.previous === links["https://example.org/\(number - 1)"])
            }
            let stored = try #require(try reading.existingObject(with: feed.anyObjectID) as? Feed)
            #expect(stored.entries == Set(entries))
            #expect(stored.latest === links["https://example.org/59"])
        }

        @Test func `new objects with the values of each other become one, and what led to any leads to it`() throws {
            let context = newContext()
            let feed = try context.insert(Feed.self)
            let entries = try (0..<4).map { _ in
                let entry = try context.insert(Entry.self)
                entry.link = "https://example.org/"
                return entry
            }
            let pointing = try entries.map { entry in
                let other = try context.insert(Entry.self)
                other.previous = entry
                return other
            }
            feed.entries = Set(entries)
            try context.save()
            let winner = try #require(feed.entries.first)
            #expect(feed.entries.count == 1)
            #expect(pointing.allSatisfy { $0.previous === winner })
            #expect(try newContext().count(FetchRequest(entityName: "Entry")) == 5)
        }
    }
#endif
