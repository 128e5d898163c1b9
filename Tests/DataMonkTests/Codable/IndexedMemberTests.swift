#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Entity final class Recording: ManagedObject {
        @Attribute(
            .codable, .indexed(at: "length", as: Int.self), .indexed(at: "size.width", as: Double.self),
            .indexed(at: "medium", as: String.self), .indexed(at: "recorded", as: Date.self))
        var enclosure: Enclosure?
    }

    @Suite struct `An index on a value in JSON` {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private var url: URL { folder.file("Recordings.sqlite") }

        /// Makes a store of recordings, whose lengths are 0 to 199.
        private func makeStore() async throws {
            let stack = try Stack(Recording.self)
            try stack.addDatabaseStore(fileURL: url)
            try await Context(stack: stack).update { update in
                for length in 0..<200 {
                    try update.create(Recording.self).enclosure = try .sample(length, length == 7 ? .video : .audio)
                }
                try update.commit()
            }
            try stack.close()
        }

        /// Opens the store with a model that has other indexes.
        private func open(
            _ members: [IndexedMember], name: String = "enclosure", formerName: String? = nil,
            further: [AttributeDescription] = []
        ) throws -> Stack {
            let attribute = AttributeDescription(
                name, .string, renamingIdentifier: formerName, isCodable: true, indexedMembers: members)
            let stack = Stack(
                model: try ManagedObjectModel(entities: [
                    EntityDescription(
                        "Recording", properties: ([attribute] + further).map { .attribute($0) })
                ]))
            try stack.addDatabaseStore(fileURL: url)
            return stack
        }

        private func indexes() throws -> [String] {
            try StoreCopy.rows(url, "SELECT name FROM sqlite_schema WHERE name GLOB 'DATAMONK*' ORDER BY name")
                .map { $0.joined() }
        }

        @Test(arguments: [
            ("enclosure.length > 100", 99), ("enclosure.length == 100", 1), ("enclosure.length IN {1, 2, 500}", 2),
            ("enclosure.length BETWEEN {1, 4}", 4), ("enclosure.size.width < 2.5", 10),
            ("enclosure.medium == 'video'", 1),
        ])
        func `serves conditions of its type`(format: String, count: Int) async throws {
            try await makeStore()
            let stack = try Stack(Recording.self)
            try stack.addDatabaseStore(fileURL: url)
            let condition = try Condition(format: format)
            let (found, explanation) = try await Context(stack: stack).read { reader in
                let query = Query(condition)
                return (try reader.count(Recording.self, query), "\(try reader.explain(Recording.self, query))")
            }
            #expect(found == count)
            #expect(explanation.contains("DATAMONK_JSON$ZRECORDING$ZENCLOSURE$"), "\(explanation)")
            try stack.close()
        }

        @Test func `is made and dropped when a store is opened, and stays otherwise`() async throws {
            try await makeStore()
            let prefix = "DATAMONK_JSON$ZRECORDING$ZENCLOSURE$"
            #expect(
                try indexes()
                    == ["number$length", "number$recorded", "number$size.width", "text$medium"].map { prefix + $0 })
            try open([IndexedMember("medium", .string), IndexedMember("it's", .boolean)]).close()
            #expect(try indexes() == ["boolean$it's", "text$medium"].map { prefix + $0 })
            try open([]).close()
            #expect(try indexes() == [])
            // Two numbers are one index, and a Double another spelling of it.
            try open([IndexedMember("length", .integer16), IndexedMember("length", .double)]).close()
            #expect(try indexes() == [prefix + "number$length"])
        }

        @Test func `is kept by other programs, and takes text that is not JSON`() async throws {
            try await makeStore()
            _ = try StoreCopy.rows(
                url,
                """
                UPDATE ZRECORDING SET ZENCLOSURE = '{"length": 1000}' WHERE Z_PK = 1;
                UPDATE ZRECORDING SET ZENCLOSURE = '{"length": ' WHERE Z_PK = 2;
                UPDATE ZRECORDING SET ZENCLOSURE = '{"length": "long"}' WHERE Z_PK = 3;
                """)
            let stack = try open([IndexedMember("length", .integer64)])
            let counts = try await Context(stack: stack).read { reader in
                try (
                    reader.count(entityName: "Recording", %"enclosure.length" > 199),
                    reader.count(entityName: "Recording", %"enclosure.length" == nil)
                )
            }
            #expect(counts.0 == 1 && counts.1 == 1)
            try stack.close()
            #expect(try Stack.examine(storeAt: url).findings == [])
        }

        @Test func `goes with migrations that rename, rebuild and remove its attribute`() async throws {
            try await makeStore()
            let renamed = try open(
                [IndexedMember("length", .integer64)], name: "file", formerName: "enclosure",
                further: [AttributeDescription("note", .string)])
            #expect(
                try await Context(stack: renamed).read {
                    try $0.count(entityName: "Recording", %"file.length" >= 190)
                } == 10)
            try renamed.close()
            #expect(try indexes() == ["DATAMONK_JSON$ZRECORDING$ZFILE$number$length"])
            let stack = Stack(
                model: try ManagedObjectModel(entities: [
                    EntityDescription("Recording") { AttributeDescription("note", .string) }
                ]))
            try stack.addDatabaseStore(fileURL: url, discarding: .everything)
            try stack.close()
            #expect(try indexes() == [])
            #expect(try Stack.examine(storeAt: url).findings == [])
        }

        @Test func `comes with backups, repairs and salvages once they are opened`() async throws {
            try await makeStore()
            let target = folder.file("Salvaged.sqlite")
            _ = try Stack.salvage(storeAt: url, to: target)
            let stack = try Stack(Recording.self)
            try stack.addDatabaseStore(fileURL: target)
            let explanation = try await Context(stack: stack).read {
                "\(try $0.explain(Recording.self, %"enclosure.length" > 5))"
            }
            #expect(explanation.contains("DATAMONK_JSON$"))
            try stack.close()
        }

        @Test(arguments: [
            (AttributeDescription("wrong", .string, indexedMembers: [IndexedMember("a", .string)]), "codable"),
            (
                AttributeDescription(
                    "wrong", .string, isTransient: true, isCodable: true, indexedMembers: [IndexedMember("a", .string)]),
                "stored"
            ),
            (
                AttributeDescription("wrong", .string, isCodable: true, indexedMembers: [IndexedMember("a", .float)]),
                "type"
            ),
            (
                AttributeDescription("wrong", .string, isCodable: true, indexedMembers: [IndexedMember("", .string)]),
                "leads to no value"
            ),
            (
                AttributeDescription(
                    "wrong", .string, isCodable: true, indexedMembers: [IndexedMember("a.\"b", .string)]),
                "leads to no value"
            ),
        ])
        func `is refused where it has no meaning`(attribute: AttributeDescription, words: String) {
            let error = #expect(throws: ModelError.self) {
                try ManagedObjectModel(entities: [EntityDescription("Post", properties: [.attribute(attribute)])])
            }
            #expect(error?.problems.map(\.kind) == [.invalidIndex])
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }
#endif
