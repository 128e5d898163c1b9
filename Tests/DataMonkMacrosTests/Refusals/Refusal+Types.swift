#if Macros
    extension Refusal {
        /// Types and options that no attribute has.
        static let types: [Refusal] = [
            .property(
                "values", "var words: [String]", names: ["words", ".codable"],
                fixed: "@Attribute(.codable) var words: [String] = []"),
            .property(
                "values", "var days: [Date] = []", names: ["days", "@Attribute(.codable)"],
                fixed: "@Attribute(.codable) var days: [Date] = []"),
            .property(
                "values", "var words: Set<String>?", names: ["words"],
                fixed: "@Attribute(.codable) var words: Set<String>?"),
            .property(
                "values", "@Attribute(.indexed) var ages: [String: Int]", names: ["ages"],
                fixed: "@Attribute(.codable, .indexed) var ages: [String: Int] = [:]"),
            .property("values", "var all: [String: Any]", names: ["all", ".codable"]),
            .property("unsupportedType", "var age: UInt", names: ["UInt", "'Int'"], fixed: "var age: Int"),
            .property(
                "unsupportedType", "var size: CGFloat?", names: ["CGFloat", "Double"], fixed: "var size: Double?"),
            .property("unsupportedType", "var name: NSString", names: ["NSString"], fixed: "var name: String"),
            .property(
                "codableType", "var time: Duration?", names: ["Duration", ".codable"],
                fixed: "@Attribute(.codable) var time: Duration?"),
            .property("structureless", "var pair: (Int, Int)", names: ["pair", "Codable"]),
            .property(
                "valueAsRelationship", "@Relationship var name: String = \"\"",
                names: ["name", "String", "@Attribute"],
                fixed: "var name: String = \"\""),
            .property(
                "repeatedMarker", "@Attribute(.unique) @Attribute(.indexed) var age: Int = 0", names: ["age", "one"],
                fixed: "@Attribute(.unique, .indexed) var age: Int = 0"),
            .property(
                "textBound", #"@Attribute(.minimum("x")) var age: Int = 0"#, names: ["age", "Int"],
                fixed: "@Attribute() var age: Int = 0"),
            .property(
                "textBound", #"@Attribute(.unique, .maximum("x")) var name: String = """#, names: ["name", "length"],
                fixed: #"@Attribute(.unique) var name: String = """#),
            .property(
                "regularExpression", #"@Attribute(.regularExpression("[a-z")) var name: String = """#,
                names: ["name", "']'"]),
            .property(
                "regularExpression", ##"@Attribute(.regularExpression(#"(\d+"#)) var name: String = """##,
                names: ["name", "')'"]),
        ]

        /// Names that nothing has.
        static let names: [Refusal] = [
            .property(
                "unknownName", #"#Unique<Person>([\.nme])\n    var name: String = """#.replacing("\\n", with: "\n"),
                names: ["nme", "'name'"],
                fixed: #"#Unique<Person>([\.name])\n    var name: String = """#.replacing("\\n", with: "\n")),
            .property(
                "unknownName",
                #"@Relationship(inverse: \Person.frends) var friend: Person?\n    var friends: Set<Person>"#
                    .replacing("\\n", with: "\n"),
                names: ["frends", "'friends'"],
                fixed: #"@Relationship(inverse: \Person.friends) var friend: Person?\n    var friends: Set<Person>"#
                    .replacing("\\n", with: "\n")),
            .property(
                "inverseIsAttribute",
                #"@Relationship(deleteRule: .deny, inverse: \Person.name) var friend: Person?\n    var name: String = """#
                    .replacing("\\n", with: "\n"),
                names: ["friend", "'name'"],
                fixed: #"@Relationship(deleteRule: .deny) var friend: Person?\n    var name: String = """#
                    .replacing("\\n", with: "\n")),
        ]
    }
#endif
