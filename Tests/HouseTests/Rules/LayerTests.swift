import Testing

/// The folders of the engine are layers: each names types of its own and of the layers below it.
///
/// The rule compares names. It sees neither calls of members that a higher layer adds by an extension, nor a type whose
/// name several layers declare.
@Suite struct LayerTests {
    /// From the bottom up.
    private static let layers = [
        "Base", "Conditions", "Model", "Queries", "Layouts", "Stores", "Commits", "Graph", "Results",
    ]
    private static let engine = "Sources/DataMonkCore"
    /// The types that a file may name although a higher layer declares them. This list only becomes shorter.
    private static let exceptions = [
        UpwardName(path: "Base/Values/AnyObjectID.swift", type: "ObjectDirectory"):
            "An id takes two words, and tells its URI and its entity by the directory.",
        UpwardName(path: "Model/Classes/ManagedObject.swift", type: "EntityBinding"):
            "A class declares all its fields in one place, and this one leads to the object's context.",
        UpwardName(path: "Model/Archives/ArchivedModel+Resolving.swift", type: "Derivation"):
            "Derived attributes that are not understood are left out while a stored model is read.",
    ]

    @Test func `layers name only lower ones`() throws {
        let files = try SourceTree.house.get().swift(in: Self.engine)
        expectNone(Self.findings(in: files, except: Set(Self.exceptions.keys)))
    }

    @Test func `each exception is needed`() throws {
        let needed = Set(Self.upwardReferences(in: try SourceTree.house.get().swift(in: Self.engine)).map(\.name))
        for (name, _) in Self.exceptions where !needed.contains(name) {
            Issue.record("\(name.path) no longer names \(name.type). Remove the exception.")
        }
    }

    @Test func `every folder of the engine is a layer`() throws {
        expectNone(
            try SourceTree.house.get().swift(in: Self.engine).filter { Self.layer(of: $0) == nil }.map {
                $0.finding(1, "is in no layer. Put it in one of \(Self.layers.joined(separator: ", "))")
            })
    }

    /// **Value.** The name of a type in a file of a lower layer.
    private struct UpwardName: Hashable {
        /// The file's path inside the engine.
        let path: String
        let type: String
    }

    /// The number of a file's layer.
    private static func layer(of file: SourceFile) -> Int? {
        file.folders.dropFirst(2).first.flatMap { layers.firstIndex(of: String($0)) }
    }

    /// Returns the layer of each type that only one layer declares, and not only for a file of its own.
    private static func homes(in files: [SourceFile]) -> [String: Int] {
        var homes: [String: Set<Int>] = [:]
        var visible: Set<String> = []
        for file in files {
            guard let layer = layer(of: file) else { continue }
            for declaration in file.declarations where declaration.isType || declaration.keyword == "typealias" {
                homes[declaration.name, default: []].insert(layer)
                if !declaration.isPrivate { visible.insert(declaration.name) }
            }
        }
        return homes.filter { visible.contains($0.key) }.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    /// **Value.** A place that names a type of a higher layer.
    private struct UpwardReference {
        let name: UpwardName
        let file: SourceFile
        let line: Int
        /// The number of the layer that declares the type.
        let home: Int
    }

    private static func upwardReferences(in files: [SourceFile]) -> [UpwardReference] {
        let homes = homes(in: files)
        return files.flatMap { file -> [UpwardReference] in
            let layer = layer(of: file) ?? layers.count
            let path = String(file.path.dropFirst(engine.count + 1))
            return file.tokens.compactMap { token in
                guard token.kind == .word, let home = homes[token.text], home > layer else { return nil }
                return UpwardReference(
                    name: UpwardName(path: path, type: token.text), file: file, line: token.line, home: home)
            }
        }
    }

    private static func findings(in files: [SourceFile], except allowed: Set<UpwardName> = []) -> [Finding] {
        upwardReferences(in: files).filter { !allowed.contains($0.name) }.map { reference in
            reference.file.finding(
                reference.line,
                """
                names \(reference.name.type) of \(layers[reference.home]), a higher layer. Move one of them, or use a \
                protocol here
                """)
        }
    }

    // MARK: The rules find what they look for

    private static func file(_ path: String, _ code: String) -> SourceFile { SourceFile("\(engine)/\(path)", code) }

    private static let declarations = [
        file("Graph/Objects/High.swift", "final class High {\n    enum Part {}\n}\nprivate struct Hidden {}"),
        file("Base/Twice.swift", "struct Twice {}"),
        file("Graph/Other.swift", "struct Other { struct Twice {} }"),
    ]

    @Test(arguments: [
        "let high: High", "func f(_ value: High.Part) {}", "extension [High] {}", "let text = \"\\(High.self)\"",
    ])
    func `a type of a higher layer is found`(code: String) {
        let low = Self.file("Base/Values/Low.swift", "import Foundation\n\(code)")
        let found = Self.findings(in: Self.declarations + [low])
        #expect(Set(found.map(\.line)) == [2])
        #expect(found.allSatisfy { $0.path.hasSuffix("Low.swift") && $0.message.contains("Graph") })
    }

    @Test(arguments: [
        ("Graph/Context/Beside.swift", "let high: High"), ("Results/Above.swift", "let high: High"),
        ("Base/Low.swift", "// High\nlet text = \"High\""), ("Base/Low.swift", "let twice: Twice, hidden: Hidden"),
    ])
    func `other names are not found`(path: String, code: String) {
        #expect(Self.findings(in: Self.declarations + [Self.file(path, code)]).isEmpty)
    }

    @Test func `an exception holds for one type of one file`() {
        let low = Self.file("Base/Low.swift", "let high: High\nlet part: Part")
        let allowed: Set = [UpwardName(path: "Base/Low.swift", type: "High")]
        #expect(Self.findings(in: Self.declarations + [low], except: allowed).map(\.line) == [2])
    }
}
