import DataMonkFixtures
import Foundation
import Testing

/// Every observed fact has a test, or a decision that says why it has none.
@Suite(.requiresFixtures("conformance")) struct `Scenarios` {
    private struct Row: Decodable { let id: String? }

    /// The ids of the rows in the conformance file.
    private func rows() throws -> Set<String> {
        let text = try String(contentsOf: Fixtures.url("conformance/coredata-scenarios.jsonl"), encoding: .utf8)
        let rows = try text.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
        return Set(rows.compactMap(\.id))
    }

    /// The ids that tests are marked with, wherever they stand in this folder's target.
    private func tested() throws -> Set<String> {
        let target = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let paths = try #require(FileManager.default.enumerator(atPath: target.path))
        var ids: Set<String> = []
        for case let path as String in paths where path.hasSuffix(".swift") {
            let text = try String(contentsOf: target.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /\.scenario\("(scn\/[a-z]+\/[0-9]+)"\)/) { ids.insert(String(match.1)) }
        }
        return ids
    }

    @Test func `every observed fact has a test or a decision`() throws {
        let rows = try rows()
        #expect(rows.count == 88)
        let tested = try tested()
        let decided = Set(ScenarioDecisions.reasons.keys)
        #expect(rows.subtracting(tested).subtracting(decided).sorted() == [])
        #expect(tested.union(decided).subtracting(rows).sorted() == [])
        // A fact with a test is not decided away.
        #expect(decided.intersection(tested).sorted() == [])
    }
}
