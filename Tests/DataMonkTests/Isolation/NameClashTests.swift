#if Macros
    import ApplicationCompiler
    import Foundation
    import Testing

    /// Types of other modules with the names of ours, as the article on names tells of them.
    @Suite(.timeLimit(.minutes(60))) struct `Types with the same names` {
        private static let mail = "public struct Draft { public init() {} }\npublic struct Context { public init() {} }"

        /// The errors of a program that imports DataMonk and a module `Mail`.
        private func errors(in source: String) throws -> [String] {
            try Compiler().errors(in: "import DataMonk\nimport Mail\n\(source)", beside: Self.mail, named: "Mail")
        }

        @Test func `of two imported modules are ambiguous where the name is written, and only there`() throws {
            let errors = try errors(in: "func send(_ draft: Draft) {}")
            #expect(errors.count == 1 && errors[0].contains("'Draft' is ambiguous for type lookup"), "\(errors)")
            #expect(
                try self.errors(
                    in: """
                        @MainActor func save(_ World: MainContext) async throws {
                            let draft = World.draft()
                            try await draft.commit()
                            try await World.update { update in try update.commit() }
                        }
                        """
                ).isEmpty)
        }

        @Test(arguments: [
            "func send(_ draft: Mail.Draft, _ ours: DataMonk.Draft, _ object: DataMonk.ManagedObject) {}",
            "typealias Draft = Mail.Draft\ntypealias Context = DataMonk.Context\n"
                + "func send(_ context: Context) async throws { _ = Draft(); try await context.update { try $0.commit() } }",
            "import struct Mail.Draft\nfunc send() { _ = Draft() }",
            "struct Draft { var text = \"\" }\n"
                + "func send(_ draft: Draft, _ ours: DataMonk.Draft) -> String { draft.text }",
            "@Entity final class Query: ManagedObject { var text: String = \"\" }\n"
                + "func find(_ reader: DataMonk.Reader) throws -> Query { try reader.fetch(Query.self, %\"text\" == \"a\") }",
        ])
        func `can be told apart`(source: String) throws {
            #expect(try errors(in: source).isEmpty)
        }
    }
#endif
