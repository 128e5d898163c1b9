import Testing

/// A target behind a trait is empty without it, so that nobody else needs the library that it calls.
@Suite struct TraitTests {
    /// The traits by the folders that they compile.
    private static let folders = [
        "Sources/DataMonkMacroExpansion": "Macros", "Sources/DataMonkPostgres": "Postgres",
        "Tests/DataMonkPostgresTests": "Postgres",
    ]

    @Test func `files behind a trait are empty without it`() throws {
        let house = try SourceTree.house.get()
        for (folder, trait) in Self.folders {
            let files = house.swift(in: folder)
            #expect(!files.isEmpty, "\(folder) is gone. Take it off the list.")
            expectNone(files.flatMap { Self.unconditional(in: $0, trait) })
        }
    }

    /// One `#if` from the first line to the last.
    private static func unconditional(in file: SourceFile, _ trait: String) -> [Finding] {
        let lines = file.lines.filter { !$0.isEmpty }
        let directives = lines.filter { $0.hasPrefix("#") }
        let isConditional = lines.first == "#if \(trait)" && lines.last == "#endif" && directives.count == 2
        return isConditional ? [] : [file.finding(1, "is compiled without the trait. Put it all into #if \(trait)")]
    }

    // MARK: The rule finds what it looks for

    @Test(arguments: [
        "struct A {}\n", "import B\n#if T\n    struct A {}\n#endif\n", "#if T\n    struct A {}\n#endif\nstruct B {}\n",
        "#if U\n    struct A {}\n#endif\n", "#if T\n    struct A {}\n#else\n    struct A {}\n#endif\n",
    ])
    func `a file with more than the trait's is found`(text: String) {
        #expect(Self.unconditional(in: SourceFile("A.swift", text), "T").count == 1)
    }

    @Test func `a file of the trait alone is not found`() {
        let text = "#if T\n    import B\n\n    #if os(Linux)\n        struct A {}\n    #endif\n#endif\n"
        #expect(Self.unconditional(in: SourceFile("A.swift", text), "T").isEmpty)
    }
}
