#if Macros
    import Testing

    @Suite struct `What @Entity writes for a property` {
        @Test(arguments: [
            (#"var age = 0"#, #".property("age", Int.self, default: 0)"#),
            (#"var debt = -1.5"#, #".property("debt", Double.self, default: -1.5)"#),
            (#"var isOpen = true"#, #".property("isOpen", Bool.self, default: true)"#),
            (#"var name = "x""#, #".property("name", String.self, default: "x")"#),
            (#"var photo = Data()"#, #".property("photo", Data.self, default: Data())"#),
            (#"var rank: Rank = .novice"#, #".property("rank", Rank.self, default: .novice)"#),
            (#"var nick: String? = nil"#, #".property("nick", String?.self)"#),
            (#"var nick: String!"#, #".property("nick", String?.self)"#),
            (#"private(set) var age: Int = 0"#, #".property("age", Int.self, default: 0)"#),
            (#"var `default`: Int = 0"#, #".property("default", Int.self, default: 0)"#),
            (#"@Attribute(.unique) var id: Int = 0"#, #".property("id", Int.self, default: 0, options: [.unique])"#),
            (
                #"@Attribute(.unique, .indexed, originalName: "b", hashModifier: "c") var a: Int?"#,
                #".property("a", Int?.self, options: [.unique, .indexed], originalName: "b", hashModifier: "c")"#
            ),
            (#"@Transient var a: Int = 0"#, #".property("a", Int.self, default: 0, options: [.transient])"#),
            (#"@Transient @Attribute(.transient) var a: Int?"#, #".property("a", Int?.self, options: [.transient])"#),
        ])
        func `an attribute is declared as it is written`(written: String, declared: String) {
            expect(written, declares: declared)
        }

        @Test(arguments: [
            (#"var friend: Person?"#, #".property("friend", Person?.self)"#),
            (#"var friends: Set<Person>"#, #".property("friends", Set<Person>.self)"#),
            (#"var friends: Set<Person> = []"#, #".property("friends", Set<Person>.self)"#),
            (#"var friends = Set<Person>()"#, #".property("friends", Set<Person>.self)"#),
            (#"var steps = [Step]()"#, #".property("steps", [Step].self)"#),
            (#"var steps: [Step] = .init()"#, #".property("steps", [Step].self)"#),
            (
                #"@Relationship(inverse: \Person.friends) var friend: Person?"#,
                #".property("friend", Person?.self, inverse: "friends")"#
            ),
            (
                #"@Relationship(inverse: "peers") var peers: Set<Person>"#,
                #".property("peers", Set<Person>.self, inverse: "peers")"#
            ),
            (#"@Relationship(inverse: nil) var friend: Person?"#, #".property("friend", Person?.self)"#),
            (
                #"@Relationship(.required, deleteRule: .cascade, maximumModelCount: 3, inverse: \Step.plan) var s: [Step]"#,
                #".property("s", [Step].self, options: [.required], deleteRule: .cascade, maximumModelCount: 3, inverse: "plan")"#
            ),
            (
                #"@Transient @Relationship(.unique) var friend: Person?"#,
                #".property("friend", Person?.self, options: [.unique, .transient])"#
            ),
        ])
        func `a relationship is declared as it is written`(written: String, declared: String) {
            expect(written, declares: declared)
        }

        @Test(arguments: [
            (
                #"@Attribute(.codable) var words: [String] = []"#,
                #".property("words", codable: [String].self, default: [], options: [.codable])"#,
                "codableProperty(at: 0, default: [])"
            ),
            (
                #"@Attribute(.codable, originalName: "b") var size: Size?"#,
                #".property("size", codable: Size?.self, options: [.codable], originalName: "b")"#,
                "{ codableProperty(at: 0) }"
            ),
            (
                #"@Attribute(.codable) var words: Set<String>? = nil"#,
                #".property("words", codable: Set<String>?.self, options: [.codable])"#, "{ codableProperty(at: 0) }"
            ),
        ])
        func `an attribute of a Codable type is declared as it is written`(
            written: String, declared: String, read: String
        ) {
            let expansion = Expansion("@Entity class Person: ManagedObject {\n    \(written)\n}")
            #expect(expansion.problems == [])
            #expect(expansion.expanded.contains(declared + "\n"), "\(expansion.expanded)")
            #expect(
                expansion.expanded.contains(read) && expansion.expanded.contains("setCodableProperty(newValue, at: 0)"))
        }

        private func expect(_ written: String, declares declared: String) {
            let expansion = Expansion("@Entity class Person: ManagedObject {\n    \(written)\n}")
            // The class has no other property that could be an inverse.
            #expect(expansion.problems.allSatisfy { $0 == "unknownName" })
            #expect(expansion.expanded.contains(declared + "\n"), "\(expansion.expanded)")
            #expect(expansion.expanded.contains("property(at: 0)"))
        }
    }
#endif
