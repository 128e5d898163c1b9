extension Leak {
    /// Objects as arguments of subscripts in key paths: each key path is taken for Sendable.
    static let keyPaths: [Leak] = [
        .ofUpdate(
            "a key path into a dictionary, by an object", .silent(.swift, stoppedBy: .ownerCheck),
            """
            let path = \\[Person: Int].[hero]
            Task.detached { _ = [Person: Int]()[keyPath: path] }
            """),
        .ofUpdate(
            "a key path by an object", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: "nonisolated struct Ages: Sendable { subscript(person: Person) -> Int { person.age } }",
            """
            let path = \\Ages.[hero]
            Task.detached { _ = Ages()[keyPath: path] }
            """),
        .program(
            "a key path by an object, as a result any Sendable", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: "nonisolated struct Ages: Sendable { subscript(person: Person) -> Int { person.age } }",
            """
            let path: any Sendable = try await World.update { \\Ages.[try $0.create(Person.self)] }
            print(path)
            """),
        .program(
            "a key path by an object, as a result", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: "nonisolated struct Ages: Sendable { subscript(person: Person) -> Int { person.age } }",
            """
            let path = try await World.update { update -> KeyPath<Ages, Int> & Sendable in \\Ages.[try update.create(Person.self)] }
            print(Ages()[keyPath: path])
            """),
        .ofUpdate(
            "a key path by an object, erased", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: "nonisolated struct Ages: Sendable { subscript(person: Person) -> Int { person.age } }",
            """
            let path: AnyKeyPath = \\Ages.[hero]
            Task.detached { _ = Ages()[keyPath: path] }
            """),
        .ofUpdate(
            "a partial key path by an object", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: "nonisolated struct Ages: Sendable { subscript(person: Person) -> Int { person.age } }",
            """
            let path: PartialKeyPath<Ages> = \\Ages.[hero]
            Task.detached { _ = Ages()[keyPath: path] }
            """),
        .ofMain(
            "a key path by an object of the main context", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: "nonisolated struct Ages: Sendable { subscript(person: Person) -> Int { person.age } }",
            """
            let path = \\Ages.[hero]
            Task.detached { print(Ages()[keyPath: path]) }
            """),
        .ofMain(
            "a Sendable key path by an object of the main context", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: "nonisolated struct Ages: Sendable { subscript(person: Person) -> Int { person.age } }",
            """
            let path: any KeyPath<Ages, Int> & Sendable = \\Ages.[hero]
            Task.detached { print(Ages()[keyPath: path]) }
            """),
        .ofUpdate(
            "a task-local object behind a key path", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: """
                nonisolated struct Ages: Sendable { subscript(person: Person) -> Int { person.age } }
                nonisolated enum Local { @TaskLocal static var path: (any KeyPath<Ages, Int> & Sendable)? }
                """,
            "await Local.$path.withValue(\\Ages.[hero]) { await Task.detached { _ = Local.path }.value }"),
        .ofUpdate(
            "a dynamic member by an object", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: """
                nonisolated struct Page: Hashable { let person: Person; init(_ person: Person) { self.person = person } }
                nonisolated struct Pages: Sendable { subscript(page: Page) -> Int { page.person.age } }
                """,
            """
            let path = \\Pages.[Page(hero)]
            Task.detached { _ = Pages()[keyPath: path] }
            """),
    ]
}
