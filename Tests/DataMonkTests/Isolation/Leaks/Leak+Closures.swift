extension Leak {
    /// Objects that closures and helpers would take along.
    static let closures: [Leak] = [
        .ofUpdate(
            "a task with a capture list", .taskCapture,
            "Task { [hero] in hero.age = 1 } // refused"),
        .ofUpdate(
            "a task with a weak capture", .taskCapture,
            "Task { [weak hero] in hero?.age = 1 } // refused"),
        .ofUpdate(
            "a task with an unowned capture", .taskCapture,
            "Task { [unowned hero] in hero.age = 1 } // refused"),
        .ofUpdate(
            "an immediate task", .taskCapture,
            "Task.immediate { hero.age = 1 } // refused"),
        .ofUpdate(
            "a local function in a task", .taskCapture,
            """
            func grow() { hero.age += 1 }
            Task { grow() } // refused
            """),
        .ofUpdate(
            "a closure in a task that its maker calls as well", .taskCapture,
            """
            let grow = { hero.age = 1 }
            Task { grow() } // refused
            grow()
            """),
        .ofUpdate(
            "a closure that claims to be sent", .refused(.flow, ["regionbasedisolation_task_or_actor_isolated_sent"]),
            declarations: """
                nonisolated static func grower(_ person: Person) -> sending () -> Void {
                    return { person.age += 1 } // refused
                    return {}
                }
                """),
        .program(
            "a variable that an update fills",
            .refused(.types, ["concurrent_access_of_local_capture", "non_sendable_capture"]),
            """
            var found: Person? = nil
            try await World.update { update in
                found = try update.create(Person.self) // refused
            }
            print(found as Any)
            """),
        .ofUpdate(
            "an object in a perform of its update", .capture,
            "update.perform { _ in hero.age = 1 } // refused"),
        .program(
            "an object of the main context in a waiting update", .capture, place: .mainWaiting,
            """
            let hero = try World.fetch(Person.self)
            try World.beginUpdateAndWait { _ in hero.age = 3 } // refused
            """),
        .program(
            "an object of a waiting update in another one", .capture, place: .mainWaiting,
            """
            try World.beginUpdateAndWait { outer in
                let hero = try outer.create(Person.self)
                try World.beginUpdateAndWait { try $0.create(Person.self).friend = hero } // refused
                _ = hero
            }
            """),
        .ofUpdate(
            "an object of an update in another one", .capture,
            "try await World.update { try $0.create(Person.self).friend = hero } // refused"),
        .program(
            "a sent closure as an update's body",
            .refused(.types, ["concurrent_access_of_local_capture", "non_sendable_capture"]), place: .offMain,
            declarations: """
                nonisolated static func run(_ world: MainContext, _ body: sending @escaping (Update) throws -> Void) async throws {
                    try await world.update { try body($0) } // refused
                }
                """),
        .program(
            "a wrapper that takes any closure as a body", .capture, place: .offMain,
            declarations: """
                nonisolated static func run<T>(_ world: MainContext, _ body: @escaping (Update) throws -> T) async throws {
                    try await world.update { _ = try body($0) } // refused
                }
                """),
        .ofUpdate(
            "an asynchronous closure given to a function that leaves its actor",
            .refused(.flow, ["regionbasedisolation_type_send_yields_race"]),
            declarations: "@concurrent nonisolated static func run(_ body: () async -> Void) async { await body() }",
            "await run { hero.age += 1 } // refused"),
        .ofUpdate(
            "a closure given to a concurrent function", .refused(.flow, ["regionbasedisolation_type_send_yields_race"]),
            declarations: "@concurrent nonisolated static func run(_ body: () -> Void) async { body() }",
            "await run { hero.age += 1 } // refused"),
        .ofUpdate(
            "a cancellation handler", .capture,
            """
            await withTaskCancellationHandler {
                hero.age = 1
            } onCancel: {
                hero.age = 2 // refused
            }
            """),
        .ofUpdate(
            "a task with an id", .harmless,
            """
            let id = hero.objectID
            Task { print(id) }
            """),
        .ofUpdate(
            "a constant that opts out", .silent(.author, stoppedBy: .ownerCheck),
            """
            nonisolated(unsafe) let shared = hero
            Task { shared.age = 1 }
            """),
        .ofUpdate(
            "a callback that stays on its thread", .harmless,
            declarations: "nonisolated static func find(_ answer: (Int) -> Void) { answer(3) }",
            "find { hero.age = $0 }"),
        .ofUpdate(
            "an asynchronous getter of the main actor", .refused(.types, ["non_sendable_arg_into_actor"]),
            extensions: "extension Person { @MainActor var slowAge: Int { get async { age } } }",
            "await print(hero.slowAge) // refused"),
        .ofUpdate(
            "a concurrent method of a class", .sent,
            extensions: "extension Person { @concurrent nonisolated func grow() async { age += 1 } }",
            "await hero.grow() // refused"),
        .ofMain(
            "a concurrent method of an object of the main context", .sent,
            extensions: "extension Person { @concurrent nonisolated func look() async -> Int { age } }",
            """
            print(await hero.look()) // refused
            print(hero.age)
            """),
        .ofUpdate(
            "a concurrent helper", .sent,
            declarations: "@concurrent nonisolated static func grow(_ person: Person) async { person.age = 1 }",
            "await grow(hero) // refused"),
        .ofUpdate(
            "a task in a helper that stays where its caller is", .taskCapture,
            declarations: """
                nonisolated(nonsending) static func grow(_ person: Person) async {
                    Task { person.age += 1 } // refused
                }
                """,
            "await grow(hero)"),
        .ofUpdate(
            "a discarding task group", .taskCapture,
            """
            await withDiscardingTaskGroup { group in
                group.addTask { update.rollback() } // refused
                hero.age = 2
            }
            """),
        .ofUpdate(
            "a result that claims to be sent", .refused(.flow, ["regionbasedisolation_task_or_actor_isolated_sent"]),
            declarations: """
                nonisolated static func steal(_ update: Update) throws -> sending Person {
                    return try update.create(Person.self) // refused
                    throw CancellationError()
                }
                """),
        .ofUpdate(
            "async let with a closure", .sent,
            """
            async let grown: Void = { hero.age = 1 }() // refused
            hero.age = 2
            await grown // refused
            """),
    ]
}
