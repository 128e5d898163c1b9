import Testing

/// What stands beside the code: the files of the root, the log of changes, what is not kept.
@Suite struct ProjectTests {
    @Test func `the root holds nothing else`() throws {
        let allowed: Set<Substring> = [
            "Package.swift", "Sources", "Tests", "Examples", "Benchmarks", "README.md", "CHANGELOG.md",
            "CONTRIBUTING.md", "LICENSE",
        ]
        let entries = Set(try SourceTree.house.get().files.compactMap { $0.path.split(separator: "/").first })
        #expect(entries.filter { !$0.hasPrefix(".") && !allowed.contains($0) }.isEmpty)
        #expect(entries.isSuperset(of: ["README.md", "CHANGELOG.md", "LICENSE", ".gitignore", ".swift-format"]))
    }

    @Test func `the README stays short`() throws {
        #expect(try Self.file("README.md").lineCount <= 250)
    }

    @Test func `the architecture names every folder of Sources`() throws {
        let architecture = try Self.file("Sources/ARCHITECTURE.md")
        let folders = Set(
            try SourceTree.house.get().swift(in: "Sources").flatMap { file in
                // The engine's folders are layers, and its tree goes on below them.
                file.folders.dropFirst().prefix(file.isIn("Sources/DataMonkCore") ? 3 : 2)
            })
        for folder in folders.sorted() {
            let isNamed = architecture.lines.contains { $0.drop { $0 == " " }.hasPrefix(folder + "/ ") }
            #expect(isNamed, "Sources/ARCHITECTURE.md: add a line \(folder)/ to the tree.")
        }
    }

    @Test(arguments: ["Sources/ARCHITECTURE.md", "CONTRIBUTING.md", "Tests/README.md"])
    func `the guides name only types and files that exist`(path: String) throws {
        expectNone(try Self.missing(in: try Self.file(path), try Self.existingNames.get()))
    }

    @Test func `what tools make is not kept`() throws {
        let lines = try Self.file(".gitignore").lines
        for entry in [".build/", "Package.resolved"] {
            #expect(lines.contains { $0 == entry }, ".gitignore has no line \(entry)")
        }
    }

    @Test func `the log of changes has a part for what is not released`() throws {
        #expect(try Self.file("CHANGELOG.md").lines.contains("## [Unreleased]"))
    }

    @Test func `the log of changes names every public type`() throws {
        let log = try Self.file("CHANGELOG.md")
        expectNone(try SourceTree.house.get().swift(in: "Sources").flatMap { Self.unannounced(in: $0, log) })
    }

    /// The types, test suites, files and folders of the project, and the names of others that guides may use.
    private static let existingNames = Result {
        let house = try SourceTree.house.get()
        let foreign: Set<Substring> = [
            "Sendable", "Unmanaged", "Postgres", "ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING",
        ]
        return house.files.reduce(into: foreign) { names, file in
            names.insert(file.name)
            names.formUnion(file.folders)
            for declaration in file.declarations where declaration.isType { names.insert(Substring(declaration.name)) }
        }
    }

    /// Words in code style that look like a type (`RowBlock`) or a file (`Contract/RowSink.swift`), and are none.
    private static func missing(in guide: SourceFile, _ existing: Set<Substring>) throws -> [Finding] {
        zip(1..., guide.lines).flatMap { line, text in
            text.matches(of: /`([A-Za-z0-9_+\/]+(?:\.swift)?)`/).compactMap { match in
                let word = match.output.1.split(separator: "/").last ?? match.output.1
                let isFile = word.hasSuffix(".swift")
                let isType = !isFile && word.prefixMatch(of: /[A-Z][a-z]+[A-Za-z0-9]*/)?.output == word
                guard isFile || isType, !existing.contains(word) else { return nil }
                return guide.finding(line, "\(word) does not exist. Name what there is now")
            }
        }
    }

    @Test func `a type that a guide names and that is gone is found`() throws {
        let guide = SourceFile("GUIDE.md", "`Row` and `A/Gone.swift`\n`Left` of `A.swift`, `Z_ENT`")
        #expect(try Self.missing(in: guide, ["Row", "A.swift"]).map(\.line) == [1, 2])
    }

    private static func file(_ path: String) throws -> SourceFile {
        try #require(try SourceTree.house.get().files.first { $0.path == path }, "There is no \(path).")
    }

    private static func unannounced(in file: SourceFile, _ log: SourceFile) -> [Finding] {
        let words = Set(log.lines.flatMap { $0.split { !($0.isLetter || $0.isNumber) } })
        return file.declarations.filter { declaration in
            declaration.isPublic && declaration.isType && declaration.parent == nil
                && !words.contains(Substring(declaration.name))
        }.map { file.finding($0.line, "\($0.name) is public and not in CHANGELOG.md. Add it under Unreleased") }
    }

    @Test func `a public type that the log does not name is found`() {
        let file = SourceFile("Sources/A/A.swift", "public struct A {}\npublic struct B {}\nstruct C {}")
        #expect(Self.unannounced(in: file, SourceFile("CHANGELOG.md", "- `A`: what it is.")).map(\.line) == [2])
    }
}
