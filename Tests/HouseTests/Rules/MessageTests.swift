import Testing

/// A message that recommends an option, a function or a type names one that users have.
@Suite struct MessageTests {
    @Test func `messages name only what exists`() throws {
        let sources = try SourceTree.house.get().swift(in: "Sources")
        let known = sources.reduce(into: Self.foreignNames) { $0.formUnion(Self.publicNames(in: $1)) }
        expectNone(sources.flatMap { Self.unknownNames(in: $0, known) })
    }

    /// What is not ours: words of Swift, names of the examples in messages, suffixes of files, words of formats.
    private static let foreignNames: Set<String> = [
        "self", "try", "await", "World", "age", "friend", "mom", "momd", "xccurrentversion", "xcdatamodel",
        "xcdatamodeld",
        "recover", "copy", "FUNCTION", "MATCHES", "SUBQUERY", "DataMonk",
        // Keys and values of user info.
        "className", "dateFormat", "mappedKeyName", "relatedByAttribute", "UnixTime",
    ]

    // MARK: Names

    /// The names of everything public, and the labels of its parameters.
    private static func publicNames(in file: SourceFile) -> Set<String> {
        let declarations = file.declarations.filter(\.isPublic)
        return Set(declarations.map(\.name)).union(declarations.flatMap { labels(of: $0, in: file) })
    }

    private static func labels(of declaration: Declaration, in file: SourceFile) -> [String] {
        guard ["func", "init", "macro", "case"].contains(declaration.keyword) else { return [] }
        let tokens = file.tokens.filter { (declaration.line...declaration.lastLine).contains($0.line) }
        guard let keyword = tokens.firstIndex(where: { $0.isWord(declaration.keyword) }),
            let start = tokens[keyword...].firstIndex(where: { $0.isSign("(") })
        else { return [] }
        var labels: [String] = []
        var depth = 0
        for index in start..<tokens.count {
            if ["(", "[", "{"].contains(tokens[index].text) { depth += 1 }
            if [")", "]", "}"].contains(tokens[index].text) { depth -= 1 }
            if depth == 0 { break }
            let isFirst = index > start && ["(", ","].contains(tokens[index - 1].text)
            if depth == 1, isFirst, tokens[index].kind == .word { labels.append(tokens[index].text) }
        }
        return labels
    }

    /// Names in sentences: called, given a value, in backticks, after a point, or of several words in one.
    private static func unknownNames(in file: SourceFile, _ known: Set<String>) -> [Finding] {
        file.tokens.filter { $0.kind == .literal && isSentence($0.text) }.flatMap { token in
            names(in: token.text).subtracting(known).map {
                file.finding(token.line, "a message names \($0), which no user has. Name what there is")
            }
        }
    }

    private static func isSentence(_ text: String) -> Bool {
        text.contains(/[a-z]+ [a-z]+ [a-z]+/) && text.contains(/\.(\s|$)/)
    }

    private static func names(in text: String) -> Set<String> {
        var names: Set<String> = []
        names.formUnion(text.matches(of: /\b([A-Za-z_]\w*)\(/).map { String($0.1) })
        names.formUnion(text.matches(of: /\b([a-z]\w*): (?:true|false|nil|\.\w)/).map { String($0.1) })
        names.formUnion(text.matches(of: /\b([a-z]+[A-Z]\w*)\b/).map { String($0.1) })
        names.formUnion(text.matches(of: /\b([A-Z][a-z]+(?:[A-Z][a-z]+)+)\b/).map { String($0.1) })
        names.formUnion(text.matches(of: /(?:^|[\s(“`,])\.([a-z]\w*)/).map { String($0.1) })
        for quoted in text.matches(of: /`([^`]*)`/) {
            // A string inside is data.
            let code = String(quoted.1).replacing(/"[^"]*"/, with: "")
            names.formUnion(code.matches(of: /[A-Za-z_]\w*/).map { String($0.0) })
        }
        return names
    }

    // MARK: Optimized builds

    @Test func `what stops a program for a mistake of its own says so in optimized builds too`() throws {
        let sources = try SourceTree.house.get().swift(in: "Sources")
        expectNone(sources.flatMap(Self.unheardExplanations))
    }

    /// Explanations, which end with a full stop. A precondition for what cannot be has a phrase without one.
    private static func unheardExplanations(in file: SourceFile) -> [Finding] {
        file.tokens.indices.filter { file.tokens[$0].text.hasPrefix("precondition") }.flatMap { index in
            arguments(after: index, in: file.tokens).filter { $0.kind == .literal && $0.text.contains(/\.\s*$/) }.map {
                file.finding($0.line, "optimized builds stop at a precondition without a word. Call stopProgram")
            }
        }
    }

    private static func arguments(after index: Int, in tokens: [Token]) -> ArraySlice<Token> {
        var depth = 0
        var end = index + 1
        while end < tokens.count {
            if tokens[end].isSign("(") { depth += 1 }
            if tokens[end].isSign(")") { depth -= 1 }
            if depth == 0 { break }
            end += 1
        }
        return tokens[index..<end]
    }

    @Test(arguments: [
        ("precondition(isOpen(), \"Open it first.\")", 1), ("preconditionFailure(\"Open it first.\")", 1),
        ("precondition(isOpen(), \"It is open\")", 0), ("if !isOpen() { stopProgram(\"Open it first.\") }", 0),
        ("preconditionFailure(\"It is open\")\nprint(\"Open it first.\")", 0),
    ])
    func `an explanation that optimized builds do not give is found`(code: String, count: Int) {
        #expect(Self.unheardExplanations(in: SourceFile("A.swift", code)).count == count)
    }

    // MARK: The rule finds what it looks for

    @Test(arguments: [
        "Open the store with openFast: true.", "Set the property fastMode before that.",
        "Call openFast() before the store is read.",
        "Give it to the FastOpener of the stack.", "Write it as `fast` in the model.", "Use the option .fast for it.",
    ])
    func `a name that nobody has is found`(message: String) {
        let file = SourceFile("A.swift", "let message = \"\(message)\"")
        #expect(Self.unknownNames(in: file, ["message"]).map(\.line) == [1])
    }

    @Test func `public names and labels are known, others are not`() {
        let file = SourceFile(
            "A.swift",
            """
            public final class Opener {
                public init(fast: Bool, _ mode: Int = max(1, 2), body: (_ inner: Int) -> Void) { let local = 1 }
                func hidden(secret: Int) {}
            }
            public enum Speed { case slow }
            """)
        let names = Self.publicNames(in: file)
        #expect(names.isSuperset(of: ["Opener", "fast", "body", "Speed", "slow"]))
        #expect(names.isDisjoint(with: ["hidden", "secret", "local", "inner"]))
    }

    @Test func `what is known, and what is no sentence, is not found`() {
        let file = SourceFile(
            "A.swift", "let a = \"Open the store with readOnly: true.\"\nlet b = \"SELECT thisAndThat FROM x\"")
        #expect(Self.unknownNames(in: file, ["readOnly"]).isEmpty)
    }
}
