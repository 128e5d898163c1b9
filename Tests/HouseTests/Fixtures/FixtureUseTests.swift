import DataMonkFixtures
import Testing

/// Tests read other people's files through `Fixtures`, which alone knows where they are, and the manifest lists each.
@Suite struct FixtureUseTests {
    /// The helper and its own tests.
    private static let homes = ["Tests/Fixtures", "Tests/HouseTests/Fixtures"]

    /// The files whose use of fixtures is looked at.
    private static func files() throws -> [SourceFile] {
        try SourceTree.house.get().files.filter { !homes.contains(where: $0.isIn) && !$0.name.hasSuffix(".md") }
    }

    @Test func `only the helper knows where the fixtures are`() throws {
        expectNone(try Self.files().flatMap(Self.places))
    }

    @Test func `the manifest lists each fixture that tests name`() throws {
        expectNone(try Self.files().flatMap(Self.unlisted))
    }

    @Test func `tests require each folder that the manifest lists`() throws {
        let required = Set(try Self.files().flatMap(Self.names).map(\.path))
        for folder in ["stores", "more-stores", "models", "conformance"] {
            #expect(required.contains(folder))
            #expect(!Fixtures.files(in: folder, endingIn: "").isEmpty, "\(folder)")
        }
    }

    @Test func `a test that reads fixtures says so`() throws {
        expectNone(try Self.files().flatMap(Self.undeclared))
    }

    private static func places(in file: SourceFile) -> [Finding] {
        zip(1..., file.lines).filter { $1.contains("../shared") || $1.contains("shared/") }.map { line, _ in
            file.finding(line, "names the folder of the fixtures. Ask Fixtures for the file")
        }
    }

    /// **Value.** A fixture or a folder that a file names.
    private struct Name {
        /// Only the first folder if the text has a value inside: `stores` of `"stores/\(name).sqlite"`.
        let path: String
        let line: Int
    }

    /// The texts in `requiresFixtures(…)` and `Fixtures.url(…)`.
    private static func names(in file: SourceFile) -> [Name] {
        let tokens = file.tokens
        return tokens.indices.dropLast(2).flatMap { index -> [Name] in
            let isRequired = tokens[index].isWord("requiresFixtures")
            let isAsked = tokens[index].isWord("url") && index > 1 && tokens[index - 2].isWord("Fixtures")
            guard isRequired || isAsked, tokens[index + 1].isSign("(") else { return [] }
            let texts = (index + 2..<tokens.count).prefix { tokens[$0].kind == .literal || tokens[$0].isSign(",") }
            return texts.filter { tokens[$0].kind == .literal }.map { text in
                // The lexer takes the value out of the text, and puts it behind in parentheses.
                let hasValue = text + 1 < tokens.count && tokens[text + 1].isSign("(")
                let folder = tokens[text].text.prefix { $0 != "/" }
                return Name(path: hasValue ? String(folder) : tokens[text].text, line: tokens[text].line)
            }
        }
    }

    private static func unlisted(in file: SourceFile) -> [Finding] {
        names(in: file).filter { name in
            // Reason for try?: that the manifest does not list it is the answer.
            (try? Fixtures.url(name.path)) == nil
        }.map { file.finding($0.line, "\($0.path) is no fixture. Add it to Tests/Fixtures/manifest.tsv") }
    }

    /// A file with tests that asks for fixtures, in which no test requires any.
    private static func undeclared(in file: SourceFile) -> [Finding] {
        guard let use = file.tokens.first(where: { $0.isWord("Fixtures") }),
            file.tokens.contains(where: { $0.isWord("Test") }),
            !file.tokens.contains(where: { $0.isWord("requiresFixtures") })
        else { return [] }
        return [file.finding(use.line, "reads fixtures. Mark the test with .requiresFixtures(…)")]
    }

    // MARK: The rules find what they look for

    @Test func `a place of the fixtures is found`() {
        let text = "let a = \"../shared\"\nlet b = \"shared/stores\"\nlet c = \"shared\""
        #expect(Self.places(in: SourceFile("Tests/ATests.swift", text)).map(\.line) == [1, 2])
    }

    @Test func `a name that the manifest does not list is found`() {
        let file = SourceFile(
            "Tests/ATests.swift",
            """
            @Test(.requiresFixtures("models", "animals")) func a() {
                let a = Fixtures.url("models/none")
                let b = Fixtures.url("stores/\\(name).sqlite")
                let c = Fixtures.url("plants/\\(name).sqlite")
                let d = Fixtures.url(name)
            }
            """)
        #expect(Self.unlisted(in: file).map(\.line) == [1, 2, 4])
    }

    @Test func `a test that does not say what it reads is found`() {
        let code = "@Test func a() { Fixtures.url(\"models\") }"
        #expect(Self.undeclared(in: SourceFile("Tests/ATests.swift", code)).count == 1)
        let declared = "@Test(.requiresFixtures(\"models\")) func a() { Fixtures.url(\"models\") }"
        #expect(Self.undeclared(in: SourceFile("Tests/ATests.swift", declared)).isEmpty)
    }
}
