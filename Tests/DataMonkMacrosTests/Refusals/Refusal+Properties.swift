#if Macros
    extension Refusal {
        /// Properties that cannot be kept.
        static let properties: [Refusal] = [
            .property(
                "constant", "let age: Int = 0", names: ["age", "private(set)"], fixed: "var age: Int = 0"),
            .property(
                "severalVariables", "var a: Int = 0, b: Int = 0", names: ["one 'var' per line"],
                fixed: "var a: Int = 0\n    var b: Int = 0"),
            .property("severalVariables", "var (a, b): (Int, Int) = (0, 0)", names: ["one 'var' per line"]),
            .property("observer", "var age: Int = 0 { didSet {} }", names: ["age", "didSet", "computed property"]),
            .property(
                "reference", "weak var friend: Person?", names: ["friend", "weak"], fixed: "var friend: Person?"),
            .property("override", "override var age: Int = 0", names: ["age", "superentity", "computed property"]),
            .property(
                "noType", "var age = old()", names: ["age", "declare it"]),
            .property("noType", #"var age = Int("3")"#, names: ["age"], fixed: #"var age: Int? = Int("3")"#),
            .property("reservedName", "var isDeleted: Bool = false", names: ["isDeleted", "another name"]),
            .property("reservedName", "var objectID: Int = 0", names: ["objectID", "another name"]),
            .property(
                "changingDefault", "var born: Date = .now", names: ["born", "awakeFromInsert()"],
                fixed: "var born: Date?"),
            .property(
                "changingDefault", "var born = Date()", names: ["born", "awakeFromInsert()"], fixed: "var born: Date?"),
            .property(
                "changingDefault", "var token: UUID? = UUID()", names: ["token", "awakeFromInsert()"],
                fixed: "var token: UUID?"),
        ]

        /// Relationships that cannot be.
        static let relationships: [Refusal] = [
            .property(
                "notEmpty", "var friends: Set<Person> = [other]", names: ["friends", "empty"],
                fixed: "var friends: Set<Person> "),
            .property(
                "toManyAttribute", "@Attribute var friends: Set<Person>", names: ["friends", "@Relationship"],
                fixed: "@Relationship var friends: Set<Person>"),
            .property(
                "noCodableDefault", "@Attribute(.codable) var words: [String]", names: ["words", "initial value"],
                fixed: "@Attribute(.codable) var words: [String]?"),
            .property(
                "twoKinds", "@Relationship @Attribute var friend: Person?", names: ["friend", "@Attribute"],
                fixed: "@Relationship var friend: Person?"),
            .property(
                "optionalToMany", "var friends: Set<Person>?", names: ["friends", "Set<Person>"],
                fixed: "var friends: Set<Person>"),
            .property(
                "optionalToMany", "var friends: [Person]? = nil", names: ["friends", "[Person]"],
                fixed: "var friends: [Person]"),
            .property(
                "requiredToOne", "@Relationship var friend: Person", names: ["friend", "Person?", ".required"],
                fixed: "@Relationship var friend: Person?"),
            .property(
                "linked", "@Relationship var friend: Person? = other", names: ["friend"],
                fixed: "@Relationship var friend: Person? "),
            .property(
                "inverseIsNoProperty", #"@Relationship(inverse: \Person.friend.name) var friend: Person?"#,
                names: ["friend", #"\Person.name"#]),
            .property(
                "circularInverse", #"@Relationship(inverse: \Person.peers) var peers: Set<Person>"#, names: ["peers"],
                fixed: #"@Relationship(inverse: "peers") var peers: Set<Person>"#),
            .property(
                "doubledInverse",
                #"""
                @Relationship(inverse: \Person.friends) var friend: Person?
                    @Relationship(deleteRule: .deny, inverse: \Person.friend) var friends: Set<Person>
                """#,
                names: ["friend", "friends", "one side"],
                fixed: #"""
                    @Relationship(inverse: \Person.friends) var friend: Person?
                        @Relationship(deleteRule: .deny) var friends: Set<Person>
                    """#),
        ]
    }
#endif
