import Testing

/// What no file of the project holds: notes to oneself, banners, places of one machine, sleeping tests.
@Suite struct TextTests {
    // In pieces, so that this file passes.
    private static let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK", "OP" + "EN:"]
    private static let forbidden = [
        "/wo" + "rk/", "/opt/" + "swift", "/ro" + "ot/", "/ho" + "me/", "/Us" + "ers/", "Co-Authored" + "-By",
    ]

    @Test func `nothing is left for later`() throws {
        expectNone(try SourceTree.house.get().files.flatMap(Self.leftForLater))
    }

    @Test func `no file names a place of one machine`() throws {
        expectNone(try SourceTree.house.get().files.flatMap { Self.lines(of: $0, with: Self.forbidden) })
    }

    @Test func `no file has a banner`() throws {
        expectNone(try SourceTree.house.get().swift().flatMap(Self.banners))
    }

    @Test func `no test sleeps`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Tests").flatMap(Self.sleeps))
    }

    private static func leftForLater(in file: SourceFile) -> [Finding] {
        let stem = file.name.prefix { $0 != "." }.lowercased()
        let isLeftOver = ["placeholder", "tmp", "scratch"].contains(where: stem.hasPrefix)
        return lines(of: file, with: marks) + (isLeftOver ? [file.finding(1, "is left over. Remove it")] : [])
    }

    private static func lines(of file: SourceFile, with words: [String]) -> [Finding] {
        zip(1..., file.lines).flatMap { line, text in
            words.filter(text.contains).map { file.finding(line, "\($0) in the text. Do it, or say it in other words") }
        }
    }

    /// The licence stands in LICENSE, who wrote what in the history.
    private static func banners(in file: SourceFile) -> [Finding] {
        let start = file.lines.prefix(8)
        let words = ["Copyright", "SPDX", "Licensed", "Created by", "//==="]
        return zip(1..., start).compactMap { line, text in
            guard text.hasPrefix("//"), words.contains(where: text.contains) else { return nil }
            return file.finding(line, "a banner. Remove it")
        }
    }

    private static func sleeps(in file: SourceFile) -> [Finding] {
        let words: Set<String> = ["sleep", "usleep", "nanosleep", "asyncAfter"]
        return file.tokens.filter { $0.kind == .word && words.contains($0.text) && file.comments[$0.line] == nil }.map {
            file.finding($0.line, "\($0.text) in a test. Order its steps by continuations or a clock of its own")
        }
    }

    // MARK: The rules find what they look for

    @Test func `marks and left-over files are found`() {
        for mark in Self.marks {
            #expect(Self.leftForLater(in: SourceFile("A.swift", "let a = 1\n/// \(mark)")).map(\.line) == [2])
        }
        #expect(Self.leftForLater(in: SourceFile("Sources/A/Placeholder.swift", "")).count == 1)
        #expect(Self.leftForLater(in: SourceFile("Sources/A/TemporaryDirectory.swift", "")).isEmpty)
    }

    @Test func `a place of one machine is found`() {
        let file = SourceFile("README.md", "Run\n" + Self.forbidden[0] + "run.sh\n")
        #expect(Self.lines(of: file, with: Self.forbidden).map(\.line) == [2])
    }

    @Test func `a banner is found`() {
        #expect(Self.banners(in: SourceFile("A.swift", "//\n// Copyright (c) A. Person\n//\nimport B")).count == 1)
        #expect(Self.banners(in: SourceFile("A.swift", "// Why there is no copyright of rows.\nimport B")).isEmpty)
    }

    @Test func `a sleeping test is found`() {
        #expect(Self.sleeps(in: SourceFile("Tests/A.swift", "try await Task.sleep(for: .seconds(1))")).count == 1)
        #expect(Self.sleeps(in: SourceFile("Tests/A.swift", "// never by sleep\nlet a = \"sleep\"")).isEmpty)
    }
}
