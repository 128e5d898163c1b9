import BenchKit
import Foundation
import SystemSQLite

/// **Confined.** Runs the tests of a suite, DataMonk and GRDB in turn, each on a fresh copy of a file with the same rows.
struct SuiteRunner {
    let suite: Suite
    let count: Int
    let round: Int
    let directory: URL

    static let own = "datamonk"
    static let peer = "grdb"

    /// Does all the work twice, and keeps the second time. Of a suite that starts with empty files, the first time is a tenth.
    func run() async throws -> [Sample] {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try await runTests(count: suite.contents == .nothing ? max(1, count / 10) : count) { _ in }
        var samples: [Sample] = []
        try await runTests(count: count) { samples.append($0) }
        return samples
    }

    private func runTests(count: Int, _ keep: (Sample) -> Void) async throws {
        for test in suite.tests {
            let peers = round % 2 == 0 ? [Self.own, Self.peer] : [Self.peer, Self.own]
            for peer in peers { keep(try await measure(test, peer, count: max(1, count / test.reduction))) }
        }
    }

    private func measure(_ test: Test, _ peer: String, count: Int) async throws -> Sample {
        let url = directory.appendingPathComponent("suite.sqlite")
        SQLiteFile.remove(url.path)
        try SQLiteFile.copy(try template(peer, count: count).path, to: url.path)
        defer { SQLiteFile.remove(url.path) }
        // Consolidates the heap: free lists in the order in which another test has freed its objects slow the next one down.
        free(malloc(1 << 20))
        var stopwatch = Stopwatch()
        let digest: Digest?
        if peer == Self.own {
            let file = try DataMonkFile(url, durability: suite.durability)
            digest = try await stopwatch.time { try await test.dataMonk(file, count) }
            try file.close()
        } else {
            let file = try GRDBFile(url, durability: suite.durability)
            digest = try stopwatch.time { try test.grdb(file, count) }
            try file.close()
        }
        let figures = try digest.map { ["rows": Double($0.rows), "sum": Double($0.total)] } ?? figures(of: url, peer)
        return Sample(
            workload: suite.workload(test), peer: peer, count: count, round: round, operations: count,
            wall: stopwatch.wall, processor: stopwatch.processor, figures: figures)
    }

    /// The file with the rows that a test finds, which an earlier run may have left.
    private func template(_ peer: String, count: Int) throws -> URL {
        let url = directory.appendingPathComponent("suite-\(peer)-\(suite.contents)-\(count).sqlite")
        if FileManager.default.fileExists(atPath: url.path) { return url }
        let building = directory.appendingPathComponent("suite.building.sqlite")
        SQLiteFile.remove(building.path)
        if peer == Self.own {
            let file = try DataMonkFile(building, durability: .normal)
            try file.fill(suite.contents, count: count)
            try file.close()
        } else {
            let file = try GRDBFile(building, durability: .normal)
            try file.fill(suite.contents, count: count)
            try file.close()
        }
        try FileManager.default.moveItem(at: building, to: url)
        return url
    }

    /// Returns the number of the file's customers, and a digest of their values.
    private func figures(of url: URL, _ peer: String) throws -> [String: Double] {
        let file = try SQLiteFile(url.path)
        defer { file.close() }
        let customers = peer == Self.own ? DataMonkFile.customers : GRDBFile.customers
        func figure(_ expression: String) throws -> Double? {
            try file.text("SELECT \(expression) FROM (\(customers))").flatMap(Double.init)
        }
        return [
            "rows": try figure("count(*)") ?? 0,
            "sum": try figure("sum(id + 31 * (length(name) + length(details)))") ?? 0,
        ]
    }
}
