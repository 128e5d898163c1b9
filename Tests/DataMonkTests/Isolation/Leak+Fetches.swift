extension Leak {
    /// What fetching calls yield, given to a task that does not run where the object lives.
    static var fromFetches: [Leak] { fromMain + offMain + fromUpdates + links }

    /// Every call that yields an object or several.
    private static let fetches = [
        "fetch(Person.self, %\"name\" == \"Monk\")", "fetch(Person.self, id)", "fetch(Person.self, [id])",
        "fetchAll(Person.self)", "fetchAll(Person.self, %\"age\" == 18)", "use(id)", "use([id])",
    ]

    private static let aPerson = "try World.fetch(Person.self, %\"name\" == \"Monk\")"

    private static var fromMain: [Leak] {
        fetches.map { fetch in
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
        return (fetches + made).map { leak("update", $0, "try await World.update") }
            + fetches.map { leak("reader", $0, "try await World.read") }
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
