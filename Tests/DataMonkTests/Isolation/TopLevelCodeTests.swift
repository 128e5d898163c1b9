import ApplicationCompiler
import Testing

/// `perform` and its relatives among the statements of a `main.swift`, which are compiled by rules of their own: in Swift 6
/// mode what they declare belongs to the main actor, in Swift 5 mode to nobody.
@Suite struct `Statements of a main.swift` {
    /// **Value.** Statements, and the errors and warnings of each language mode.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let statements: String
        /// The errors in Swift 6 mode.
        var errors: Set<String> = []
        /// The warnings in Swift 5 mode, which has no errors.
        var warnings: Set<String> = []

        var testDescription: String { name }
    }

    /// In Swift 5 mode the former `perform` is chosen for a body that does not suspend: it queues the step, and returns a
    /// handle of which nothing is to be awaited.
    private static let ofQueuedStep: Set<String> = ["no_async_in_await", "no_throw_in_try"]

    static let rows = [
        Row(
            name: "perform, awaited",
            statements: "let age = try await context.perform { try $0.create(Person.self).age }; print(age)",
            warnings: ofQueuedStep.union(["expression_unused_result"])),
        Row(
            name: "perform, awaited, with a body that suspends",
            statements: """
                let age = try await context.perform { update in
                    await Task.yield()
                    return try update.create(Person.self).age
                }
                print(age)
                """),
        Row(
            name: "perform, not awaited",
            statements: "context.perform { _ = try $0.create(Person.self) }",
            errors: ["async_in_nonasync_function", "throwing_call_without_try"]),
        Row(
            name: "perform, not awaited, beside an await",
            statements: """
                try await World.update { _ in }
                context.perform { _ = try $0.create(Person.self) }
                """,
            errors: ["async_expr_without_await", "throwing_call_without_try"]),
        Row(name: "beginPerform", statements: "context.beginPerform { _ = try $0.create(Person.self) }"),
        Row(name: "performAndWait", statements: "try context.performAndWait { _ = try $0.create(Person.self) }"),
        Row(
            name: "performAndWait, beside an await",
            statements: """
                try await World.update { _ in }
                try context.performAndWait { _ = try $0.create(Person.self) }
                """,
            errors: ["async_unavailable_decl"], warnings: ["async_unavailable_decl"]),
        Row(
            name: "perform that returns an object",
            statements: """
                let hero = try await context.perform { update in
                    await Task.yield()
                    return try update.create(Person.self)
                }
                print(hero.age)
                """,
            errors: ["conformance_availability_unavailable"], warnings: ["conformance_availability_unavailable"]),
        Row(
            name: "perform that keeps an object",
            statements: """
                var hero: Person?
                try await context.perform { hero = try $0.create(Person.self) }
                print(hero?.age as Any)
                """,
            errors: ["actor_isolated_non_self_reference"],
            warnings: ofQueuedStep.union(["actor_isolated_non_self_reference"])),
        Row(
            name: "perform that writes to an object of main",
            statements: """
                let hero = try World.fetch(Person.self)
                try await context.perform { _ in hero.age = 3 }
                """,
            errors: ["actor_isolated_access_outside_of_actor_context", "non_sendable_property_exits_actor"],
            warnings: ofQueuedStep.union(["actor_isolated_non_self_reference"])),
        Row(
            name: "perform that reads from the main context",
            statements: "try await context.perform { _ in _ = try World.count(Person.self) }",
            errors: ["actor_isolated_access_outside_of_actor_context"],
            warnings: ofQueuedStep.union(["actor_isolated_call_decl"])),
    ]

    @Test(arguments: rows, IsolationMode.allCases)
    func `are compiled or refused in Swift 6 mode`(row: Row, mode: IsolationMode) throws {
        let found = try diagnostics(of: row, mode, languageMode: 6)
        #expect(Set(found.map(\.name)) == row.errors && found.allSatisfy(\.isError), "\(found)")
    }

    @Test(arguments: rows, IsolationMode.allCases)
    func `are compiled in Swift 5 mode, with warnings`(row: Row, mode: IsolationMode) throws {
        let found = try diagnostics(of: row, mode, languageMode: 5)
        #expect(Set(found.map(\.name)) == row.warnings && !found.contains(where: \.isError), "\(found)")
    }

    private func diagnostics(
        of row: Row, _ mode: IsolationMode, languageMode: Int
    ) throws -> [Compiler.Diagnostic] {
        let source = """
            import DataMonk
            \(Refusals.model)
            let stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            let World = try MainContext(stack: stack)
            let context = World.beginUpdateContext()
            \(row.statements)
            """
        return try Compiler().diagnostics(in: source, mode, languageMode: languageMode, isMain: true)
    }
}
