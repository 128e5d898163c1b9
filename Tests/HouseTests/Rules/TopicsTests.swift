import Testing

/// The documentation's start pages list every public type and every article, under their topics.
@Suite struct TopicsTests {
    @Test(arguments: ["DataMonk", "DataMonkCore", "DataMonkTesting"])
    func `the topics list every public type`(module: String) throws {
        let (page, sources) = try Self.module(module)
        expectNone(sources.flatMap { Self.unlisted(in: $0, page) })
    }

    @Test(arguments: ["DataMonk", "DataMonkCore", "DataMonkTesting"])
    func `each symbol in the topics exists, and is listed once`(module: String) throws {
        let (page, sources) = try Self.module(module)
        expectNone(Self.unknown(in: page, sources) + Self.repeated(in: page))
    }

    @Test(arguments: ["DataMonk", "DataMonkCore", "DataMonkTesting"])
    func `the topics list every article`(module: String) throws {
        let (page, _) = try Self.module(module)
        let articles = try SourceTree.house.get().files.filter { $0.folders == page.folders && $0.path != page.path }
        #expect(!articles.isEmpty)
        for article in articles {
            let name = article.name.prefix { $0 != "." }
            #expect(page.lines.contains("- <doc:\(name)>"), "\(page.path) does not list \(name). Add it to its topics.")
        }
    }

    private static func module(_ name: String) throws -> (page: SourceFile, sources: [SourceFile]) {
        let house = try SourceTree.house.get()
        let path = "Sources/\(name)/\(name).docc/\(name).md"
        let page = try #require(house.files.first { $0.path == path }, "There is no \(path).")
        return (page, house.swift(in: "Sources/\(name)"))
    }

    /// The symbols of the topics, each with its line. A macro or function counts by its name, without labels.
    private static func symbols(in page: SourceFile) -> [(line: Int, text: Substring, name: Substring)] {
        guard let start = page.lines.firstIndex(of: "## Topics") else { return [] }
        return zip(1..., page.lines).dropFirst(start).compactMap { line, text in
            guard text.hasPrefix("- ``"), text.hasSuffix("``") else { return nil }
            let symbol = text.dropFirst(4).dropLast(2)
            return (line, symbol, symbol.prefix { $0 != "(" })
        }
    }

    private static func unlisted(in file: SourceFile, _ page: SourceFile) -> [Finding] {
        let listed = Set(symbols(in: page).map(\.text))
        return file.declarations.filter { declaration in
            declaration.isPublic && declaration.isType && declaration.parent == nil
                && !listed.contains(Substring(declaration.name))
        }.map { file.finding($0.line, "\($0.name) is public, but \(page.path) does not list it. Add it to a topic") }
    }

    private static func unknown(in page: SourceFile, _ sources: [SourceFile]) -> [Finding] {
        let declared = sources.flatMap(\.declarations).filter { $0.isPublic && $0.parent == nil }
        let types = Set(declared.filter(\.isType).map { Substring($0.name) })
        let macros = Set(declared.filter { $0.keyword == "macro" }.map { Substring($0.name) })
        return symbols(in: page).filter { symbol in
            symbol.text == symbol.name ? !types.contains(symbol.name) : !macros.contains(symbol.name)
        }.map { page.finding($0.line, "\($0.text) does not exist in this module. Remove it from the topic") }
    }

    private static func repeated(in page: SourceFile) -> [Finding] {
        var seen: Set<Substring> = []
        return symbols(in: page).filter { !seen.insert($0.text).inserted }.map {
            page.finding($0.line, "\($0.text) is listed twice. Keep it in one topic")
        }
    }

    // MARK: The rule finds what it looks for

    private static let page = SourceFile(
        "A.md", "# ``A``\n- ``Before``\n## Topics\n- ``A``\n- ``Gone``\n- ``Mark(_:)``\n- ``Lost(_:)``\n- ``A``\n")
    private static let source = SourceFile(
        "A.swift",
        "public struct A { public struct Inner {} }\nopen class B {}\nstruct C {}\npublic macro Mark(_ a: Int)")

    @Test func `a public type that no topic lists is found`() {
        #expect(Self.unlisted(in: Self.source, Self.page).map(\.line) == [2])
    }

    @Test func `a listed symbol that does not exist, or is listed twice, is found`() {
        #expect(Self.unknown(in: Self.page, [Self.source]).map(\.line) == [5, 7])
        #expect(Self.repeated(in: Self.page).map(\.line) == [8])
    }
}
