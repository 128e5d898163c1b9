#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The snippets on SQL and on text search.
    @MainActor @Suite struct SQLAndTextSearchTests {
        @Entity final class Post: ManagedObject {
            @Attribute(.textSearch) var body: String = ""
        }

        @Entity final class Member: ManagedObject {
            var name: String = ""
            @Attribute(.derived("lowercase:(name)"), .indexed) private(set) var lowercaseName: String = ""
        }

        struct NameAndAge: Decodable, Sendable { var name: String, age: Int }

        @Test func `the article's snippets run`() async throws {
            try await Village.withFile { url in
                let stack = try Stack(Person.self, Post.self, Member.self)
                try stack.addDatabaseStore(fileURL: url)
                let World = try MainContext(stack: stack)
                try await World.update { update in
                    for (name, age) in [("Monk", 44), ("Knight", 18), ("Child", 7)] {
                        let person = try update.create(Person.self)
                        (person.name, person.age, person.location) = (name, age, "Taipei")
                    }
                    try update.create(Post.self).body = "Swift actors in New York"
                    try update.create(Member.self).name = "Monk"
                    try update.commit()
                }
                try await Self.read(stack, World)
                try await Self.refuse(stack)
                try await Self.search(stack, World)
                let members = try World.fetchAll(Member.self, %"lowercaseName" == "monk")
                #expect(members.count == 1)
                let plan = try World.explain(Member.self, %"lowercaseName" == "monk")
                #expect("\(plan)".contains("LOWERCASENAME"))
                try stack.close()
            }
        }

        private static func read(_ stack: Stack, _ World: MainContext) async throws {
            let grown = try await stack.read { database in
                try database.rows(
                    "SELECT ZNAME AS name, ZAGE AS age FROM ZPERSON WHERE ZAGE > ?", 17, as: NameAndAge.self)
            }
            #expect(grown.count == 2)
            let names = try await stack.read { database in
                try database.rows("SELECT ZNAME, ZLOCATION FROM ZPERSON").map { row in
                    "\(try row["ZNAME", as: String.self] ?? ""), \(try row[1, as: String.self] ?? "nowhere")"
                }
            }
            let count = try await stack.read { database in
                try database.value("SELECT count(*) FROM ZPERSON WHERE ZLOCATION = ?", "Taipei", as: Int.self)
            }
            #expect(names.contains("Monk, Taipei") && count == 3)
            let ids = try await stack.read { database in
                let (table, age) = (try database.table(of: Person.self), try database.column(of: \Person.age))
                return try database.rows("SELECT Z_PK, Z_ENT FROM \(table) ORDER BY \(age) DESC LIMIT 3")
                    .map { try database.objectID(of: Person.self, in: $0) }
            }
            let oldest = try World.use(ids)
            #expect(oldest.map(\.name) == ["Monk", "Knight", "Child"])
        }

        private static func refuse(_ stack: Stack) async throws {
            do {
                _ = try await stack.read { database in try database.rows("DELETE FROM ZPERSON") }
            } catch let error as SQLError where error.code == .refused {
                print(error.action ?? "", error.subject ?? "")  // DELETE ZPERSON
            }
        }

        private static func search(_ stack: Stack, _ World: MainContext) async throws {
            let found = try World.fetchAll(Post.self, %"body"%.contains(words: "swift act* \"new york\""))
            let same = try World.fetchAll(Post.self) { $0.body.contains(words: "swift act* \"new york\"") }
            let again = try World.fetchAll(Post.self, .Where("body CONTAINSWORDS %@", "swift act* \"new york\""))
            #expect(found.count == 1 && found == same && found == again)
            let best = try await stack.read { database in
                try database.rows(
                    """
                    SELECT Z_PK, Z_ENT FROM "DATAMONK_WORDS$ZPOST$ZBODY" words JOIN ZPOST ON Z_PK = words.rowid
                    WHERE words.ZBODY MATCH ? ORDER BY words.rank LIMIT 10
                    """, "swift"
                ).map { try database.objectID(of: Post.self, in: $0) }
            }
            #expect(best.count == 1)
        }
    }
#endif
