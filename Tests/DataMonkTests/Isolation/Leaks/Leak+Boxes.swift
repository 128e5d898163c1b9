extension Leak {
    /// Objects inside of something else.
    static let boxes: [Leak] = [
        .program(
            "a box that an update fills", .capture,
            declarations: "nonisolated final class Box { var person: Person? }",
            """
            let box = Box()
            try await World.update { update in
                let hero = try update.create(Person.self)
                box.person = hero // refused
            }
            print(box.person as Any)
            """),
        .ofUpdate(
            "a Mutex", .refused(.flow, ["regionbasedisolation_inout_sending_cannot_be_actor_isolated"]),
            declarations: "nonisolated static let box = Mutex<Person?>(nil)",
            "box.withLock { $0 = hero } // refused"),
        .ofUpdate(
            "a Mutex of an array", .refused(.flow, ["regionbasedisolation_inout_sending_cannot_be_actor_isolated"]),
            declarations: "nonisolated static let box = Mutex<[Person]>([])",
            "box.withLock { $0.append(hero) } // refused"),
        .ofUpdate(
            "a class with a Mutex", .refused(.flow, ["regionbasedisolation_inout_sending_cannot_be_actor_isolated"]),
            declarations: """
                nonisolated final class Box: Sendable { let person = Mutex<Person?>(nil) }
                nonisolated static let box = Box()
                """,
            "box.person.withLock { $0 = hero } // refused"),
        .ofUpdate(
            "a Mutex of a closure", .refused(.flow, ["regionbasedisolation_inout_sending_cannot_be_actor_isolated"]),
            declarations: "nonisolated static let box = Mutex<(() -> Void)?>(nil)",
            "box.withLock { $0 = { hero.age += 1 } } // refused"),
        .program(
            "a box that is Sendable where its content is", .notSendable,
            declarations: "nonisolated struct Box<T> { let content: T }",
            extensions: "extension Here.Box: Sendable where T: Sendable {}",
            "_ = try await World.update { Box(content: try $0.create(Person.self)) } // refused"),
        .program(
            "a box that claims to be Sendable", .refused(.types, ["non_concurrent_type_member"]),
            declarations: """
                nonisolated struct Box<T>: Sendable {
                    let content: T // refused
                }
                """),
        .program(
            "a property wrapper that claims to be Sendable", .refused(.types, ["non_concurrent_type_member"]),
            declarations: """
                @propertyWrapper nonisolated struct Wrapper<T>: Sendable {
                    let content: T // refused
                    var wrappedValue: Int { 3 }
                }
                """),
        .ofUpdate(
            "a wrapped property in a task", .taskCapture,
            declarations: """
                @propertyWrapper nonisolated final class Wrapper<T> {
                    var wrappedValue: T
                    init(wrappedValue: T) { self.wrappedValue = wrappedValue }
                }
                """,
            """
            @Wrapper var wrapped = hero
            Task { wrapped.age = 1 } // refused
            """),
        .ofUpdate(
            "an unmanaged reference", .taskCapture,
            """
            let reference = Unmanaged.passUnretained(hero)
            Task.detached { reference.takeUnretainedValue().age = 1 } // refused
            """),
        .ofUpdate(
            "an object's identity", .harmless,
            """
            let identity = ObjectIdentifier(hero)
            Task.detached { print(identity) }
            """),
        .ofMain(
            "a condition over an object", .harmless,
            """
            let query = %"friend" == hero
            Task.detached { print(query) }
            """),
        .ofMain(
            "a #Predicate that captures an object", .refused(.types, ["cannot_convert_closure_result"]),
            "_ = #Predicate<Person> { $0.friend == hero } // refused"),
        .program(
            "a variable that the main actor fills", .sent, place: .offMain,
            declarations: """
                @MainActor static func fill(_ world: MainContext, _ person: inout Person?) { person = try? world.fetch(Person.self) }
                """,
            """
            var hero: Person? = nil
            await fill(World, &hero) // refused
            print(hero as Any)
            """),
        .program(
            "a closure that the main actor returns", .refused(.flow, ["rbi_isolation_crossing_result"]),
            place: .offMain,
            declarations: """
                @MainActor static func ages(of world: MainContext) throws -> () -> Int {
                    let hero = try world.fetch(Person.self)
                    return { hero.age }
                }
                """,
            """
            let age = try await ages(of: World) // refused
            print(age()) // refused
            """),
        .ofUpdate(
            "a Mutex that is made of an object", .sent,
            """
            let box = Mutex(hero) // refused
            Task.detached { box.withLock { $0.age = 1 } } // refused
            """),
        .ofUpdate(
            "a Mutex of a context", .sent,
            "_ = Mutex<Update>(update) // refused"),
        .program(
            "what a Mutex gives back", .silent(.swift, stoppedBy: .nothing),
            declarations: """
                nonisolated static let box = Mutex<Person?>(nil)
                nonisolated static func look() {
                    let found = box.withLock { $0 }
                    Task.detached { box.withLock { $0 }?.age = 1 }
                    found?.age = 2
                }
                """),
        .ofUpdate(
            "an @unchecked Sendable box", .silent(.author, stoppedBy: .ownerCheck),
            declarations: """
                nonisolated final class Box: @unchecked Sendable {
                    let person: Person
                    init(_ person: Person) { self.person = person }
                }
                """,
            """
            let box = Box(hero)
            Task.detached { box.person.age = 1 }
            """),
        .ofUpdate(
            "a copyable closure in a noncopyable box", .sent,
            declarations: """
                nonisolated struct Box: ~Copyable { let body: () -> Void }
                nonisolated static func take(_ box: consuming sending Box) {}
                """,
            """
            let box = Box(body: { hero.age = 1 })
            take(box) // refused
            """),
    ]
}
