extension Leak {
    /// Objects that declarations would let out: wrappers, builders, hooks, protocols.
    static let declarations: [Leak] = [
        .program(
            "a property wrapper that stores its value in a task", .taskCapture,
            declarations: """
                @propertyWrapper nonisolated struct Detaching {
                    var wrappedValue: Person {
                        didSet {
                            let person = wrappedValue
                            Task { person.age = 1 } // refused
                        }
                    }
                }
                """),
        .program(
            "an associated type that is Sendable", .notSendable,
            declarations: """
                nonisolated protocol Carrier { associatedtype Load: Sendable }
                nonisolated enum People: Carrier { typealias Load = Person } // refused
                """),
        .program(
            "an associated type, taken to a task in a generic function", .taskCapture,
            declarations: """
                nonisolated protocol Carrier { associatedtype Load; var load: Load { get } }
                nonisolated static func carry<C: Carrier>(_ carrier: C) {
                    let load = carrier.load
                    Task { print(load) } // refused
                }
                """),
        .program(
            "an opened existential", .taskCapture,
            declarations: """
                nonisolated protocol Aged { var age: Int { get } }
                nonisolated static func show<T: Aged>(_ value: T) {
                    Task { print(value.age) } // refused
                }
                """,
            extensions: "extension Person: nonisolated Here.Aged {}"),
        .ofUpdate(
            "a sent existential", .sent,
            declarations: """
                nonisolated protocol Aged { var age: Int { get } }
                nonisolated static func send<T: Aged>(_ value: sending T) { Task { print(value.age) } }
                """,
            extensions: "extension Person: nonisolated Here.Aged {}",
            """
            let aged: any Aged = hero
            send(aged) // refused
            """),
        .program(
            "a default argument of the main actor", .refused(.types, ["isolated_default_argument_context"]),
            place: .offMain,
            declarations: """
                @MainActor static var found: Person? = nil
                nonisolated static func look(at person: Person? = found) async { print(person as Any) } // refused
                nonisolated static func look() async {}
                """,
            "await look()"),
        .ofUpdate(
            "an autoclosure in a task", .taskCapture,
            declarations: """
                nonisolated static func later(_ age: @autoclosure @escaping () -> Int) {
                    Task { print(age()) } // refused
                }
                """,
            "later(hero.age)"),
        .ofUpdate(
            "a Sendable autoclosure", .refused(.types, ["implicit_non_sendable_capture"]),
            declarations: """
                nonisolated static func later(_ age: @autoclosure @escaping @Sendable () -> Int) { Task { print(age()) } }
                """,
            "later(hero.age) // refused"),
        .ofUpdate(
            "a result builder's task", .sent,
            declarations: """
                @resultBuilder nonisolated enum Builder { static func buildBlock(_ person: sending Person) -> Task<Int, Never> { Task { person.age } } }
                nonisolated static func build(@Builder _ body: () -> Task<Int, Never>) { print(body()) }
                """,
            "build { hero } // refused"),
        .program(
            "a lazy property in a task", .taskCapture,
            declarations: """
                nonisolated final class Holder {
                    let person: Person
                    init(_ person: Person) { self.person = person }
                    lazy var task: Task<Int, Never> = Task { person.age } // refused
                }
                """),
        .program(
            "a deinit that begins a task", .taskCapture,
            declarations: """
                nonisolated final class Holder {
                    let person: Person
                    init(_ person: Person) { self.person = person }
                    deinit {
                        let person = person
                        Task { person.age = 1 } // refused
                    }
                }
                """),
        .program(
            "a hook that begins a task", .taskCapture,
            declarations: """
                nonisolated final class Culprit: ManagedObject {
                    override func willSave() {
                        Task { print(self.isDeleted) } // refused
                    }
                }
                """),
        .program(
            "a hook that awakes on the main actor", .sent,
            declarations: """
                nonisolated final class Culprit: ManagedObject {
                    override func awakeFromFetch() {
                        Task { @MainActor in print(self.isDeleted) } // refused
                    }
                }
                """),
        .program(
            "a validation that keeps its object", .refused(.types, ["actor_isolated_non_self_reference"]),
            declarations: """
                @MainActor static var last: Culprit?
                nonisolated final class Culprit: ManagedObject {
                    override func validateForUpdate() throws {
                        last = self // refused
                    }
                }
                """),
        .ofUpdate(
            "a method of the class that stays where its caller is", .harmless,
            extensions: "extension Person { nonisolated(nonsending) func growSlowly() async { age += 1 } }",
            """
            await hero.growSlowly()
            print(hero.age)
            """),
        .program(
            "a weak box that claims to be Sendable", .refused(.types, ["non_concurrent_type_member"]),
            declarations: """
                nonisolated final class Box: Sendable {
                    weak let person: Person? // refused
                    init() {
                        person = nil // refused
                    }
                }
                """),
    ]
}
