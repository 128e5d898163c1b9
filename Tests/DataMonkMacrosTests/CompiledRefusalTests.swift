#if Macros
    import ApplicationCompiler
    import Testing

    /// What a person reads of wrong declarations, and what the corrections come to: the compiler itself, with the macros as its
    /// plugin. All declarations are the files of one module, each in an enum of its own.
    @Suite(.timeLimit(.minutes(60))) struct `What the compiler says of what the macros refuse` {
        @Test(arguments: IsolationMode.allCases)
        func `each fix-it, once applied, compiles`(mode: IsolationMode) throws {
            let corrections = Refusal.all.flatMap { Expansion($0.source).corrections }
            #expect(corrections.count > 40)
            let errors = try Compiler().errors(inFiles: Self.module(of: corrections), mode)
            let sources = errors.map { error in "\(error): \(corrections[Self.number(error.file) ?? 0])" }
            #expect(sources == [])
        }

        @Test func `each has its sentence, at the declaration`() throws {
            let errors = try Compiler().errors(inFiles: Self.module(of: Refusal.all.map(\.source)), .nonisolated)
            let byNumber = Dictionary(grouping: errors) { Self.number($0.file) }
            for (number, refusal) in Refusal.all.enumerated() {
                let messages = (byNumber[number] ?? []).map(\.message)
                for message in Expansion(refusal.source).messages {
                    #expect(messages.contains { $0.hasPrefix(message) }, "\(refusal.source): \(messages)")
                }
            }
        }

        private static func module(of declarations: [String]) -> [String: String] {
            let files = declarations.enumerated().map { number, declaration in
                ("\(number).swift", "import DataMonk\nimport Foundation\nenum Case\(number) {\n\(declaration)\n}\n")
            }
            return Dictionary(uniqueKeysWithValues: files).merging(["Others.swift": others]) { $1 }
        }

        /// What the declarations mention.
        private static let others = """
            protocol Named {}
            nonisolated func old() -> Int { 3 }
            """

        /// The number of a declaration's file.
        private static func number(_ path: String) -> Int? {
            path.split(separator: "/").last.flatMap { Int($0.dropLast(".swift".count)) }
        }
    }
#endif
