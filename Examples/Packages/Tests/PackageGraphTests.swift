import DebianPackages
import Testing

@Suite struct PackageGraphTests {
    private func graph(_ text: String) async throws -> [String: PackageGraph.Node] {
        let records = try await ControlFile(text).packages(pieceCount: 3)
        return Dictionary(uniqueKeysWithValues: PackageGraph(records).nodes.map { ($0.key, $0) })
    }

    private func paragraph(_ name: String, _ architecture: String = "amd64", _ more: String = "") -> String {
        "Package: \(name)\nStatus: install ok installed\nArchitecture: \(architecture)\nVersion: 1\n\(more)\n\n"
    }

    @Test func `one name on two architectures is two packages`() async throws {
        let graph = try await graph(
            paragraph("a", "amd64") + paragraph("a", "i386") + paragraph("b", "i386", "Depends: a"))
        #expect(graph.keys.sorted() == ["a:amd64", "a:i386", "b:i386"])
        #expect(graph["b:i386"]?.dependencies == ["a:i386"])
    }

    @Test func `a dependency finds another architecture where its own has none`() async throws {
        let graph = try await graph(
            paragraph("a", "i386") + paragraph("b", "amd64", "Depends: a:any") + paragraph("c", "all")
                + paragraph("d", "amd64", "Depends: c, a:i386, a:arm64"))
        #expect(graph["b:amd64"]?.dependencies == ["a:i386"])
        #expect(graph["d:amd64"]?.dependencies == ["c:all", "a:i386", "a:arm64"])
        #expect(graph["a:arm64"]?.record == nil)
        #expect(graph["a:arm64"]?.isProvided == false)
    }

    @Test func `a name without a paragraph is virtual if somebody provides it`() async throws {
        let graph = try await graph(
            paragraph("a", "all", "Depends: mta | nothing\nProvides: x (= 1)")
                + paragraph("exim", "amd64", "Provides: mta, exim"))
        #expect(graph["a:all"]?.dependencies == ["mta", "nothing"])
        #expect(graph["mta"]?.isProvided == true)
        #expect(graph["nothing"]?.isProvided == false)
        #expect(graph["x"]?.isProvided == true)
        #expect(graph["exim:amd64"]?.provides == ["mta"])
        #expect(graph["exim"] == nil)
    }

    @Test(arguments: [
        ("install ok installed", true), ("hold ok installed", true), ("deinstall ok config-files", false),
        ("install ok half-configured", false), ("unknown ok not-installed", false),
    ])
    func `the status says whether a package is installed`(status: String, isInstalled: Bool) async throws {
        #expect(try await graph("Package: a\nStatus: \(status)\n")["a"]?.record?.isInstalled == isInstalled)
    }

    @Test func `a package of an archive's list is not installed`() async throws {
        #expect(try await graph("Package: a\nArchitecture: all\nVersion: 1\n")["a:all"]?.record?.isInstalled == false)
    }

    @Test func `of two versions the later counts`() async throws {
        let graph = try await graph(
            "Package: a\nVersion: 1.10\nDepends: b\n\nPackage: a\nVersion: 1.9\nDepends: c\n\nPackage: a\nVersion: 1.10~\n"
        )
        #expect(graph["a"]?.record?.version == "1.10")
        #expect(graph["a"]?.dependencies == ["b"])
        #expect(graph["c"] == nil)
    }

    @Test func `the number of pieces makes no difference`() async throws {
        var text = ""
        var list = SampleList(count: 200, seed: 7)
        list.write { text += $0 }
        let file = ControlFile(text)
        let whole = PackageGraph(try await file.packages(pieceCount: 1))
        let pieces = PackageGraph(try await file.packages(pieceCount: 13))
        #expect(whole.nodes.map(\.key) == pieces.nodes.map(\.key))
        #expect(whole.nodes.map(\.dependencies) == pieces.nodes.map(\.dependencies))
        #expect(whole.nodes.map(\.record) == pieces.nodes.map(\.record))
    }

    @Test(arguments: [
        ("Source: a\n", "Package"), ("Package: a\nInstalled-Size: big\n", "Installed-Size"),
        ("Package: a\nDepends: b (1)\n", "Depends of a"),
    ])
    func `a paragraph without sense is refused by its line`(text: String, named: String) async throws {
        let error = await #expect(throws: ControlFileError.self) {
            try await ControlFile("Package: first\n\n" + text).packages(pieceCount: 4)
        }
        #expect(error?.line == 3)
        #expect(error?.message.contains(named) == true)
    }
}
