extension Leak {
    /// Objects, and updates themselves, that get into or out of an update.
    static var throughUpdates: [Leak] {
        Beginning.all.flatMap { [into($0)] + stashed(by: $0) + returned(from: $0) + sent(from: $0) } + [
            intoContinuation
        ]
    }

    /// The callback form of the manual: in Swift 6 mode the id has to cross.
    private static var intoContinuation: Leak {
        Leak(
            name: "capturing an object of the update in the update's perform", pass: .types,
            diagnostics: ["non_sendable_capture"], place: .main,
            statements: """
                try await World.update { update in
                let hero = try update.create(Person.self)
                let id = hero.objectID
                update.perform { update in
                hero.age = 3 // refused
                try update.use(id).age = 3
                }
                }
                """)
    }

    private static func into(_ beginning: Beginning) -> Leak {
        Leak(
            name: "capturing an object of the main context in \(beginning.name)", pass: .types,
            diagnostics: ["non_sendable_capture"], place: beginning.place,
            statements: beginning.statements(
                before: "let warrior = try World.fetch(Person.self, %\"name\" == \"Warrior\")",
                inside: "warrior.age = 3 // refused", after: "print(warrior.age)"))
    }

    private static func stashed(by beginning: Beginning) -> [Leak] {
        let update = beginning.parameters[0]
        return [
            Leak(
                name: "stashing an object of \(beginning.name) in a variable", pass: .types,
                diagnostics: ["non_sendable_capture", "concurrent_access_of_local_capture"], place: beginning.place,
                statements: beginning.statements(
                    before: "var stash: Person? = nil", withHero: "stash = hero // refused",
                    after: "stash?.age = 3\nprint(stash as Any)")),
            Leak(
                name: "stashing an object of \(beginning.name) in a property of the main actor", pass: .types,
                diagnostics: ["actor_isolated_non_self_reference"], place: beginning.place,
                declarations: "@MainActor static var stash: Person?",
                statements: beginning.statements(withHero: "stash = hero // refused")),
            Leak(
                name: "stashing the \(update) of \(beginning.name)", pass: .types,
                diagnostics: ["non_sendable_capture", "concurrent_access_of_local_capture"], place: beginning.place,
                statements: beginning.statements(
                    before: "var stash: AnyObject? = nil",
                    inside: "stash = \(update) // refused\n_ = \(beginning.yielding)",
                    after: "print(stash as Any)")),
        ]
    }

    private static func returned(from beginning: Beginning) -> [Leak] {
        guard beginning.returnsResult else { return [] }
        func leak(
            _ what: String, _ expression: String, _ diagnostic: String = "conformance_availability_unavailable"
        ) -> Leak {
            Leak(
                name: "returning \(what) from \(beginning.name)", pass: .types, diagnostics: [diagnostic],
                place: beginning.place, statements: beginning.statements(withHero: "return \(expression) // refused"))
        }
        return [
            leak("an object", "hero"), leak("objects", "[hero]"), leak("an object in a tuple", "(hero, 1)"),
            leak("a link", "hero.friend"), leak("links", "hero.friends"),
            leak("a closure", "{ hero.age }", "non_sendable_type"),
            leak("the \(beginning.parameters[0])", beginning.parameters[0]),
        ]
    }

    private static func sent(from beginning: Beginning) -> [Leak] {
        guard !beginning.isWaiting else { return [] }
        func leak(
            _ target: String, _ declarations: String, before: String = "", _ call: String,
            pass: Pass = .flow, _ diagnostic: String = "regionbasedisolation_named_send_yields_race"
        ) -> Leak {
            Leak(
                name: "sending an object of \(beginning.name) to \(target)", pass: pass, diagnostics: [diagnostic],
                place: beginning.place, declarations: declarations,
                statements: beginning.statements(before: before, withHero: "\(call) // refused"))
        }
        return [
            leak("the main actor", "@MainActor static func show(_ person: Person) {}", "await show(hero)"),
            leak(
                "an actor", "actor Keeper { func keep(_ person: Person) {} }", before: "let keeper = Keeper()",
                "await keeper.keep(hero)"),
            leak(
                "a stream", "", before: "let stream = AsyncStream.makeStream(of: Person.self)",
                "stream.continuation.yield(hero)", pass: .types, "non_sendable_capture"),
        ]
    }
}
