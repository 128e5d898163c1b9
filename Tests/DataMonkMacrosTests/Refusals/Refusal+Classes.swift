#if Macros
    extension Refusal {
        /// Classes that cannot be an entity's.
        static let classes: [Refusal] = [
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
        ]

        /// Macros in the wrong place.
        static let markers: [Refusal] = [
            Refusal(
                "misplacedMarker", "class Person { @Attribute var age: Int = 0 }", names: ["@Attribute", "@Entity"],
                fixed: "class Person { var age: Int = 0 }"),
            .property(
                "misplacedMarker", "@Transient var age: Int { 3 }", names: ["@Transient"], fixed: "var age: Int { 3 }"),
            Refusal(
                "misplacedGroup", #"class Person: ManagedObject { var age: Int { 3 }; #Unique<Person>([\.age]) }"#,
                names: ["#Unique", "@Entity"]),
            .property(
                "notAPropertyGroup", "#Index<Person>([\\.friend?.age])\n    var friend: Person?\n    var age: Int = 0",
                names: ["#Index", #"[\.name, \.age]"#]),
            .property(
                "notAPropertyGroup", "#Index<Person>([\\.name.count])\n    var name: String = \"\"",
                names: ["#Index", #"[\.name, \.age]"#]),
            .property(
                "notAPropertyGroup", "#Unique<Person>(keys)\n    static let keys: [PartialKeyPath<Person>] = []",
                names: ["#Unique"]),
        ]
    }
#endif
