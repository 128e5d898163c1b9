extension Leak {
    /// Objects that would stay where others find them.
    static let globals: [Leak] = [
        .ofUpdate(
            "a global variable", .refused(.types, ["nonisolated_mutable_storage", "shared_mutable_state_decl"]),
            declarations: "nonisolated static var leaked: Person? // refused",
            "leaked = hero // refused"),
        .program(
            "a static constant", .refused(.types, ["nonisolated_non_sendable", "shared_immutable_state_decl"]),
            declarations: "nonisolated static let shared: Person? = nil // refused"),
        .program(
            "a static variable of the class", .refused(.types, ["shared_mutable_state_decl"]),
            extensions: """
                extension Person {
                    nonisolated static var last: Person? // refused
                }
                """),
        .program(
            "a task-local", .refused(.types, ["conformance_availability_unavailable", "shared_immutable_state_decl"]),
            declarations: """
                nonisolated enum Local {
                    @TaskLocal static var hero: Person? // refused
                }
                """),
        .ofUpdate(
            "a task-local closure", .capture,
            declarations: "nonisolated enum Local { @TaskLocal static var task: (@Sendable () -> Void)? }",
            "Local.$task.withValue({ hero.age += 1 }) { Task { Local.task?() } } // refused"),
        .ofUpdate(
            "a variable of the main actor", .sent,
            declarations: "@MainActor static var leaked: Person?",
            "await MainActor.run { leaked = hero } // refused"),
        .ofUpdate(
            "a variable of the main actor behind a lock", .refused(.types, ["actor_isolated_non_self_reference"]),
            declarations: """
                nonisolated static let lock = NSLock()
                @MainActor static var leaked: Person?
                """,
            "lock.withLock { leaked = hero } // refused"),
        .program(
            "a global mutable dictionary",
            .refused(.types, ["nonisolated_non_sendable", "shared_immutable_state_decl"]),
            declarations: "nonisolated static let shared = NSMutableDictionary() // refused"),
        .ofUpdate(
            "a global cache", .refused(.types, ["nonisolated_non_sendable", "shared_immutable_state_decl"]),
            declarations: "nonisolated static let cache = NSCache<NSString, Person>() // refused",
            "cache.setObject(hero, forKey: \"k\") // refused"),
        .ofUpdate(
            "the main thread's dictionary", .silent(.foundation, stoppedBy: .ownerCheck),
            "Thread.mainThread.threadDictionary[\"hero\"] = hero"),
        .ofUpdate(
            "the thread's dictionary", .silent(.foundation, stoppedBy: .ownerCheck),
            declarations: """
                nonisolated static func put(_ person: Person) { Thread.current.threadDictionary["hero"] = person }
                """,
            "put(hero)"),
    ]
}
