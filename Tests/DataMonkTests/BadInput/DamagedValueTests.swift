#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// A value that is none of its attribute's type, in a row that is sound besides: only another program writes such.
    @Suite struct `A damaged value` {
        @Entity("Thing") final class Thing: ManagedObject {
            var small: Int16 = 0
            var middle: Int32 = 0
            var mark: UUID?
            var link: URL?
            var copies: Int = 0
        }

        private let folder: TemporaryFolder
        private let context: ManagedObjectContext
        private let thing: Thing

        init() throws {
            folder = try TemporaryFolder()
            let url = folder.file("Things.sqlite")
            let model = try ManagedObjectModel(classes: [Thing.self])
            func stack() throws -> Stack {
                let stack = Stack(model: model)
                stack.onError { _ in }
                try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
                return stack
            }
            let writing = try stack()
            let context = ManagedObjectContext(coordinator: writing.coordinator)
            let thing = try context.insert(Thing.self)
            (thing.mark, thing.link) = (UUID(), URL(string: "https://example.org"))
            try context.save()
            try writing.close()
            _ = try StoreCopy.rows(
                url, "UPDATE ZTHING SET ZSMALL = 70000, ZMIDDLE = 99999999999, ZMARK = x'0102', ZLINK = 'http://[bad'")
            self.context = ManagedObjectContext(coordinator: try stack().coordinator)
            self.thing = try #require(try self.context.all(Thing.self).first)
        }

        private static let reads: [(String, @Sendable (Thing) -> Void)] = [
            ("small", { $0.copies = Int($0.small) }), ("middle", { $0.copies = Int($0.middle) }),
            ("mark", { $0.copies = $0.mark == nil ? 0 : 1 }), ("link", { $0.copies = $0.link == nil ? 0 : 1 }),
        ]

        @Test(arguments: 0..<4) func `that was read stands in the way of a save`(place: Int) throws {
            let (name, read) = Self.reads[place]
            read(thing)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .unreadValues && error.failedAccesses.map(\.propertyName) == [name])
            #expect((error.failedAccesses.first?.cause as? StoreError)?.code == .corrupt)
        }

        @Test(arguments: 0..<4) func `throws by name`(place: Int) throws {
            let error = #expect(throws: StoreError.self) { try thing.value(forKey: Self.reads[place].0) }
            #expect(error?.code == .corrupt && error?.message.contains("Thing.\(Self.reads[place].0)") == true)
        }

        @Test func `stays while others change, and can be set anew`() throws {
            thing.copies = 1
            try context.save()
            (thing.small, thing.middle, thing.mark, thing.link) = (1, 2, UUID(), nil)
            try context.save()
            #expect(thing.small == 1 && thing.middle == 2 && thing.mark != nil && thing.link == nil)
            thing.copies = 2
            try context.save()
        }

        @Test func `is none where there is no value`() throws {
            let other = try context.insert(Thing.self)
            #expect(other.mark == nil && other.link == nil && other.small == 0)
            try context.save()
        }
    }
#endif
