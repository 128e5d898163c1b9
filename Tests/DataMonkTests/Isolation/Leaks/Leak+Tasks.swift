extension Leak {
    /// Objects of an update that another task would use at the same time.
    static var throughTasks: [Leak] { Beginning.all.flatMap { tasks(in: $0) + asynchronousTasks(in: $0) } }

    private static func tasks(in beginning: Beginning) -> [Leak] {
        func leak(_ task: String, _ opening: String, _ statement: String = "hero.age = 4") -> Leak {
            Leak(
                name: "\(task) inside \(beginning.name)", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"], place: beginning.place,
                statements: beginning.statements(withHero: "\(opening) {\n\(statement) // refused\n}"))
        }
        let update = beginning.parameters[0]
        return [
            leak("a task", "Task"),
            leak("a detached task", "Task.detached"),
            Leak(
                name: "a queue inside \(beginning.name)", pass: .types, diagnostics: ["non_sendable_capture"],
                place: beginning.place,
                statements: beginning.statements(
                    withHero: "DispatchQueue.global().async {\nhero.age = 4 // refused\n}")),
            leak("a task with the \(update)", "Task", "_ = try \(update).count(Person.self)"),
        ]
    }

    private static func asynchronousTasks(in beginning: Beginning) -> [Leak] {
        guard !beginning.isWaiting else { return [] }
        return [
            Leak(
                name: "async let inside \(beginning.name)", pass: .flow,
                diagnostics: ["regionbasedisolation_named_send_yields_race"], place: beginning.place,
                declarations: "@concurrent nonisolated static func age(of person: Person) async -> Int { person.age }",
                statements: beginning.statements(
                    withHero: "async let age = age(of: hero) // refused\nawait print(age) // refused")),
            Leak(
                name: "a task group inside \(beginning.name)", pass: .flow,
                diagnostics: ["regionbasedisolation_typed_tns_passed_sending_closure"],
                place: beginning.place,
                statements: beginning.statements(
                    withHero: """
                        await withTaskGroup { group in
                        group.addTask {
                        print(hero.age) // refused
                        }
                        }
                        """)),
        ]
    }
}
