import Testing

/// What gives up a guarantee of the language says why, in a comment above or beside it.
@Suite struct ReasonTests {
    @Test func `what gives up a guarantee says why`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Sources", "Examples").flatMap(Self.withoutReason))
    }

    private enum Guarantee: String {
        case forcedTry = "try!"
        case quietTry = "try?"
        case forcedCast = "as!"
        case forcedUnwrap = "a forced unwrap"
        case fatalError = "fatalError"
        case unmanaged = "Unmanaged"
        case uncheckedSendable = "@unchecked Sendable"
        case unsafeIsolation = "nonisolated(unsafe)"
    }

    private static func withoutReason(in file: SourceFile) -> [Finding] {
        let uses = file.tokens.indices.compactMap { index in
            guarantee(givenUpAt: index, in: file).map { (line: file.tokens[index].line, guarantee: $0) }
        }
        let lines = Set(uses.map(\.line))
        return uses.filter { line, guarantee in
            switch guarantee {
            case .uncheckedSendable: !isExplained(line, in: file, beside: lines) && !isExplainedByType(line, in: file)
            case .unmanaged: !isExplained(line, in: file, beside: lines) && !isExplainedByOwner(line, in: file)
            default: !isExplained(line, in: file, beside: lines)
            }
        }.map { line, guarantee in
            file.finding(
                line, "\(guarantee.rawValue) without a reason. Say why in a comment above it, or do without")
        }
    }

    private static func guarantee(givenUpAt index: Int, in file: SourceFile) -> Guarantee? {
        let token = file.tokens[index]
        let following = file.tokens[(index + 1)...]
        func isFollowed(by signs: String...) -> Bool {
            following.count >= signs.count && zip(following, signs).allSatisfy { $0.text == $1 && $0.isAttachedBefore }
        }
        switch (token.kind, token.text) {
        case (.word, "try") where isFollowed(by: "!"): return .forcedTry
        case (.word, "try") where isFollowed(by: "?"): return .quietTry
        case (.word, "as") where isFollowed(by: "!"): return .forcedCast
        case (.word, "fatalError") where isFollowed(by: "("): return .fatalError
        case (.word, "Unmanaged"): return .unmanaged
        case (.word, "unchecked") where following.first?.text == "Sendable": return .uncheckedSendable
        case (.word, "nonisolated") where following.dropFirst().first?.text == "unsafe": return .unsafeIsolation
        case (.sign, "!") where isPostfix(index, in: file): return .forcedUnwrap
        default: return nil
        }
    }

    /// Whether the `!` at an index stands behind a value or a type.
    private static func isPostfix(_ index: Int, in file: SourceFile) -> Bool {
        guard index > 0, file.tokens[index].isAttachedBefore else { return false }
        let previous = file.tokens[index - 1]
        if previous.isWord("try") || previous.isWord("as") { return false }
        return previous.kind != .sign || [")", "]", "}", "?", ">"].contains(previous.text)
    }

    // MARK: Reasons

    /// A comment on the line, above it, above a run of lines that all need one, or above the statement's first line.
    /// Documentation is none: it says what, not why.
    private static func isExplained(_ line: Int, in file: SourceFile, beside uses: Set<Int>) -> Bool {
        var first = line
        while uses.contains(first - 1) { first -= 1 }
        if file.comments[line] != nil || file.comments[first] != nil { return true }
        if file.isComment(first - 1) { return file.commentsAbove(first).contains { !$0.hasPrefix("///") } }
        // Lines that begin further right than the line above them go on with its statement.
        func indentation(_ line: Int) -> Int { file.lines[line - 1].prefix { $0 == " " }.count }
        while first > 1, indentation(first - 1) < indentation(first), !file.lines[first - 2].hasSuffix("{") {
            if file.isComment(first - 1) { return true }
            first -= 1
        }
        return file.isComment(first - 1) && first != line
    }

    /// The first lines of the type's body, or its documentation, say what is not checked.
    private static func isExplainedByType(_ line: Int, in file: SourceFile) -> Bool {
        guard let declaration = file.declarations.last(where: { $0.line...$0.lastLine ~= line }) else { return false }
        let comments =
            file.commentsAbove(declaration.line) + (line + 1...line + 2).compactMap { file.comments[$0]?[...] }
        return comments.contains { $0.lowercased().contains("unchecked") }
    }

    /// The function around says what the pointer is for, or the type who retains what.
    private static func isExplainedByOwner(_ line: Int, in file: SourceFile) -> Bool {
        file.declarations.filter { $0.line...$0.lastLine ~= line }.contains { declaration in
            let documentation = file.documentation(of: declaration).joined()
            guard declaration.isType || declaration.keyword == "extension" else { return !documentation.isEmpty }
            return ["retain", "pointer", "Unmanaged"].contains { documentation.contains($0) }
        }
    }

    // MARK: The rule finds what it looks for

    @Test(arguments: [
        "let a = try! f()", "let a = try? f()", "let a = b as! Int", "fatalError()", "let a = b!", "let a = b[0]!.c",
        "var a: Int!", "f()!", "let a = \"\\(b!)\"", "struct A: @unchecked Sendable {}",
        "nonisolated(unsafe) var a = 1", "let a = Unmanaged.passRetained(b)",
    ])
    func `what has no reason is found`(code: String) {
        let file = SourceFile("A.swift", "let before = 1\n\n\(code)\n")
        #expect(Self.withoutReason(in: file).map(\.line) == [3])
        #expect(Self.withoutReason(in: SourceFile("A.swift", "// Because.\n\(code)\n")).isEmpty)
        #expect(Self.withoutReason(in: SourceFile("A.swift", "\(code)  // Because.\n")).isEmpty)
    }

    @Test(arguments: [
        "if !a { b() }", "let a = b != c", "f(!a)", "let a = [!b]", "print(\"Stop!\")", "// a!\nlet b = 1",
        "static prefix func ! (query: Query) -> Query {}", "a = try f()", "if try !f() {}",
        "let text = #\"b!\"#", "let a = /b!/",
    ])
    func `what is harmless is not found`(code: String) {
        #expect(Self.withoutReason(in: SourceFile("A.swift", code)).isEmpty)
    }

    @Test func `a reason holds for a run of lines, a statement and a type`() {
        let file = SourceFile(
            "A.swift",
            """
            // Guard: the lock.
            nonisolated(unsafe) var a = 1
            nonisolated(unsafe) var b = 1
            final class A: @unchecked Sendable {
                // @unchecked Sendable: the lock guards it.
                let a = 1
                func f() {
                    // The file may be gone: then there is nothing to remove.
                    guard let a,
                        let b = try? g()
                    else { return }
                }
            }
            """)
        #expect(Self.withoutReason(in: file).isEmpty)
    }
}
