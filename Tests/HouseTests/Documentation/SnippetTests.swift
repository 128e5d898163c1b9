import Testing

/// The Swift in the README and in the articles is code of the tests beside this one, which compiles and runs.
@Suite struct SnippetTests {
    @Test func `the snippets of the documentation compile`() throws {
        let files = try SourceTree.house.get().files
        let compiled = files.filter { $0.isIn("Tests/HouseTests/Documentation") }
        expectNone(
            files.filter { $0.path == "README.md" || $0.folders.contains { $0.hasSuffix(".docc") } }
                .flatMap { Self.snippetsNot(in: compiled, of: $0) })
    }

    /// A snippet is looked for paragraph by paragraph, so that its types may stand elsewhere than its statements.
    private static func snippetsNot(in compiled: [SourceFile], of article: SourceFile) -> [Finding] {
        let code = compiled.map { lines(of: $0.lines[...]) }
        return paragraphs(of: article).filter { _, paragraph in
            !code.contains { contains($0, paragraph) }
        }.map { line, _ in
            article.finding(line, "this code is in no test. Put it into one of Tests/HouseTests/Documentation")
        }
    }

    /// The lines' text without indentation; empty ones are left out.
    private static func lines(of lines: ArraySlice<Substring>) -> [Substring] {
        lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }

    private static func contains(_ lines: [Substring], _ part: [Substring]) -> Bool {
        lines.indices.contains { lines[$0...].starts(with: part) }
    }

    /// The paragraphs of an article's Swift, each with its first line's number.
    private static func paragraphs(of article: SourceFile) -> [(line: Int, text: [Substring])] {
        var found: [(line: Int, text: [Substring])] = []
        var isInside = false
        var isNew = true
        for (number, line) in zip(1..., article.lines) {
            if line.hasPrefix("```") {
                (isInside, isNew) = (line == "```swift", true)
            } else if line.isEmpty {
                isNew = true
            } else if isInside {
                if isNew { found.append((number, [])) }
                found[found.count - 1].text.append(line.drop { $0 == " " })
                isNew = false
            }
        }
        return found
    }

    // MARK: The rule finds what it looks for

    @Test func `a snippet that no test has is found`() {
        let article = SourceFile(
            "README.md", "Text\n```swift\nlet a = 1\nlet b = 2\n\nlet c = 3\n```\n```sh\nlet d = 4\n```\n")
        let code = SourceFile("A.swift", "func f() {\n    let a = 1\n\n    let b = 2\n    let d = 3\n}")
        #expect(Self.snippetsNot(in: [code], of: article).map(\.line) == [6])
    }
}
