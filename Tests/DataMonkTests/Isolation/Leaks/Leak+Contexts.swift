extension Leak {
    /// What contexts, lists and drafts yield, used off their actor.
    static let contexts: [Leak] = [
        .program(
            "a fetch of the main context, awaited off the main actor",
            .refused(.flow, ["rbi_isolation_crossing_result"]), place: .offMain,
            "let hero = try await World.fetch(Person.self) // refused"),
        .program(
            "a fetch of the main context off the main actor", .refused(.flow, ["rbi_isolation_crossing_result"]),
            declarations: """
                nonisolated static func grow(in world: MainContext) throws {
                    try world.fetch(Person.self).age = 1 // refused
                }
                """),
        .program(
            "a fetch of what reads on the main actor, off it", .refused(.flow, ["rbi_isolation_crossing_result"]),
            declarations: """
                nonisolated static func grow(in source: some MainReading) async throws {
                    try await source.fetch(Person.self).age = 1 // refused
                }
                """),
        .program(
            "a fetch of an existential that reads on the main actor, off it",
            .refused(.flow, ["rbi_isolation_crossing_result"]),
            declarations: """
                nonisolated static func grow(in source: any MainReading) async throws {
                    try await source.fetch(Person.self).age = 1 // refused
                }
                """),
        .program(
            "a fetch of a draft in a detached task", .refused(.flow, ["rbi_isolation_crossing_result"]),
            """
            let draft = World.draft()
            Task.detached { print(try await draft.fetchBatched(Person.self)[0]) } // refused
            """),
        .program(
            "the reader of the main context in a detached task",
            .refused(.types, ["non_sendable_property_exits_actor"]),
            "Task.detached { print(try await World.reader.fetch(Person.self)) } // refused"),
        .program(
            "a fetch of the main context in a detached task", .refused(.flow, ["rbi_isolation_crossing_result"]),
            place: .offMain,
            "Task.detached { print(try await World.fetch(Person.self)) } // refused"),
        .program(
            "an asynchronous fetch off the main actor", .refused(.flow, ["rbi_isolation_crossing_result"]),
            place: .offMain,
            "let people = try await World.fetchAsynchronously(Person.self) // refused"),
        .program(
            "an object of the root context", .notSendable, place: .offMain,
            "_ = try await World.stack.rootContext?.read { try $0.fetch(Person.self) } // refused"),
        .program(
            "the engine's context of an update, as its result", .notSendable, place: .offMain,
            "_ = try await World.update { $0.managedObjectContext } // refused"),
        .program(
            "a result of MainActor.run", .notSendable, place: .offMain,
            "_ = try await MainActor.run { try World.fetch(Person.self) } // refused"),
        .program(
            "a result of MainActor.assumeIsolated", .notSendable,
            declarations: """
                nonisolated static func hero(of world: MainContext) throws -> Int {
                    return try MainActor.assumeIsolated { try world.fetch(Person.self) }.age // refused
                    return 0
                }
                """),
        .program(
            "a variable that MainActor.assumeIsolated fills", .sent,
            declarations: """
                nonisolated static func find(in world: MainContext) {
                    var found: Person? = nil
                    MainActor.assumeIsolated { found = try? world.fetch(Person.self) } // refused
                    print(found as Any)
                }
                """),
        .program(
            "a box that MainActor.assumeIsolated fills", .sent,
            declarations: """
                nonisolated final class Box { var person: Person? }
                nonisolated static func find(in world: MainContext) {
                    let box = Box()
                    MainActor.assumeIsolated { box.person = try? world.fetch(Person.self) }
                    Task.detached { print(box.person as Any) } // refused
                }
                """),
        .program(
            "a batched array off the main actor", .refused(.flow, ["rbi_isolation_crossing_result"]), place: .offMain,
            "for person in try await World.fetchBatched(Person.self) { print(person) } // refused"),
        .program(
            "a child of the main context in a detached task", .taskCapture,
            """
            let child = ManagedObjectContext(parent: World.managedObjectContext)
            Task.detached { try child.insert(Person.self).age = 1 } // refused
            """),
        .program(
            "an object of a child of the main context in a detached task", .taskCapture,
            """
            let child = ManagedObjectContext(parent: World.managedObjectContext)
            let hero = try child.insert(Person.self)
            Task.detached { hero.age = 1 } // refused
            """),
        .program(
            "an object of a draft in a detached task", .refused(.flow, ["rbi_isolation_crossing_result"]),
            """
            let draft = World.draft()
            Task.detached { try await draft.create(Person.self).age = 1 } // refused
            """),
        .program(
            "a list's objects in a detached task", .refused(.types, ["non_sendable_property_exits_actor"]),
            """
            let list = try World.fetchedResults(Person.self, orderBy: .Ascending("name"))
            Task.detached { for person in await list.objects { print(person.age) } } // refused
            """),
        .program(
            "a results controller of the main context in a detached task", .taskCapture,
            """
            let request = FetchRequest(entityName: "Person")
            let controller = try FetchedResultsController<Person>(context: World.managedObjectContext, request: request)
            Task.detached { try controller.performFetch() } // refused
            """),
        .program(
            "a results controller whose context is used as well",
            .refused(.flow, ["regionbasedisolation_type_send_yields_race"]), place: .offMain,
            """
            let context = ManagedObjectContext(coordinator: World.stack.coordinator)
            let request = FetchRequest(entityName: "Person")
            let controller = try FetchedResultsController<Person>(context: context, request: request)
            Task.detached { try controller.performFetch() } // refused
            try context.save()
            """),
        .program(
            "an object of a context of one's own that is used as well",
            .refused(.flow, ["regionbasedisolation_type_send_yields_race"]), place: .offMain,
            """
            let context = ManagedObjectContext(coordinator: World.stack.coordinator)
            let hero = try context.insert(Person.self)
            Task.detached { hero.age = 1 } // refused
            hero.age = 2
            """),
        .program(
            "an object whose context of one's own is used as well",
            .refused(.flow, ["regionbasedisolation_type_send_yields_race"]), place: .offMain,
            """
            let context = ManagedObjectContext(coordinator: World.stack.coordinator)
            let hero = try context.insert(Person.self)
            Task.detached { hero.age = 1 } // refused
            try context.save()
            """),
        .program(
            "the main context's engine off the main actor", .refused(.types, ["non_sendable_property_exits_actor"]),
            place: .offMain,
            "let context = await World.managedObjectContext // refused"),
        .program(
            "a count of the main context in synchronous code off the main actor",
            .warned(.library, ["actor_isolated_call_decl"], group: "ActorIsolatedCall"),
            declarations: """
                nonisolated static func look(at world: MainContext) throws { print(try world.count(Person.self)) }
                """),
        .program(
            "a count of the main context in asynchronous code off the main actor",
            .refused(.types, ["actor_isolated_access_outside_of_actor_context"]), place: .offMain,
            "print(try World.count(Person.self)) // refused"),
    ]
}
