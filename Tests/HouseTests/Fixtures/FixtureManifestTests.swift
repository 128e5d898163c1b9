import DataMonkFixtures
import Foundation
import Testing

/// The manifest of the fixtures is read as a whole or not at all, and an error names the line.
@Suite struct FixtureManifestTests {
    private static let hash = String(repeating: "0a", count: 32)
    private static let commit = String(repeating: "1b", count: 20)

    private static func line(
        _ path: String, size: String = "5", hash: String = hash, origin: String = "copy",
        repository: String = "https://example.org/a", commit: String = commit, source: String = "a"
    ) -> String {
        [path, size, hash, origin, "MIT", repository, commit, source].joined(separator: "\t")
    }

    @Test func `lines are fixtures, and comments are none`() throws {
        let unknown = Self.line("b/c d", origin: "unknown", repository: "-", commit: "-", source: "-")
        let manifest = try FixtureManifest("# comment\n\n\(Self.line("a/b"))\n\(unknown)\n")
        #expect(manifest.fixtures.map(\.path) == ["a/b", "b/c d"])
        #expect(manifest.fixtures.map(\.origin) == [.copy, .unknown])
        #expect(manifest.fixtures[0].size == 5 && manifest.fixtures[0].hash == Self.hash)
    }

    @Test(
        arguments: [
            line("/a"), line("a/../b"), line(""), line("a", size: "many"), line("a", size: "-1"),
            line("a", hash: "0a"), line("a", hash: String(hash.dropLast() + "x")), line("a", origin: "other"),
            line("a", repository: "-"), line("a", commit: "-"), line("a", commit: "main"), line("a", source: "-"),
            line("a") + "\tmore", "a\t5\t\(hash)\tderived\tMIT", line("a", source: ""),
        ])
    func `a malformed line is refused`(line: String) throws {
        let error = try #require(throws: FixtureError.self) { try FixtureManifest("# one\n\(line)\n") }
        guard case .malformed(line: 2, _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: [("b", "a"), ("a", "a"), ("b", "B")])
    func `a path out of order is refused`(first: String, second: String) throws {
        let text = "\(Self.line(first))\n\(Self.line(second))"
        let error = try #require(throws: FixtureError.self) { try FixtureManifest(text) }
        #expect("\(error)".contains("line 2: \"\(second)\" belongs before \"\(first)\""))
    }

    @Test func `a folder stands for what lies below it, and for nothing else`() throws {
        let manifest = try FixtureManifest(["a/b", "a/c", "ab"].map { Self.line($0) }.joined(separator: "\n"))
        #expect(try manifest.fixtures(at: "a").map(\.path) == ["a/b", "a/c"])
        #expect(try manifest.fixtures(at: "a/c").map(\.path) == ["a/c"])
        #expect(throws: FixtureError.unlisted("c")) { try manifest.fixtures(at: "c") }
        #expect(throws: FixtureError.unlisted("other")) { try Fixtures.url("other") }
    }

    @Test func `the stores of both folders are listed, with the models beside them`() throws {
        #expect(Fixtures.stores.count == 15)
        #expect(Fixtures.stores.contains("CoreDataPlus/SampleModel2_V1.sqlite"))
        #expect(try Fixtures.store("Moody/Moody.sqlite").path.hasSuffix("/stores/Moody/Moody.sqlite"))
        #expect(try Fixtures.store("CoreDataPlus/SampleModel2_V1.sqlite").path.contains("/more-stores/"))
        #expect(Fixtures.modelFile(besideStore: "Moody/Moody.sqlite")?.lastPathComponent == "Moody.xcdatamodel")
        #expect(Fixtures.modelFile(besideStore: "CoreDataPlus/SampleModel2_V1.sqlite") == nil)
        #expect(throws: FixtureError.unlisted("stores/None.sqlite")) { try Fixtures.store("None.sqlite") }
    }
}
