#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite("Text search") struct TextSearchTests {
        enum Indexed {
            @Entity("Post") class Post: ManagedObject {
                @Attribute(.textSearch) var body: String?
                var title: String = ""
                @Relationship(inverse: \Topic.posts) var topic: Topic?
            }

            @Entity("Reply") final class Reply: Post {
                @Attribute(.textSearch) var note: String?
            }

            @Entity("Topic") final class Topic: ManagedObject {
                var name: String = ""
                var posts: Set<Post>
            }
        }

        enum Plain {
            @Entity("Post") class Post: ManagedObject {
                var body: String?
                var title: String = ""
                @Relationship(inverse: \Topic.posts) var topic: Topic?
            }

            @Entity("Reply") final class Reply: Post {
                var note: String?
            }

            @Entity("Topic") final class Topic: ManagedObject {
                var name: String = ""
                var posts: Set<Post>
            }
        }

        private let folder: TemporaryFolder
        private var url: URL { folder.file("Posts.sqlite") }

        init() throws { folder = try TemporaryFolder() }

        private func openIndexed() throws -> Stack {
            let stack = try Stack(Indexed.Post.self, Indexed.Reply.self, Indexed.Topic.self)
            try stack.addDatabaseStore(fileURL: url)
            return stack
        }

        /// Makes a store with posts, and closes it.
        private func makeStore() async throws {
            let stack = try openIndexed()
            try await Self.fill(stack)
            try stack.close()
        }

        private static func fill(_ stack: Stack) async throws {
            try await Context(stack: stack).update { update in
                let topic = try update.create(Indexed.Topic.self)
                for body in ["Swift actors and more", "The SWIFT café", nil, "New York, new words"] {
                    let post = try update.create(Indexed.Post.self)
                    post.body = body
                    post.title = "Title"
                    post.topic = topic
                }
                let reply = try update.create(Indexed.Reply.self)
                (reply.body, reply.note) = ("swift reply", "actors")
                try update.commit()
            }
        }

        /// The columns with an index in the file.
        private func indexes(at url: URL? = nil) throws -> [String] { try StoreFacts.read(url ?? self.url).textIndexes }

        @Test(arguments: [false, true]) func `every spelling finds the same, in a file and in memory`(
            inFile: Bool
        ) async throws {
            let stack = try Stack(Indexed.Post.self, Indexed.Reply.self, Indexed.Topic.self)
            if inFile { try stack.addDatabaseStore(fileURL: url) } else { try stack.addInMemoryStore() }
            try await Self.fill(stack)
            let context = try Context(stack: stack)
            try await context.read { try Self.search($0) }
            try stack.close()
        }

        private static func search(_ reader: Reader) throws {
            #expect(try reader.count(Indexed.Post.self, %"body"%.contains(words: "swift")) == 3)
            let typed = Query(Indexed.Post.self) { $0.body.contains(words: "act*") }
            #expect(try reader.count(Indexed.Post.self, typed) == 1)
            #expect(try reader.count(Indexed.Post.self, .Where("body CONTAINSWORDS %@", "\"new york\"")) == 1)
            #expect(try reader.count(Indexed.Post.self, .Where("body containswords 'CAFE swift'")) == 1)
            #expect(try reader.count(Indexed.Post.self, !(%"body"%.contains(words: "swift"))) == 2)
            #expect(try reader.count(Indexed.Reply.self, %"note"%.contains(words: "actors")) == 1)
            #expect(try reader.count(Indexed.Reply.self, %"body"%.contains(words: "actors")) == 0)
            #expect(try reader.count(Indexed.Topic.self, %"posts.body"%.any.contains(words: "cafe")) == 1)
            #expect(try reader.count(Indexed.Topic.self, %"posts.body"%.all.contains(words: "swift")) == 0)
            // Without the option all texts are read.
            #expect(try reader.count(Indexed.Post.self, %"title"%.contains(words: "titl*")) == 4)
            #expect(try reader.count(Indexed.Post.self, %"body"%.contains(words: "\" OR 1 --")) == 0)
        }

        @Test func `what is changed is found at once, before and after the commit`() async throws {
            let stack = try openIndexed()
            try await Self.fill(stack)
            let context = try Context(stack: stack)
            try await context.update { update in
                let post = try update.fetch(Indexed.Post.self, %"body"%.contains(words: "york"))
                post.body = "Now Taipei"
                try update.create(Indexed.Post.self).body = "Taipei too"
                try update.delete(try update.fetch(Indexed.Post.self, %"body"%.contains(words: "cafe")))
                for isCommitted in [false, true] {
                    if isCommitted { try update.commit() }
                    #expect(try update.count(Indexed.Post.self, %"body"%.contains(words: "taipei")) == 2)
                    #expect(try update.count(Indexed.Post.self, %"body"%.contains(words: "york")) == 0)
                    #expect(try update.count(Indexed.Post.self, %"body"%.contains(words: "cafe")) == 0)
                }
            }
            try await context.update { update in
                try update.batchUpdate(
                    Indexed.Post.self, %"body"%.contains(words: "taipei"), set: ["body": .value(.string("Bern"))])
                try update.batchDelete(Indexed.Post.self, %"body"%.contains(words: "swift"))
            }
            #expect(try await context.read { try $0.count(Indexed.Post.self, %"body"%.contains(words: "bern")) } == 2)
            #expect(try await context.read { try $0.count(Indexed.Post.self, %"body"%.contains(words: "swift")) } == 0)
            try stack.close()
            #expect(try Stack.examine(storeAt: url).findings == [])
        }

        @Test func `the index is used, and SQL of one's own may use it too`() async throws {
            let stack = try openIndexed()
            try await Self.fill(stack)
            let plan = try await Context(stack: stack).read { reader in
                try reader.explain(Indexed.Post.self, %"body"%.contains(words: "swift"))
            }
            #expect(plan.statement?.contains("MATCH") == true)
            let ranked = try await stack.read { database in
                try database.rows(
                    """
                    SELECT p.ZBODY FROM "DATAMONK_WORDS$ZPOST$ZBODY" f JOIN ZPOST p ON p.Z_PK = f.rowid
                    WHERE f.ZBODY MATCH ? ORDER BY bm25("DATAMONK_WORDS$ZPOST$ZBODY")
                    """, "swift"
                ).map { try $0[0, as: String.self] }
            }
            #expect(ranked.count == 3)
            try stack.close()
        }

        @Test func `an index is read by a connection that has not used it`() async throws {
            try await makeStore()
            let stack = try openIndexed()
            let sql = """
                SELECT count(*) FROM "DATAMONK_WORDS$ZPOST$ZBODY" WHERE ZBODY MATCH 'swift'
                """
            #expect(try await stack.read { try $0.value(sql, as: Int.self) } == 3)
            try stack.close()
        }

        @Test func `the option is switched off and on again`() async throws {
            try await makeStore()
            #expect(try indexes() == ["ZPOST.ZBODY", "ZPOST.ZNOTE"])
            let plain = try Stack(Plain.Post.self, Plain.Reply.self, Plain.Topic.self)
            try plain.addDatabaseStore(fileURL: url)
            try await Context(stack: plain).update { update in
                #expect(try update.count(Plain.Post.self, %"body"%.contains(words: "swift")) == 3)
                try update.create(Plain.Post.self).body = "Swift again"
                try update.commit()
            }
            try plain.close()
            #expect(try StoreCopy.rows(url, "SELECT name FROM sqlite_schema WHERE name LIKE 'DATAMONK%'") == [])
            let stack = try openIndexed()
            let count = try await Context(stack: stack).read {
                try $0.count(Indexed.Post.self, %"body"%.contains(words: "swift"))
            }
            #expect(count == 4)
            #expect(try indexes() == ["ZPOST.ZBODY", "ZPOST.ZNOTE"])
            try stack.close()
        }

        @Test func `a store that is only read is searched without an index`() async throws {
            let plain = try Stack(Plain.Post.self, Plain.Reply.self, Plain.Topic.self)
            try plain.addDatabaseStore(fileURL: url)
            try await Context(stack: plain).update { update in
                try update.create(Plain.Post.self).body = "Swift"
                try update.commit()
            }
            try plain.close()
            let stack = try Stack(Indexed.Post.self, Indexed.Reply.self, Indexed.Topic.self)
            try stack.addDatabaseStore(fileURL: url, readOnly: true)
            let count = try await Context(stack: stack).read {
                try $0.count(Indexed.Post.self, %"body"%.contains(words: "swift"))
            }
            #expect(count == 1)
            #expect(try indexes() == [])
            try stack.close()
        }

        @Test func `an index whose triggers another program dropped is made anew`() async throws {
            try await makeStore()
            _ = try StoreCopy.rows(
                url, "DROP TRIGGER \"DATAMONK_WORDS$ZPOST$ZBODY$UPDATE\"; UPDATE ZPOST SET ZBODY = 'Bern'")
            #expect(try Stack.examine(storeAt: url).findings.map(\.kind) == [.wrongTextIndex])
            let stack = try openIndexed()
            let context = try Context(stack: stack)
            #expect(try await context.read { try $0.count(Indexed.Post.self, %"body"%.contains(words: "bern")) } == 5)
            #expect(try await context.read { try $0.count(Indexed.Post.self, %"body"%.contains(words: "swift")) } == 0)
            try stack.close()
        }

        @Test(arguments: ["data", "idx", "docsize", "config"])
        func `an index that lacks a table of its own is found, repaired and made anew`(table: String) async throws {
            try await makeStore()
            let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
            try connection.permitInternalTables()
            try connection.execute("DROP TABLE \"DATAMONK_WORDS$ZPOST$ZBODY_\(table)\"")
            try connection.close()
            #expect(try Stack.examine(storeAt: url).findings.map(\.kind) == [.wrongTextIndex])
            let target = folder.file("Repaired.sqlite")
            #expect(try Stack.repair(storeAt: url, to: target).actions.count == 1)
            #expect(try Stack.examine(storeAt: target).findings == [])
            let stack = try openIndexed()
            let count = try await Context(stack: stack).read {
                try $0.count(Indexed.Post.self, %"body"%.contains(words: "swift"))
            }
            #expect(count == 3)
            try stack.close()
            #expect(try Stack.examine(storeAt: url).findings == [])
        }

        @Test func `another program keeps the index`() async throws {
            try await makeStore()
            _ = try StoreCopy.rows(
                url, "PRAGMA trusted_schema = 1; UPDATE ZPOST SET ZBODY = 'Bern' WHERE ZBODY LIKE '%york%'")
            let stack = try openIndexed()
            let count = try await Context(stack: stack).read {
                try $0.count(Indexed.Post.self, %"body"%.contains(words: "bern"))
            }
            #expect(count == 1)
            try stack.close()
            #expect(try Stack.examine(storeAt: url).findings == [])
        }

        @Test func `an index that does not agree is found and repaired`() async throws {
            try await makeStore()
            let name = "DATAMONK_WORDS$ZPOST$ZBODY"
            _ = try StoreCopy.rows(url, "INSERT INTO \"\(name)\"(rowid, ZBODY) VALUES(1, 'strange')")
            let examination = try Stack.examine(storeAt: url)
            #expect(examination.findings.map(\.kind) == [.wrongTextIndex])
            let target = folder.file("Repaired.sqlite")
            #expect(try Stack.repair(storeAt: url, to: target).actions.count == 1)
            #expect(try Stack.examine(storeAt: target).findings == [])
            #expect(try indexes(at: target) == ["ZPOST.ZBODY", "ZPOST.ZNOTE"])
        }

        @Test func `what has the name of an index and another text is refused`() async throws {
            try await makeStore()
            let name = "DATAMONK_WORDS$ZPOST$ZBODY$UPDATE"
            _ = try StoreCopy.rows(
                url,
                """
                DROP TRIGGER "\(name)"; CREATE TRIGGER "\(name)" AFTER UPDATE ON ZPOST BEGIN DELETE FROM ZTOPIC; END
                """)
            let error = #expect(throws: StoreError.self) { try openIndexed() }
            #expect(error?.code == .incompatibleSchema)
        }

        @Test func `backups and migrations keep the search`() async throws {
            try await makeStore()
            let entities = [
                EntityDescription("Post") {
                    AttributeDescription("text", .string, hasTextIndex: true, renamingIdentifier: "body")
                    AttributeDescription("title", .string, isOptional: false, defaultValue: .string(""))
                    AttributeDescription("stars", .integer64)
                }
            ]
            let stack = Stack(model: try ManagedObjectModel(entities: entities))
            try stack.addDatabaseStore(fileURL: url, discarding: .everything)
            let count = try await Context(stack: stack).read {
                try $0.count(entityName: "Post", %"text"%.contains(words: "swift"))
            }
            #expect(count >= 2)
            let target = folder.file("Backup.sqlite")
            _ = try await stack.backUp(to: target)
            try stack.close()
            #expect(try Stack.examine(storeAt: target).findings == [])
            #expect(try indexes(at: target) == ["ZPOST.ZTEXT"])
        }

        @Test(arguments: [
            AttributeDescription("wrong", .integer64, hasTextIndex: true),
            AttributeDescription("wrong", .string, isTransient: true, hasTextIndex: true),
            AttributeDescription("wrong", .string, hasTextIndex: true, derivationExpression: "canonical:(name)"),
        ])
        func `only a stored string has an index`(attribute: AttributeDescription) {
            let error = #expect(throws: ModelError.self) {
                try ManagedObjectModel(entities: [
                    EntityDescription("Post") {
                        AttributeDescription("name", .string)
                        attribute
                    }
                ])
            }
            #expect(error?.problems.contains { $0.kind == .invalidIndex } == true)
        }

        @Test func `numbers have no words`() async throws {
            let stack = try openIndexed()
            let error = await #expect(throws: FetchError.self) {
                try await Context(stack: stack).read {
                    try $0.count(Indexed.Topic.self, %"posts.@count"%.contains(words: "1"))
                }
            }
            #expect(error?.code == .notComparable)
            try stack.close()
        }
    }
#endif
