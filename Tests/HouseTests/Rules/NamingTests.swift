import Testing

/// A file is found by the name of the type in it, a folder by its subject, a test by its sentence.
@Suite struct NamingTests {
    @Test func `files are named as their types`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Sources", "Tests", "Examples").flatMap(Self.misnamed))
    }

    @Test func `the macros refuse the same names of properties as the model`() throws {
        func names(_ path: String) throws -> Set<String> {
            let file = try #require(try SourceTree.house.get().files.first { $0.path == path })
            let start = try #require(file.lines.firstIndex { $0.hasSuffix(": Set<String> = [") })
            let list = file.lines[start...].prefix { $0.drop { $0 == " " } != "]" }.dropFirst()
            let words = list.flatMap { $0.split(separator: "\"") }.map(String.init)
            return Set(words.filter { $0.first?.isLetter == true })
        }
        let model = try names("Sources/DataMonkCore/Model/Validation/ModelValidator+Names.swift")
        #expect(try model.count > 30 && names("Sources/DataMonkMacroExpansion/Syntax/ReservedNames.swift") == model)
    }

    @Test func `no type has the name of its module, which would hide the module`() throws {
        let files = try SourceTree.house.get().swift(in: "Sources")
        let modules = Set(files.compactMap { $0.folders.dropFirst().first.map(String.init) })
        expectNone(
            files.flatMap { file in
                file.declarations.filter { $0.isType && modules.contains($0.name) }
                    .map { file.finding($0.line, "\($0.name) hides the module of that name. Rename it") }
            })
    }

    @Test func `folders are named by subject`() throws {
        expectNone(try SourceTree.house.get().files.flatMap(Self.inFoldersByKind))
    }

    @Test func `tests are named by sentences`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Tests", "Examples").flatMap(Self.unnamedTests))
    }

    /// `Type.swift` declares the type, with small ones that serve it; `Type+Verb.swift` extends it. A file that extends
    /// types of other files is named by its subject.
    private static func misnamed(_ file: SourceFile) -> [Finding] {
        let parts = file.name.dropLast(".swift".count).split(separator: "+")
        let base = String(parts.first ?? "")
        let topLevel = file.declarations.filter { $0.parent == nil && ($0.isType || $0.keyword == "extension") }
        let types = topLevel.filter { $0.isType && !$0.isPrivate }
        if file.folders.contains("Tests") {
            // A suite's name is the subject of its sentences, and small types that tests need may share a file.
            if base.hasSuffix("Tests"), types.contains(where: { $0.modifiers.contains { $0.hasPrefix("@Suite") } }) {
                return []
            }
            if types.count > 1, types.allSatisfy({ $0.lineCount <= 40 }) { return [] }
        }
        let isNamed = topLevel.contains { $0.name == base }
        if parts.count > 1 {
            return isNamed ? [] : [file.finding(1, "does not extend \(base). Name it after what it extends")]
        }
        let extended = Set(topLevel.filter { !$0.isType }.map(\.name)).subtracting(types.map(\.name))
        var findings: [Finding] = []
        if let first = types.first, !isNamed, extended.isEmpty {
            findings.append(file.finding(first.line, "\(first.name) is not \(base). Give the file its name"))
        }
        findings += types.filter { $0.name != base && $0.lineCount > 40 }.map {
            file.finding($0.line, "\($0.name) has \($0.lineCount) lines beside \(base). Give it a file of its own")
        }
        return findings
    }

    private static func inFoldersByKind(_ file: SourceFile) -> [Finding] {
        let kinds: Set<Substring> = [
            "Common", "Extensions", "Helper", "Helpers", "Managers", "Misc", "Protocols", "Shared", "Support", "Util",
            "Utilities", "Utils",
        ]
        return file.folders.filter(kinds.contains).map {
            file.finding(1, "is in a folder \($0). Put it where its subject is")
        }
    }

    private static func unnamedTests(in file: SourceFile) -> [Finding] {
        file.declarations.filter { declaration in
            declaration.keyword == "func" && declaration.modifiers.contains { $0.hasPrefix("@Test") }
                && !declaration.name.contains(" ")
        }.map { file.finding($0.line, "the test \($0.name) is no sentence. Say what happens, in backticks") }
    }

    // MARK: The rules find what they look for

    @Test(arguments: [
        ("A.swift", "struct B {}"), ("A+B.swift", "extension C {}"), ("A+B.swift", "struct B {}"),
        ("A.swift", "struct A {}\nstruct B {" + String(repeating: "\n", count: 40) + "}"),
    ])
    func `a misnamed file is found`(path: String, code: String) {
        #expect(Self.misnamed(SourceFile(path, code)).count == 1)
    }

    @Test(arguments: [
        ("A.swift", "struct A {}\nstruct B {}"), ("A.swift", "private struct B {}\nextension Int {}"),
        ("Tests/ATests.swift", "@Suite struct `What A does` {}"), ("Tests/People.swift", "struct A {}\nstruct B {}"),
        ("Numbers.swift", "extension Int: B {}\nprotocol B {}"), ("A+B.swift", "extension A {}"),
        ("A.B+C.swift", "extension A.B {}"), ("Numbers.swift", "extension Int {}"),
        ("A.swift", "extension B {}\n@MainActor final class A<T>: C where T: D {}"),
    ])
    func `a well named file is not found`(path: String, code: String) {
        #expect(Self.misnamed(SourceFile(path, code)).isEmpty)
    }

    @Test func `a folder by kind is found`() {
        #expect(Self.inFoldersByKind(SourceFile("Sources/DataMonk/Utils/A.swift", "")).count == 1)
        #expect(Self.inFoldersByKind(SourceFile("Sources/DataMonk/Saving/A.swift", "")).isEmpty)
    }

    @Test func `a test without a sentence is found`() {
        let code = "struct ATests {\n    @Test(arguments: [1]) func works(a: Int) {}\n    @Test func `it works`() {}\n}"
        #expect(Self.unnamedTests(in: SourceFile("Tests/ATests.swift", code)).map(\.line) == [2])
    }
}
