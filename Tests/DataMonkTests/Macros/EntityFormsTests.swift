#if Macros
    import ApplicationCompiler
    import Testing

    /// `@Entity` in every kind of module: both default isolations, both language modes.
    @Suite struct `The forms of an entity class` {
        @Test(arguments: IsolationMode.allCases, [5, 6])
        func `every form compiles`(mode: IsolationMode, languageMode: Int) throws {
            let errors = try Compiler().errors(in: Self.forms, mode, languageMode: languageMode)
            #expect(errors.isEmpty, "\(errors)")
        }

        @Test func `a class that cannot be an entity's is refused by its problem`() throws {
            let errors = try Compiler().errors(
                in: """
                    import DataMonk
                    @Entity final class Person: ManagedObject {
                        var age = old()
                    }
                    """, .nonisolated)
            #expect(errors.contains { $0.message.contains("the type of 'age' cannot be inferred") }, "\(errors)")
        }

        @Test(arguments: [
            "struct Person { var name: String = \"\" }", "enum Person { case novice }", "actor Person {}",
            "protocol Person {}",
        ])
        func `what is no class is refused, and nothing else is said of it`(declaration: String) throws {
            let errors = try Compiler().errors(in: "import DataMonk\n@Entity \(declaration)", .nonisolated)
            #expect(errors.count == 1 && errors[0].message.contains("can only be applied to a class"), "\(errors)")
        }

        @Test func `a required to-one relationship is refused with the remedy`() throws {
            let errors = try Compiler().errors(
                in: """
                    import DataMonk
                    @Entity final class Person: ManagedObject {
                        @Relationship var friend: Person
                    }
                    """, .nonisolated)
            #expect(errors.contains { $0.message.contains("write 'Person?'") }, "\(errors)")
        }

        private static let forms = #"""
            import DataMonk
            import Foundation

            enum Rank: Int, ManagedAttribute, CaseIterable { case novice, monk }

            @Entity final class Person: ManagedObject {
                #Unique<Person>([\.name, \.age])
                #Index<Person>([\.name], [\Person.age, \.location])
                var name: String = ""
                var age = -1
                var location: String?
                private(set) var score: Double = 1.5
                @Relationship(inverse: \Person.friends) var friend: Person?
                var friends: Set<Person>
                @Relationship(inverse: "peers") var peers: Set<Person> = []
                var rank: Rank = .novice
                var title: String { name + "!" }
                static let limit = 1
                lazy var cached: Int = 3
                var `default`: Int = 0
                @Transient var isSelected: Bool = false
                @Attribute(.unique, originalName: "mail") var email: String = ""
                var property: String = ""
                override func awakeFromInsert() { name = "new" }
                func befriend(_ other: Person) { friends.insert(other); name += "+" }
            }

            @Entity("Base", isAbstract: true) open class Base: ManagedObject {
                public var created: Date?
                public var note: String! = nil
                public var steps: [Step]
            }
            @Entity public class Step: Base {
                @Relationship(.required, deleteRule: .cascade, inverse: \Base.steps) public var base: Base?
                public var text: String = ""
            }
            @Entity public final class SmallStep: Step { public var isSmall: Bool = true }

            class Plain: Person2 {}
            typealias Root = ManagedObject
            @Entity class Person2: Root { var a: Int = 0 }
            @Entity class BelowPlain: Plain { var b: Int = 0 }

            enum Kingdom {
                @Entity class Knight: ManagedObject {
                    enum Mood: String, ManagedAttribute, CaseIterable { case good }
                    var mood: Mood = .good
                }
            }
            @Entity class Squire: Kingdom.Knight { var lord: Kingdom.Knight? }
            @Entity fileprivate class Hidden: ManagedObject { var a: Int = 0 }
            @Entity class Empty: ManagedObject {}
            @Entity class A: ManagedObject { @Relationship(inverse: \B.y) var x: B?; var w: Set<B> }
            @Entity class B: ManagedObject { var y: Set<A>; @Relationship(inverse: \A.w) var z: A? }

            nonisolated func use(_ person: Person, _ step: SmallStep) -> String? {
                person.name = "a"
                step.isSmall = false
                step.text = ""
                step.steps = []
                person.`default` = SmallStep.entityDeclaration?.properties.count ?? 0
                return person.friend?.name
            }
            """#
    }
#endif
