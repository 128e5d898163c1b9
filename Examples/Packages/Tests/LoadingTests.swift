import DataMonk
import DebianPackages
import Testing

@testable import PackageCatalog

@Suite struct LoadingTests {
    private let context: Context

    init() throws {
        let stack = try Stack(Package.self)
        try stack.addInMemoryStore()
        context = try Context(stack: stack)
    }

    @discardableResult
    private func load(_ text: String, width: Int = 4, batchSize: Int = 2) async throws -> LoadResult {
        let graph = PackageGraph(try await ControlFile(text).packages(pieceCount: 2))
        return try await PackageLoader(context: context, graph: graph, width: width, batchSize: batchSize).load()
    }

    /// Every package with all that the store holds of it, by key.
    private func stored() async throws -> [String] {
        try await context.read { reader in
            try reader.fetchAll(Package.self, orderBy: .Ascending("key")).map { package in
                let versions = package.versions.map { "\($0.number)\($0.isCurrent ? "*" : "")" }.sorted()
                let dependencies = package.dependencies.map(\.key).sorted()
                let place = "\(package.section?.name ?? "-") \(package.maintainer?.name ?? "-")"
                return "\(package.key) \(package.state) \(place) \(versions) \(dependencies)"
            }
        }
    }

    private static let list = """
        Package: a
        Status: install ok installed
        Version: 1
        Section: libs
        Maintainer: M
        Depends: b | c, v

        Package: b
        Version: 2
        Section: libs
        Maintainer: N
        Provides: v

        Package: b
        Version: 1
        """

    @Test func `a list arrives as it stands`() async throws {
        let result = try await load(Self.list)
        #expect(result == LoadResult(created: 4, updated: 0, removed: 0, links: 3))
        #expect(
            try await stored() == [
                "a installed libs M [\"1*\"] [\"b\", \"c\", \"v\"]", "b listed libs N [\"1\", \"2*\"] []",
                "c unknown - - [] []", "v virtual - - [] []",
            ])
    }

    @Test func `the same list again changes nothing`() async throws {
        try await load(Self.list)
        let before = try await stored()
        let commits = context.commits
        let result = try await load(Self.list)
        #expect(result.changedNothing)
        #expect(try await stored() == before)
        try await context.update { update in
            _ = try update.create(Section.self)
            try update.commit()
        }
        var next = commits.makeAsyncIterator()
        #expect(await next.next()?.inserted.first?.entityName == "Section", "Nothing else has been written")
    }

    @Test func `another list makes the store equal to it`() async throws {
        try await load(Self.list)
        let other = """
            Package: a
            Status: install ok installed
            Version: 2
            Section: libs
            Maintainer: M
            Depends: v

            Package: d
            Depends: a
            """
        let result = try await load(other)
        #expect(result == LoadResult(created: 1, updated: 2, removed: 2, links: 2))
        #expect(
            try await stored() == [
                "a installed libs M [\"2*\"] [\"v\"]", "d listed - - [] [\"a\"]", "v unknown - - [] []",
            ])
        #expect(try await context.read { try $0.fetchAll(Maintainer.self).map(\.name) } == ["M"])
        #expect(try await context.read { try $0.count(Version.self) } == 1)
    }

    @Test(arguments: [(1, 7), (8, 7), (8, 1000)])
    func `neither width nor batches make a difference`(width: Int, batchSize: Int) async throws {
        var text = ""
        var list = SampleList(count: 100, seed: 3)
        list.write { text += $0 }
        try await load(text, width: width, batchSize: batchSize)
        let graph = PackageGraph(try await ControlFile(text).packages(pieceCount: 1))
        let dependencies = try await context.read { reader in
            try reader.fetchAll(Package.self, orderBy: .Ascending("key")).map { Set($0.dependencies.map(\.key)) }
        }
        #expect(dependencies == graph.nodes.map(\.dependencies))
        #expect(try await context.read { try $0.count(Maintainer.self) } == graph.maintainers.count)
        #expect(try await load(text, width: width, batchSize: batchSize).changedNothing)
    }

    @Test func `what depends on a package is found through others`() async throws {
        try await load("Package: a\nDepends: b\n\nPackage: b\nDepends: c\n\nPackage: c\nDepends: a, c\n\nPackage: d\n")
        let found = try await context.read { reader in
            let answers = try PackageAnswers(reader: reader)
            let (directly, inAll) = try answers.reached(from: answers.packages(named: "c"), by: \.dependents)
            return (directly.map(\.key), inAll.map(\.key).sorted())
        }
        #expect(found == (["b"], ["a", "b"]))
        await #expect(throws: UnknownPackage.self) {
            try await context.read { try PackageAnswers(reader: $0).packages(named: "nobody").count }
        }
    }
}
