extension Leak {
    /// Objects handed to actors, and to what inherits an isolation.
    static let actors: [Leak] = [
        .ofUpdate(
            "an actor's initializer", .sent,
            declarations: "actor Keeper { let person: Person; init(_ person: Person) { self.person = person } }",
            "_ = Keeper(hero) // refused"),
        .ofUpdate(
            "an actor that assumes to be isolated", .refused(.types, ["async_unavailable_decl"]),
            declarations: "actor Keeper { var person: Person? }",
            """
            let keeper = Keeper()
            keeper.assumeIsolated { $0.person = hero } // refused
            """),
        .ofUpdate(
            "an actor on the update's executor", .refused(.types, ["async_unavailable_decl"]),
            declarations: """
                actor Keeper {
                    let context: UpdateContext
                    var person: Person?
                    init(_ context: UpdateContext) { self.context = context }
                    nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }
                    func grow() { person?.age += 1 }
                }
                """,
            """
            let keeper = Keeper(update.context)
            keeper.assumeIsolated { $0.person = hero } // refused
            """),
        .ofUpdate(
            "an actor on the update's executor, through a synchronous function", .sent,
            declarations: """
                actor Keeper {
                    let context: UpdateContext
                    var person: Person?
                    init(_ context: UpdateContext) { self.context = context }
                    nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }
                    func grow() { person?.age += 1 }
                }
                nonisolated static func stash(_ update: Update, _ person: Person) {
                    let keeper = Keeper(update.context)
                    keeper.assumeIsolated { $0.person = person } // refused
                }
                """,
            "stash(update, hero)"),
        .ofUpdate(
            "a method of an actor", .sent,
            declarations: """
                actor Keeper { func keep(_ person: Person) {} }
                nonisolated static let keeper = Keeper()
                """,
            "await keeper.keep(hero) // refused"),
        .ofUpdate(
            "a method of an actor that takes what it is sent", .sent,
            declarations: """
                actor Keeper { func keep(_ person: sending Person) {} }
                nonisolated static let keeper = Keeper()
                """,
            "await keeper.keep(hero) // refused"),
        .ofUpdate(
            "a closure that is run on an actor",
            .refused(
                .flow, ["regionbasedisolation_named_send_yields_race", "regionbasedisolation_type_send_yields_race"]),
            declarations: """
                actor Keeper {
                    var person: Person?
                    func run(_ body: (isolated Keeper) -> Void) { body(self) }
                }
                nonisolated static let keeper = Keeper()
                """,
            "await keeper.run { $0.person = hero } // refused"),
        .ofUpdate(
            "the initializer of a class of the main actor", .sent,
            declarations: """
                @MainActor final class Holder { let person: Person; init(_ person: Person) { self.person = person } }
                """,
            "_ = await Holder(hero) // refused"),
        .program(
            "a nonisolated initializer of a class of the main actor",
            .refused(.types, ["actor_isolated_non_self_reference"]),
            declarations: """
                @MainActor final class Holder {
                    var person: Person?
                    nonisolated init(_ person: Person) {
                        self.person = person // refused
                    }
                }
                """),
        .ofUpdate(
            "a method of the main actor", .sent,
            extensions: "extension Person { @MainActor func show() { age += 1 } }",
            "await hero.show() // refused"),
        .program(
            "a task in an isolated method of an update's context", .taskCapture,
            extensions: """
                extension UpdateContext {
                    func keepWatching(_ person: Person) {
                        Task { person.age += 1 } // refused
                    }
                }
                """),
        .ofUpdate(
            "an update's context that assumes to be isolated", .refused(.types, ["async_unavailable_decl"]),
            extensions: "extension UpdateContext { func keep(_ person: Person) { person.age += 1 } }",
            "update.context.assumeIsolated { $0.keep(hero) } // refused"),
        .ofUpdate(
            "a task in an update's context, through a synchronous function", .sent,
            declarations: """
                nonisolated static func stash(_ update: Update, _ person: Person) {
                    update.context.assumeIsolated { context in
                        Task {
                            _ = context
                            person.age += 1 // refused
                        }
                    }
                }
                """,
            "stash(update, hero)"),
        .ofUpdate(
            "a closure of any isolation", .taskCapture,
            declarations: """
                nonisolated static func take(@_inheritActorContext _ body: @escaping @isolated(any) () async -> Void) {
                    Task { await body() } // refused
                }
                """,
            "take { hero.age += 1 }  // refused"),
        .ofUpdate(
            "a sent closure of any isolation", .taskCapture,
            declarations: """
                nonisolated static func take(@_inheritActorContext _ body: sending @escaping @isolated(any) () async -> Void) { Task { await body() } }
                """,
            "take { hero.age += 1 } // refused"),
        .ofUpdate(
            "a task that captures #isolation", .taskCapture,
            """
            let isolation = #isolation
            Task { _ = isolation; hero.age += 1 } // refused
            """),
        .ofUpdate(
            "a task that inherits an isolated parameter", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: """
                static func later(_ person: Person, isolation: isolated (any Actor)? = #isolation) {
                    Task {
                        _ = isolation
                        person.age += 1
                    }
                }
                """,
            "later(hero)"),
        .ofUpdate(
            "a task that inherits an asynchronous function's isolated parameter",
            .silent(.swift, stoppedBy: .ownerCheck),
            declarations: """
                static func later(_ person: Person, isolation: isolated (any Actor)? = #isolation) async {
                    Task {
                        _ = isolation
                        person.age += 1
                    }
                }
                """,
            "await later(hero)"),
        .ofUpdate(
            "a task that inherits an isolated parameter that is the context", .sent,
            declarations: """
                static func later(_ context: isolated UpdateContext, _ person: Person) async {
                    Task {
                        _ = context
                        person.age += 1
                    }
                }
                """,
            "await later(update.context, hero) // refused"),
        .program(
            "a task that inherits an isolated parameter in a waiting update", .silent(.swift, stoppedBy: .ownerCheck),
            place: .mainWaiting,
            declarations: """
                static func later(_ update: Update, isolation: isolated (any Actor)? = #isolation) {
                    Task {
                        _ = isolation
                        try update.create(Person.self).name = "Late"
                    }
                }
                """,
            "try World.beginUpdateAndWait { later($0) }"),
        .program(
            "an update in a task that inherits an isolated parameter", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: """
                static func later(_ update: Update, isolation: isolated (any Actor)? = #isolation) {
                    Task {
                        _ = isolation
                        try update.commit()
                    }
                }
                """,
            "try await World.update { later($0) }"),
        .program(
            "a reader in a task that inherits an isolated parameter", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: """
                static func later(_ reader: Reader, isolation: isolated (any Actor)? = #isolation) {
                    Task {
                        _ = isolation
                        print(try reader.fetchAll(Person.self))
                    }
                }
                """,
            "try await World.read { later($0) }"),
        .ofMain(
            "an object of the main context in a task that inherits an isolated parameter", .harmless,
            declarations: """
                static func later(_ person: Person, isolation: isolated (any Actor)? = #isolation) {
                    Task {
                        _ = isolation
                        print(person.age)
                    }
                }
                """,
            "later(hero)"),
        .ofUpdate(
            "async let beside an isolated parameter", .sent,
            declarations: """
                static func later(_ person: Person, isolation: isolated (any Actor)? = #isolation) async {
                    async let grown: Void = { _ = isolation; person.age += 1 }() // refused
                    person.age += 2
                    await grown // refused
                }
                """,
            "await later(hero)"),
        .ofUpdate(
            "a Sendable closure beside an isolated parameter", .capture,
            declarations: """
                static func later(_ person: Person, isolation: isolated (any Actor)? = #isolation) async {
                    let grow: @Sendable () async -> Void = { _ = isolation; person.age += 1 } // refused
                }
                """,
            "await later(hero)"),
        .ofUpdate(
            "a task group beside an isolated parameter", .taskCapture,
            declarations: """
                static func later(_ person: Person, isolation: isolated (any Actor)? = #isolation) async {
                    await withTaskGroup(of: Void.self) { group in
                        group.addTask { _ = isolation; person.age += 1 } // refused
                    }
                }
                """,
            "await later(hero)"),
        .ofUpdate(
            "an actor's method with an isolated parameter", .harmless(warnings: ["no_async_in_await"]),
            declarations: """
                actor Keeper { func keep(_ person: Person, isolation: isolated (any Actor)? = #isolation) {} }
                nonisolated static let keeper = Keeper()
                """,
            "await keeper.keep(hero) // refused"),
        .ofUpdate(
            "an isolated deinit of an actor that holds objects", .sent,
            declarations: """
                actor Holder {
                    let person: Person
                    init(_ person: Person) { self.person = person }
                    isolated deinit { person.age = 1 }
                }
                """,
            "_ = Holder(hero) // refused"),
        .ofUpdate(
            "an actor's stored closure", .refused(.flow, ["regionbasedisolation_type_send_yields_race"]),
            declarations: """
                actor Keeper {
                    var body: (() -> Void)?
                    func keep(_ body: @escaping () -> Void) { self.body = body }
                }
                nonisolated static let keeper = Keeper()
                """,
            "await keeper.keep { hero.age = 1 } // refused"),
        .program(
            "an actor that makes an object of an update's result", .notSendable,
            declarations: """
                actor Keeper {
                    var person: Person?
                    func keep(in world: MainContext) async throws {
                        person = try await world.update { try $0.create(Person.self) } // refused
                    }
                }
                nonisolated static let keeper = Keeper()
                """,
            "try await keeper.keep(in: World)"),
        .ofUpdate(
            "#isolation handed to a helper that stays", .harmless,
            declarations: """
                static func stay(_ person: Person, isolation: isolated (any Actor)? = #isolation) async { person.age += 1 }
                """,
            "await stay(hero)"),
        .ofUpdate(
            "a closure that an isolated parameter's task runs", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: """
                static func run(isolation: isolated (any Actor)? = #isolation, _ body: @escaping () -> Void) {
                    Task {
                        _ = isolation
                        body()
                    }
                }
                """,
            "run { hero.age += 1 }"),
        .ofUpdate(
            "a global actor's property", .sent,
            declarations: """
                @globalActor actor Register {
                    static let shared = Register()
                    var person: Person?
                    func set(_ person: Person) { self.person = person }
                }
                """,
            "await Register.shared.set(hero) // refused"),
    ]
}
