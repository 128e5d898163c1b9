extension Leak {
    /// The same leaks through functions of the application that are generic.
    static var throughGenerics: [Leak] { fetching + handingOver + updating }

    private static var fetching: [Leak] {
        [
            Leak(
                name: "a detached task with the result of a generic function", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"],
                place: .main,
                declarations: """
                    @MainActor static func find<T: ManagedObject>(_ type: T.Type, in world: MainContext) throws -> T {
                    try world.fetch(type, %"name" == "Monk")
                    }
                    """,
                statements: """
                    let found = try find(Person.self, in: World)
                    Task.detached {
                    print(found) // refused
                    }
                    """),
            Leak(
                name: "a generic function that fetches off the main actor", pass: .flow,
                diagnostics: ["rbi_isolation_crossing_result"],
                place: .main,
                declarations: """
                    nonisolated static func find<T: ManagedObject>(_ type: T.Type, in world: MainContext) async throws -> T {
                    return try await world.fetch(type, %"name" == "Monk") // refused
                    throw CancellationError()
                    }
                    """,
                statements: ""),
        ]
    }

    private static var handingOver: [Leak] {
        [
            Leak(
                name: "a generic function that detaches its argument", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"], place: .main,
                declarations: """
                    nonisolated static func detach<T>(_ value: T) {
                    Task.detached {
                    print(value) // refused
                    }
                    }
                    """,
                statements: "detach(try World.fetch(Person.self, %\"name\" == \"Monk\"))"),
            Leak(
                name: "a generic function that takes its argument away", pass: .flow,
                diagnostics: ["regionbasedisolation_type_send_yields_race"], place: .main,
                declarations: """
                    nonisolated static func take<T>(_ value: sending T) {
                    Task.detached { print(value) }
                    }
                    """,
                statements: "take(try World.fetch(Person.self, %\"name\" == \"Monk\")) // refused"),
            Leak(
                name: "a generic function that asks for a Sendable argument", pass: .types,
                diagnostics: ["conformance_availability_unavailable"],
                place: .main, declarations: "nonisolated static func share<T: Sendable>(_ value: T) {}",
                statements: "share(try World.fetch(Person.self, %\"name\" == \"Monk\")) // refused"),
        ]
    }

    private static var updating: [Leak] {
        [
            Leak(
                name: "a generic function that returns what an update made", pass: .types,
                diagnostics: ["non_sendable_type"],
                place: .main,
                declarations: """
                    nonisolated static func make<T: ManagedObject>(_ type: T.Type, on world: some Updating) async throws -> T {
                    return try await world.update { try $0.create(type) } // refused
                    throw CancellationError()
                    }
                    """,
                statements: ""),
            Leak(
                name: "a generic function that returns what its body returns", pass: .types,
                diagnostics: ["non_sendable_type"],
                place: .main,
                declarations: """
                    nonisolated static func run<T>(on world: MainContext, _ body: @Sendable (Update) throws -> T) async throws -> T {
                    return try await world.update { try body($0) } // refused
                    throw CancellationError()
                    }
                    """,
                statements: ""),
            Leak(
                name: "a task in a generic function with an object of an update", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"],
                place: .main,
                declarations: """
                    nonisolated static func make<T: ManagedObject>(_ type: T.Type, in update: Update) throws {
                    let made = try update.create(type)
                    Task {
                    print(made) // refused
                    }
                    }
                    """,
                statements: "try await World.update { try make(Person.self, in: $0) }"),
        ]
    }
}
