import Foundation

/// **Value.** The list of the fixtures.
package struct FixtureManifest: Sendable {
    /// The manifest of the project, read once.
    static let house = Result {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "manifest.tsv")
        return try FixtureManifest(String(contentsOf: file, encoding: .utf8))
    }

    /// Sorted by path.
    package let fixtures: [Fixture]

    /// Reads the text of a manifest. Lines that begin with `#` are comments.
    package init(_ text: String) throws(FixtureError) {
        var fixtures: [Fixture] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let fixture = try Fixture(line: line, number: index + 1)
            if let last = fixtures.last, !last.path.utf8.lexicographicallyPrecedes(fixture.path.utf8) {
                throw .malformed(line: index + 1, reason: "\"\(fixture.path)\" belongs before \"\(last.path)\".")
            }
            fixtures.append(fixture)
        }
        self.fixtures = fixtures
    }

    /// The fixture with a path, or those below the folder with that path.
    package func fixtures(at path: String) throws(FixtureError) -> [Fixture] {
        let found = fixtures.filter { $0.path == path || $0.path.hasPrefix(path + "/") }
        if found.isEmpty { throw .unlisted(path) }
        return found
    }
}
