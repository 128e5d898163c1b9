extension Leak {
    /// Objects in the closures and arguments of the library's own calls.
    static let calls: [Leak] = [
        .program(
            "objects that an observer of the main context is told", .taskCapture,
            """
            _ = World.observeChanges { changes in
                for person in changes.updated { Task.detached { print(person) } } // refused
            }
            """),
        .ofUpdate(
            "objects that an observer of an update is told", .taskCapture,
            """
            _ = update.observeChanges { changes in
                for person in changes.inserted { Task { print(person) } } // refused
            }
            """),
        .ofUpdate(
            "an observation in a task", .taskCapture,
            """
            let observation = update.observeChanges { _ in }
            Task { observation.cancel() } // refused
            """),
        .ofUpdate(
            "an object of a batch in a task", .taskCapture,
            """
            try update.batchInsert(Person.self) { person in
                Task { person.age = 1 } // refused
                return true
            }
            """),
        .ofMain(
            "a merge policy of one's own", .capture,
            """
            _ = MergePolicy.custom { _ in
                print(hero.age) // refused
                return .policy(.error)
            }
            """),
        .ofUpdate(
            "an observer of commits in an update", .sent,
            "_ = World.observeCommit { print(hero.age) } // refused"),
        .ofMain(
            "an observer of commits with an object of the main context", .harmless,
            "_ = World.observeCommit { print(hero.age) }"),
        .ofMain(
            "a stack's error handler", .capture,
            "World.stack.onError { _ in print(hero.age) } // refused"),
        .ofMain(
            "a stack's trace", .capture,
            "_ = try Stack(Person.self, trace: { _ in print(hero.age) }) // refused"),
        .ofMain(
            "a tweak of a fetch", .capture,
            "_ = QueryOptions.Tweak { _ in hero.age = 2 } // refused"),
        .program(
            "a draft's undo manager in a detached task", .taskCapture,
            """
            let undoManager = World.draft().undoManager
            Task.detached { undoManager?.undo() } // refused
            """),
        .ofUpdate(
            "the engine's context of an update in a task", .taskCapture,
            """
            let graph = update.managedObjectContext
            Task { graph.reset() } // refused
            """),
        .ofUpdate(
            "an update's context in a task", .harmless,
            """
            let context = update.context
            Task { _ = try await context.perform { try $0.count(Person.self) } }
            """),
        .program(
            "perform of a waiting update", .harmless, place: .mainWaiting,
            """
            try World.beginUpdateAndWait { update in
                update.perform { _ = try $0.create(Person.self) }
                _ = try update.create(Person.self)
            }
            """),
        .program(
            "perform of an update in performAndWait", .harmless, place: .mainWaiting,
            """
            try World.beginUpdateContext().performAndWait { update in
                update.perform { _ = try $0.create(Person.self) }
                _ = try update.create(Person.self)
            }
            """),
        .program(
            "an observer of changes that keeps objects for the main actor", .harmless,
            declarations: "@MainActor static var last: ManagedObject?",
            """
            let observation = World.observeChanges { changes in last = changes.updated.first }
            _ = observation
            """),
        .ofUpdate(
            "an observer of an update's changes that keeps objects on the main actor",
            .refused(.types, ["actor_isolated_non_self_reference"]),
            declarations: "@MainActor static var last: ManagedObject?",
            "_ = update.observeChanges { last = $0.inserted.first } // refused"),
        .ofMain(
            "an observer of changes, observing in a detached task",
            .refused(
                .flow,
                [
                    "rbi_isolation_crossing_result", "regionbasedisolation_named_send_yields_race",
                    "regionbasedisolation_typed_tns_passed_sending_closure",
                ]),
            "Task.detached { _ = await World.observeChanges { _ in print(hero.age) } } // refused"),
        .ofUpdate(
            "a Foundation observer over a commit", .capture,
            """
            _ = NotificationCenter.default.addObserver(forName: .init("hero"), object: nil, queue: nil) { _ in hero.age = 1 } // refused
            """),
        .ofUpdate(
            "a sort descriptor's closure", .taskCapture,
            "Task { [people = [hero].sorted { $0.age < $1.age }] in print(people) } // refused"),
        .ofMain(
            "a condition's closure that captures an object",
            .refused(
                .types,
                ["conformance_availability_unavailable", "non_sendable_capture", "non_sendable_isolated_capture"]),
            "_ = try await World.read { try $0.fetchAll(Person.self) { $0.age == hero.age } } // refused"),
        .ofMain(
            "a condition over an object in another context", .harmless,
            """
            let query = %"friend" == hero
            try await World.update { _ = try $0.fetchAll(Person.self, query) }
            """),
        .ofMain(
            "an Expression that captures an object", .refused(.types, ["cannot_convert_closure_result"]),
            "_ = #Expression<Person, Bool> { $0.friend == hero } // refused"),
        .ofMain(
            "an object given to beginUpdate(using:)", .refused(.types, ["cannot_convert_argument_value"]),
            "World.beginUpdate(using: hero) { _, _ in } // refused"),
        .program(
            "a handle's value", .refused(.types, ["cannot_convert_initializer_value"]),
            """
            let handle = World.beginUpdate { _ = try $0.create(Person.self) }
            let hero: Person = try await handle.value // refused
            """),
        .ofUpdate(
            "an object in what a batch update sets", .refused(.types, ["cannot_convert_dict_value"]),
            "try update.batchUpdate(Person.self, nil, set: [\"friend\": hero]) // refused"),
        .ofUpdate(
            "a batch handler that keeps its object", .taskCapture,
            """
            var kept: Person? = nil
            try update.batchInsert(Person.self) { person in
                kept = person
                return false
            }
            let found = kept
            Task { print(found as Any) } // refused
            """),
        .program(
            "a list in an update",
            .refused(.types, ["actor_isolated_access_outside_of_actor_context", "non_sendable_property_exits_actor"]),
            """
            let list = try World.fetchedResults(Person.self, orderBy: .Ascending("name"))
            try await World.update { _ in print(list.objects) } // refused
            """),
        .program(
            "a list's changes in a task",
            .refused(.types, ["actor_isolated_access_outside_of_actor_context", "non_sendable_property_exits_actor"]),
            """
            let list = try World.fetchedResults(Person.self, orderBy: .Ascending("name"))
            Task.detached { for person in list.objects { print(person) } } // refused
            """),
        .program(
            "a draft in an update", .refused(.types, ["actor_isolated_access_outside_of_actor_context"]),
            """
            let draft = World.draft()
            try await World.update { _ in try draft.create(Person.self).age = 1 } // refused
            """),
        .program(
            "a draft's object beside the draft's commit", .harmless,
            """
            let draft = World.draft()
            let hero = try draft.create(Person.self)
            async let committed: Void = draft.commit()
            hero.age = 1
            try await committed
            """),
        .ofUpdate(
            "an object found by an untyped id, in a task", .taskCapture,
            """
            let erased = hero.objectID.erased
            let found = try update.use(ObjectID(erased, as: Person.self))
            Task { print(found) } // refused
            """),
        .ofUpdate(
            "an object's context in a task", .taskCapture,
            """
            let context = hero.managedObjectContext
            Task { try context?.save() } // refused
            """),
        .program(
            "a conflict's object", .harmless,
            declarations: """
                nonisolated static func look(at conflict: MergeConflict) {
                    Task.detached { print(conflict.objectID) }
                }
                """),
        .program(
            "a validation error's object", .harmless,
            declarations: """
                nonisolated static func look(at error: SaveError) {
                    Task.detached { print(error) }
                }
                """),
        .ofUpdate(
            "a function without isolation in Swift 6.2's materialization", .harmless,
            declarations: "nonisolated(nonsending) static func growHere(_ person: Person) async { person.age += 1 }",
            "await growHere(hero)"),
        .program(
            "an error of a typed throw", .harmless,
            declarations: """
                nonisolated struct Wrong: Error { let id: ObjectID<Person> }
                nonisolated static func check(_ world: MainContext) async throws {
                    try await world.update { update throws in throw Wrong(id: try update.create(Person.self).objectID) }
                }
                """),
        .ofUpdate(
            "an update's context, awaited by its own update's task", .harmless,
            """
            let context = update.context
            let id = hero.objectID
            Task { try await context.perform { try $0.use(id).age = 3 } }
            """),
        .ofUpdate(
            "withCheckedContinuation inside of an update", .harmless,
            """
            await withCheckedContinuation { continuation in
                hero.age = 3
                continuation.resume()
            }
            """),
        .program(
            "an attribute that keeps the row it is read from", .refused(.types, ["non_concurrent_type_member"]),
            declarations: """
                nonisolated struct Row: Sendable {
                    let reader: RowReader? // refused
                }
                """),
        .ofMain(
            "an object as a format's argument", .harmless,
            """
            let query = try Query.Where("friend == %@", hero)
            Task.detached { print(query) }
            """),
        .program(
            "a condition of typed keys in a task", .taskCapture,
            """
            let people = try World.fetchAll(Person.self) { $0.age > 3 }
            Task.detached { print(people.count) } // refused
            """),
        .program(
            "a section of a list in a task", .taskCapture,
            """
            let list = try World.fetchedResults(Person.self, orderBy: .Ascending("name"))
            let section = list.sections[0]
            Task.detached { print(section.count) } // refused
            """),
        .program(
            "an object of a template's fetch in a task", .taskCapture,
            """
            let people = try World.fetchAll(Person.self).filter { $0.age > 3 }
            Task.detached { print(people) } // refused
            """),
        .ofUpdate(
            "registered objects in a task", .taskCapture,
            """
            let people = World.stack
            let registered = hero.managedObjectContext?.registeredObjects
            Task { print(people, registered as Any) } // refused
            """),
        .ofUpdate(
            "an object of dynamic form in a task", .taskCapture,
            """
            let friends = try hero.objects(forKey: "friends")
            Task { print(friends) } // refused
            """),
        .ofUpdate(
            "changed values in a task", .harmless,
            """
            let values = hero.changedValues()
            Task { print(values) }
            """),
        .program(
            "a subclass of Update", .refused(.types, ["inheritance_from_final_class"]),
            declarations: "nonisolated class Mine: Update {} // refused"),
        .ofUpdate(
            "a child context of an update's context in a task", .taskCapture,
            """
            let child = ManagedObjectContext(parent: hero.managedObjectContext!)
            Task { try child.insert(Person.self).age = 3 } // refused
            """),
        .ofUpdate(
            "an object inserted into another context", .sent,
            """
            let context = hero.managedObjectContext!
            await MainActor.run { context.delete(hero) } // refused
            """),
    ]
}
