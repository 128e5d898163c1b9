import Testing

/// Files and functions stay so small that one can hold them in mind, folders that one can see them.
@Suite struct SizeTests {
    /// Files of more than 500 lines, each with its reason.
    private static let longFiles: [String: String] = [:]

    @Test func `files are at most 500 lines long`() throws {
        expectNone(try SourceTree.house.get().swift().flatMap(Self.tooLong))
    }

    @Test func `functions are at most 70 lines long`() throws {
        expectNone(try SourceTree.house.get().swift().flatMap(Self.tooLongFunctions))
    }

    @Test func `folders have at most 25 files`() throws {
        expectNone(Self.fullFolders(of: try SourceTree.house.get().files.map(\.path)))
    }

    @Test func `every long file is still one`() throws {
        let lengths = Dictionary(
            uniqueKeysWithValues: try SourceTree.house.get().swift().map { ($0.path, $0.lineCount) })
        for path in Self.longFiles.keys {
            #expect(lengths[path, default: 0] > 500, "\(path): take it off the list of long files.")
        }
    }

    private static func tooLong(_ file: SourceFile) -> [Finding] {
        if file.lineCount <= 500 || (file.lineCount <= 1_000 && longFiles[file.path] != nil) { return [] }
        return [
            file.finding(
                file.lineCount,
                "\(file.lineCount) lines. Split it by verb or by conformance (Type+Verb.swift)"
                    + (file.lineCount <= 1_000 ? ", or say why not in SizeTests" : ""))
        ]
    }

    private static func tooLongFunctions(in file: SourceFile) -> [Finding] {
        let keywords: Set<String> = ["func", "init", "deinit", "subscript", "var"]
        return file.declarations.filter { keywords.contains($0.keyword) && $0.lineCount > 70 }.map {
            file.finding($0.line, "\($0.name) has \($0.lineCount) lines. Name its parts, and make functions of them")
        }
    }

    private static func fullFolders(of paths: [String]) -> [Finding] {
        let folders = Dictionary(grouping: paths) { $0.split(separator: "/").dropLast().joined(separator: "/") }
        return folders.filter { $0.value.count > 25 }.map {
            Finding(path: $0.key, line: 1, message: "\($0.value.count) files. Split the folder by subject")
        }
    }

    // MARK: The rules find what they look for

    @Test func `a long file is found`() {
        let text = String(repeating: "// line\n", count: 500)
        #expect(Self.tooLong(SourceFile("A.swift", text)).isEmpty)
        #expect(Self.tooLong(SourceFile("A.swift", text + "// line\n")).map(\.line) == [501])
    }

    @Test func `a long function is found, whatever braces stand in its texts`() {
        let lines = String(repeating: #"    print("}")  // }"# + "\n", count: 69)
        let short = "struct A {\n    func f() {\n" + lines.dropLast(lines.count / 69) + "    }\n}\n"
        let long = "struct A {\n    func f() {\n" + lines + "    }\n}\n"
        #expect(Self.tooLongFunctions(in: SourceFile("A.swift", short)).isEmpty)
        #expect(Self.tooLongFunctions(in: SourceFile("A.swift", long)).map(\.line) == [2])
    }

    @Test func `a full folder is found`() {
        #expect(Self.fullFolders(of: (1...25).map { "Sources/A/\($0)" }).isEmpty)
        #expect(Self.fullFolders(of: (1...26).map { "Sources/A/\($0)" }).map(\.path) == ["Sources/A"])
    }
}
