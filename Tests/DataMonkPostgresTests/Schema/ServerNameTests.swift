#if Postgres
    import DataMonkTesting
    import Testing

    @testable import DataMonkPostgres

    /// Names of tables and columns.
    @Suite struct ServerNameTests {
        @Test(arguments: [
            ("name", "name"), ("firstName", "first_name"), ("FirstName", "first_name"), ("URLText", "url_text"),
            ("imageURL", "image_url"), ("page2", "page2"), ("page2Title", "page2_title"), ("isOK", "is_ok"),
            ("a_b", "a_b"), ("A_B", "a_b"), ("_private", "_private"), ("X", "x"), ("größeÄndern", "größe_ändern"),
        ])
        func `names are in snake case`(name: String, expected: String) {
            #expect(ServerName.snakeCase(name) == expected)
        }

        @Test func `each quotation mark is doubled, also one with an accent`() {
            #expect(ServerName.quoted("monk") == "\"monk\"")
            #expect(ServerName.quoted("a\"b\"") == "\"a\"\"b\"\"\"")
            #expect(ServerName.quoted("a\"\u{301}b").utf8.count { $0 == UInt8(ascii: "\"") } == 4)
        }

        private func column(_ property: String, of entity: String = "Monk") -> ServerNames.Subject {
            ServerNames.Subject(kind: .column, entity: entity, property: property)
        }

        @Test func `names that collide get numbers, each in its own table`() {
            var names = ServerNames()
            #expect(names.name(of: column("firstName"), in: "monk", like: "first_name") == "first_name")
            #expect(names.name(of: column("first_name"), in: "monk", like: "first_name") == "first_name_2")
            #expect(names.name(of: column("firstName", of: "Abbot"), in: "monk", like: "first_name") == "first_name_3")
            #expect(names.name(of: column("firstName", of: "Temple"), in: "temple", like: "first_name") == "first_name")
            // The same subject keeps its name.
            #expect(names.name(of: column("first_name"), in: "monk", like: "another") == "first_name_2")
        }

        @Test func `names of PostgreSQL's and of the store's are not used`() {
            var names = ServerNames()
            #expect(names.name(of: column("ctid"), in: "monk", like: "ctid") == "ctid_2")
            #expect(names.name(of: column("_id"), in: "monk", like: "_id") == "x_id")
            let table = ServerNames.Subject(kind: .table, entity: "_Store")
            #expect(names.name(of: table, like: "_store") == "x_store")
            // A table may have the name.
            #expect(names.name(of: ServerNames.Subject(kind: .table, entity: "Ctid"), like: "ctid") == "ctid")
        }

        @Test func `long names are cut between characters, and stay different`() {
            var names = ServerNames()
            let long = String(repeating: "ä", count: 100)
            let first = names.name(of: column("a"), in: "monk", like: long)
            let second = names.name(of: column("b"), in: "monk", like: long + "b")
            #expect(first.utf8.count == 62 && second.utf8.count == 62)
            #expect(first == String(repeating: "ä", count: 31) && second == String(repeating: "ä", count: 30) + "_2")
        }

        @Test func `names that a store has are kept, whatever is proposed now`() {
            var names = ServerNames()
            _ = names.name(of: column("a"), in: "monk", like: "a")
            _ = names.name(of: column("b"), in: "monk", like: "a")
            var later = ServerNames(names.entries)
            #expect(later.name(of: column("b"), in: "monk", like: "b") == "a_2")
            #expect(later.name(of: column("c"), in: "monk", like: "a") == "a_3")
            #expect(later.entries.prefix(2) == names.entries[...])
        }

        @Test func `random names are all different, and fit`() {
            var generator = SeededGenerator(seed: testSeed)
            let pieces = ["a", "A", "_", "2", "ä", "İ", "ctid", "xmin", "id", String(repeating: "long", count: 15)]
            var names = ServerNames()
            var seen: Set<String> = []
            for number in 0..<2_000 * testEffort {
                let count = Int.random(in: 1...5, using: &generator)
                let name = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
                let found = names.name(of: column("\(number)"), in: "monk", like: ServerName.snakeCase(name))
                #expect(found.utf8.count <= 63 && !found.hasPrefix("_") && found != "ctid" && found != "xmin")
                #expect(seen.insert(found).inserted, "seed \(testSeed)")
            }
        }
    }
#endif
