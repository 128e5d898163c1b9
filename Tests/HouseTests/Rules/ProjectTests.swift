import Testing

/// What stands beside the code: the files of the root, the log of changes, what is not kept.
@Suite struct ProjectTests {
    @Test func `the root holds nothing else`() throws {
        let allowed: Set<Substring> = [
            "Package.swift", "Sources", "Tests", "Examples", "Benchmarks", "README.md", "CHANGELOG.md", "LICENSE",
        ]
        let entries = Set(try SourceTree.house.get().files.compactMap { $0.path.split(separator: "/").first })
        #expect(entries.filter { !$0.hasPrefix(".") && !allowed.contains($0) }.isEmpty)
        #expect(entries.isSuperset(of: ["README.md", "CHANGELOG.md", "LICENSE", ".gitignore", ".swift-format"]))
    }

    @Test func `the tree of the README names every folder of Sources`() throws {
        let readme = try Self.file("README.md")
        let folders = Set(try SourceTree.house.get().swift(in: "Sources").flatMap { $0.folders.dropFirst().prefix(2) })
        for folder in folders.sorted() {
            let isNamed = readme.lines.contains { $0.drop { $0 == " " }.hasPrefix(folder + "/ ") }
            #expect(isNamed, "README.md: add a line \(folder)/ to the tree.")
        }
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
