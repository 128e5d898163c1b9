extension Leak {
    /// What fetching calls yield, given to a task that does not run where the object lives.
    static var fromFetches: [Leak] { fromMain + fromLists + fromDrafts + offMain + fromUpdates + fromEngine + links }

    /// Every call that yields an object or several.
    private static let fetches = [
        "fetch(Person.self, %\"name\" == \"Monk\")", "fetch(Person.self, id)", "fetch(Person.self, [id])",
        "fetchAll(Person.self)", "fetchAll(Person.self, %\"age\" == 18)", "use(id)", "use([id])",
        "fetch(Person.self) { $0.name == \"Monk\" }", "fetchAll(Person.self) { $0.age == 18 }",
        "fetchAll(Person.self, orderBy: .ascending(\\.name))",
    ]

    private static let aPerson = "try World.fetch(Person.self, %\"name\" == \"Monk\")"

    /// Calls that yield objects for others of the same receiver.
    private static func uses(of receiver: String) -> [String] {
        ["use(\(receiver).fetch(Person.self, id))", "use([\(receiver).fetch(Person.self, id)])"]
    }

    private static var fromMain: [Leak] {
        (fetches + uses(of: "World")).map { fetch in
            Leak(
                name: "a detached task with the result of World.\(fetch)", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"],
                place: .main,
                statements: """
                    let id = \(aPerson).objectID
                    let found = try World.\(fetch)
                    Task.detached {
                    print(id)
                    print(found) // refused
                    }
                    """)
        }
    }

    private static var fromLists: [Leak] {
        ["objects", "object(at: [0, 0])", "object(for: id.erased)", "sections", "sections[0][0]"].map { call in
            Leak(
                name: "a detached task with a list's \(call)", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"],
                place: .main,
                statements: """
                    let id = \(aPerson).objectID
                    let list = try World.fetchedResults(Person.self, orderBy: .Ascending("name"))
                    let found = list.\(call)
                    Task.detached {
                    print(id)
                    print(found) // refused
                    }
                    """)
        }
    }

    private static var fromDrafts: [Leak] {
        ["create(Person.self)", "use(id)", "fetch(Person.self, %\"name\" == \"Monk\")", "fetchAll(Person.self)"].map {
            call in
            Leak(
                name: "a detached task with the result of draft.\(call)", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"],
                place: .main,
                statements: """
                    let id = \(aPerson).objectID
                    let draft = World.draft()
                    let found = try draft.\(call)
                    Task.detached {
                    print(id)
                    print(found) // refused
                    }
                    """)
        }
    }

    private static var offMain: [Leak] {
        fetches.map { fetch in
            Leak(
                name: "the result of World.\(fetch) off the main actor", pass: .flow,
                diagnostics: ["rbi_isolation_crossing_result"],
                place: .offMain,
                statements: """
                    let id = try await MainActor.run { \(aPerson).objectID }
                    let found = try await World.\(fetch) // refused
                    print(found) // refused
                    print(id)
                    """)
        }
    }

    private static var fromUpdates: [Leak] {
        let made = ["create(Person.self)", "fetchOrCreate(Person.self, %\"name\" == \"Monk\")"]
        func leak(_ receiver: String, _ call: String, _ opening: String) -> Leak {
            Leak(
                name: "a task with the result of \(receiver).\(call)", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"], place: .main,
                statements: """
                    let id = \(aPerson).objectID
                    \(opening) { \(receiver) in
                    print(id)
                    let found = try \(receiver).\(call)
                    Task {
                    print(found) // refused
                    }
                    }
                    """)
        }
        return (fetches + made + uses(of: "update")).map { leak("update", $0, "try await World.update") }
            + (fetches + uses(of: "reader")).map { leak("reader", $0, "try await World.read") }
    }

    /// The engine's own calls, over the context behind the main context.
    private static var fromEngine: [Leak] {
        let calls = [
            "fetch(FetchRequest(entityName: \"Person\"))", "existingObject(with: id.erased)",
            "objects(with: [id.erased])",
        ]
        return calls.map { call in
            Leak(
                name: "a detached task with the result of World.managedObjectContext.\(call)", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"], place: .main,
                statements: """
                    let id = \(aPerson).objectID
                    let found = try World.managedObjectContext.\(call)
                    Task.detached {
                    print(id)
                    print(found) // refused
                    }
                    """)
        } + [
            Leak(
                name: "a detached task with World.managedObjectContext", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"], place: .main,
                statements: """
                    let context = World.managedObjectContext
                    Task.detached {
                    print(context) // refused
                    }
                    """)
        ]
    }

    private static var links: [Leak] {
        ["friend", "friends", "managedObjectContext"].map { link in
            Leak(
                name: "a detached task with an object's \(link)", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"], place: .main,
                statements: """
                    let found = \(aPerson).\(link)
                    Task.detached {
                    print(found as Any) // refused
                    }
                    """)
        }
    }
}
