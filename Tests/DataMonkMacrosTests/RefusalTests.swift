#if Macros
    import Foundation
    import Testing

    /// **Value.** A declaration that cannot work, the problem it has, and the source after the fix-it.
    struct Refusal: CustomTestStringConvertible {
        let problem: String
        let source: String
        /// What the message must name: the thing and the remedy.
        let names: [String]
        let fixed: String?

        init(_ problem: String, _ source: String, names: [String], fixed: String? = nil) {
            self.problem = problem
            self.source = source
            self.names = names
            self.fixed = fixed
        }

        /// A property of the entity class `Person`.
        static func property(
            _ problem: String, _ source: String, names: [String], fixed: String? = nil
        ) -> Refusal {
            func inClass(_ text: String) -> String { "@Entity class Person: ManagedObject {\n    \(text)\n}" }
            return Refusal(problem, inClass(source), names: names, fixed: fixed.map(inClass))
        }

        var testDescription: String { "\(problem): \(source)" }
    }

    @Suite struct `What the macros refuse` {
        @Test(arguments: [
            Refusal(
                "notAClass", "@Entity struct Person {}", names: ["Person", "struct", "ManagedObject"],
                fixed: "@Entity final class Person: ManagedObject {}"),
            Refusal(
                "notAClass", "@Entity enum Rank { case novice }", names: ["Rank", "'enum'", "ManagedAttribute"],
                fixed: "enum Rank { case novice }"),
            Refusal(
                "notAClass", "@Entity actor Clerk {}", names: ["Clerk", "'actor'", "ManagedObject"],
                fixed: "@Entity final class Clerk: ManagedObject {}"),
            Refusal(
                "notAClass", "@Entity protocol Named {}", names: ["Named", "'protocol'", "ManagedObject"]),
            Refusal(
                "noSuperclass", "@Entity class Person {}", names: ["Person", "ManagedObject"],
                fixed: "@Entity class Person: ManagedObject {}"),
            Refusal("generic", "@Entity class Box<T>: ManagedObject {}", names: ["Box", "superclass"]),
            Refusal(
                "nestedInGeneric", "struct Outer<T> { @Entity class Inner: ManagedObject {} }",
                names: ["Inner", "move it out"]),
            Refusal(
                "isolated", "@Entity @MainActor class Person: ManagedObject {}", names: ["Person", "context"],
                fixed: "@Entity class Person: ManagedObject {}"),
            Refusal(
                "sendable", "@Entity class Person: ManagedObject, @unchecked Sendable {}",
                names: ["Person", "objectID"], fixed: "@Entity class Person: ManagedObject {}"),
            Refusal(
                "foreignSuperclass", "@Entity class Person: NSManagedObject { var age: Int = 0 }",
                names: ["Person", "NSManagedObject"], fixed: "@Entity class Person: ManagedObject { var age: Int = 0 }"),
            Refusal(
                "foreignSuperclass", "@Entity class Person: NSObject, Named {}", names: ["NSObject", "ManagedObject"],
                fixed: "@Entity class Person: ManagedObject, Named {}"),
            Refusal("notAClass", "@Entity struct Box<T> {}", names: ["Box", "struct"]),
            Refusal(
                "notAClass", "@Entity struct Count { mutating func add() {} }", names: ["Count", "struct"]),
            Refusal("notAClass", "@Entity struct Named { init(name: String) {} }", names: ["Named", "struct"]),
            Refusal(
                "notAnExtension", "@EntityProperties class Person: ManagedObject {}", names: ["extension", "@Entity"],
                fixed: "@Entity class Person: ManagedObject {}"),
            .property("initializer", "init(name: String) {}", names: ["Person", "update.create(Person.self)"]),
            .property("conditional", "#if DEBUG\n    var age: Int = 0\n    #endif", names: ["#if", "computed"]),
        ])
        func `a class that cannot be an entity's`(refusal: Refusal) { check(refusal) }

        @Test(arguments: [
            Refusal.property(
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
        ])
        func `a property that cannot be kept`(refusal: Refusal) { check(refusal) }

        @Test(arguments: [
            Refusal.property(
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
        ])
        func `a relationship that cannot be`(refusal: Refusal) { check(refusal) }

        @Test(arguments: [
            Refusal.property(
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
        ])
        func `a type or an option that no attribute has`(refusal: Refusal) { check(refusal) }

        @Test(arguments: [
            Refusal.property(
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
        ])
        func `a name that nothing has`(refusal: Refusal) { check(refusal) }

        @Test func `regular expressions with brackets that are closed, or no brackets, are left alone`() {
            for pattern in [
                #"[(]\)"#, #"(a|[)])"#, #"\[x\("#, "[a-z]+", "[a[(]b]", "[a[(]&&[b(]]", #"\Q(\E"#, "[](]", "(?x) a # (",
            ] {
                let source =
                    "@Entity class A: ManagedObject { @Attribute(.regularExpression(#\"\(pattern)\"#)) var a: String? }"
                #expect(Expansion(source).problems == [], "\(pattern)")
            }
        }

        @Test(arguments: [
            Refusal(
                "misplacedMarker", "class Person { @Attribute var age: Int }", names: ["@Attribute", "@Entity"],
                fixed: "class Person { var age: Int }"),
            .property(
                "misplacedMarker", "@Transient var age: Int { 3 }", names: ["@Transient"], fixed: "var age: Int { 3 }"),
            Refusal("misplacedGroup", #"class Person { #Unique<Person>([\.age]) }"#, names: ["#Unique", "@Entity"]),
            .property("notAPropertyGroup", #"#Index<Person>([\.friend.age])"#, names: ["#Index", #"[\.name, \.age]"#]),
            .property("notAPropertyGroup", #"#Unique<Person>(keys)"#, names: ["#Unique"]),
        ])
        func `a macro in the wrong place`(refusal: Refusal) { check(refusal) }

        @Test func `one faulty property does not make the others faulty`() {
            let source = """
                @Entity class Person: ManagedObject {
                    let age: Int = 0
                    var name: String = ""
                }
                """
            let expansion = Expansion(source)
            #expect(expansion.problems == ["constant"])
            #expect(expansion.expanded.contains("property(at: 1)"))
        }

        @Test func `a class of the application's own that is named Object can be a superclass`() {
            #expect(Expansion("@Entity class Person: Object { var age: Int = 0 }").problems == [])
        }

        @Test func `a generic class without a superclass has no correction that leaves it generic`() {
            let expansion = Expansion("@Entity class Box<T> {}")
            #expect(expansion.problems == ["noSuperclass", "generic"])
            #expect(expansion.fixed == nil)
        }

        @Test func `an initializer that the engine requires is allowed`() {
            let source =
                "@Entity class Person: ManagedObject { required init(_ seed: ObjectSeed) { super.init(seed) } }"
            #expect(Expansion(source).problems == [])
        }

        /// Writes the corrected source into the folder `DATAMONK_CORRECTED_SOURCES`, if there is one, for the compiler to read.
        private func keepForCompiler(_ source: String) {
            guard let folder = ProcessInfo.processInfo.environment["DATAMONK_CORRECTED_SOURCES"] else { return }
            let file = URL(filePath: folder).appending(path: "\(UUID()).swift")
            #expect(throws: Never.self) {
                try Data("import DataMonk\nimport Foundation\n\(source)\n".utf8).write(to: file)
            }
        }

        private func check(_ refusal: Refusal) {
            let expansion = Expansion(refusal.source)
            #expect(expansion.problems == [refusal.problem])
            for name in refusal.names { #expect(expansion.message.contains(name)) }
            #expect(expansion.fixed == refusal.fixed)
            guard let fixed = expansion.fixed else { return }
            // What is left to complain of would be a fix-it that does not help.
            #expect(Expansion(fixed).problems == [], "\(fixed)")
            keepForCompiler(fixed)
        }
    }
#endif
