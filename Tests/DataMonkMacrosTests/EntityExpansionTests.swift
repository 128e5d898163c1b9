#if Macros
    import Testing

    @Suite struct `What @Entity writes` {
        @Test func `a class gets its declaration and each property its accessors`() {
            let source = """
                @Entity final class Person: ManagedObject {
                    var name: String = ""
                    var location: String?
                }
                """
            #expect(
                Expansion(source).expanded == """
                    final class Person: ManagedObject {
                        var name: String {
                            get { property(at: 0) }
                            set { setProperty(newValue, at: 0) }
                        }
                        var location: String? {
                            get { property(at: 1) }
                            set { setProperty(newValue, at: 1) }
                        }

                        /// The declaration of the entity: its name, its properties and their options.
                        override nonisolated class var entityDeclaration: EntityDeclaration? {
                            EntityDeclaration(
                                "Person", class: Person.self, validatesValues: false,
                                properties: [
                                    .property("name", String.self, default: ""),
                                    .property("location", String?.self)
                                ])
                        }

                        /// Returns the slot after the last property of the class, from which its subclasses count.
                        nonisolated static func endOfProperties(of _: Person.Type) -> Int {
                            2
                        }

                        /// The names of the properties by key path, for conditions such as `\\.name`.
                        override nonisolated class var keyNames: [AnyKeyPath: String] {
                            collectKeyNames(of: Person.self)
                        }

                        /// Returns the names of the properties by key path from a subclass.
                        nonisolated static func collectKeyNames<Heir: Person>(
                            of _: Heir.Type
                        ) -> [AnyKeyPath: String] {
                            [
                                \\Heir.name: "name",
                                \\Heir.location: "location"
                            ]
                        }
                    }
                    """)
        }

        @Test func `an extension gets what its class cannot have by itself`() {
            let expansion = Expansion(
                """
                @EntityProperties(superclass: Kingdom.Person.self, hashModifier: "2") extension Monk {
                    public var temple: String = ""
                    @Relationship(.required) public var abbot: Monk?
                    var title: String { "Brother" }
                }
                """)
            #expect(expansion.problems == [])
            let end = "Kingdom.Person.endOfProperties(of: Kingdom.Person.self)"
            #expect(expansion.expanded.contains("property(at: \(end) + 1)"))
            #expect(expansion.expanded.contains("public nonisolated static func declareEntity(of _: Monk.Type)"))
            #expect(
                expansion.expanded.contains(
                    #"EntityDeclaration(\n            "Monk", class: Monk.self, hashModifier: "2""#
                        .replacing("\\n", with: "\n")))
            #expect(expansion.expanded.contains(#".property("abbot", Monk?.self, options: [.required])"#))
            #expect(expansion.expanded.contains("static func collectKeyNames<Heir: Monk>("))
            #expect(!expansion.expanded.contains("override"))
        }

        @Test func `an extension leaves the validation of its class switched on, which it cannot see`() {
            let expanded = Expansion("@EntityProperties extension Monk { var age: Int = 0 }").expanded
            #expect(expanded.contains(#"EntityDeclaration("#) && !expanded.contains("validatesValues"))
        }

        @Test func `a subclass counts on from where its superclass ends`() {
            let expanded = Expansion("@Entity class Monk: Kingdom.Person { var temple: String = \"\" }").expanded
            #expect(expanded.contains("property(at: Kingdom.Person.endOfProperties(of: Kingdom.Person.self) + 0)"))
            #expect(
                expanded.contains(
                    """
                    static func endOfProperties(of _: Monk.Type) -> Int {
                            Kingdom.Person.endOfProperties(of: Kingdom.Person.self) + 1
                    """))
            #expect(expanded.contains("Kingdom.Person.collectKeyNames(of: Heir.self).merging(["))
        }

        @Test func `a class without properties adds no keys`() {
            let expanded = Expansion("@Entity class Monk: Person {}").expanded
            #expect(expanded.contains("Person.collectKeyNames(of: Heir.self).merging([:])"))
        }

        @Test(arguments: [
            ("open", "open override nonisolated class var", "public nonisolated static func"),
            ("public", "public override nonisolated class var", "public nonisolated static func"),
            ("package", "package override nonisolated class var", "package nonisolated static func"),
        ])
        func `members are as accessible as their class`(access: String, declaration: String, end: String) {
            let expanded = Expansion("@Entity \(access) class Person: ManagedObject { var age: Int = 0 }").expanded
            #expect(expanded.contains(declaration))
            #expect(expanded.contains(end))
        }

        @Test func `the entity's own arguments are passed on`() {
            let source = """
                @Entity("Human", isAbstract: true, originalName: "Homo", hashModifier: "2")
                class Person: DataMonk.ManagedObject {}
                """
            #expect(
                Expansion(source).expanded.contains(
                    #""Human", class: Person.self, isAbstract: true, originalName: "Homo", hashModifier: "2""#))
        }

        @Test func `groups of properties are passed on by name`() {
            let source = #"""
                @Entity class Flight: ManagedObject {
                    #Unique<Flight>([\.number, \.day])
                    #Index<Flight>([\.day], [\Flight.airline, \.number])
                    var number: String = ""
                    var airline: String = ""
                    var day: Date?
                }
                """#
            let expansion = Expansion(source)
            #expect(expansion.expanded.contains(#"unique: [["number", "day"]]"#))
            #expect(expansion.expanded.contains(#"indexes: [["day"], ["airline", "number"]]"#))
            #expect(expansion.problems == [])
        }

        @Test func `computed, static and lazy properties are left alone`() {
            let source = """
                @Entity class Person: ManagedObject {
                    var title: String { "Mx" }
                    static let limit = 3
                    static var count = 0
                    lazy var cache: Int = 0
                    func age() {}
                }
                """
            let expansion = Expansion(source)
            #expect(expansion.problems == [])
            #expect(!expansion.expanded.contains("property(at:"))
        }
    }
#endif
