import BenchKit

/// **Value.** The times of all tests as a Markdown table.
struct SuiteReport {
    /// SQLAlchemy, with its own defaults or with those of the other two.
    private static let theirs = ["sqlalchemy", "sqlalchemy-wal"]

    private let samples: [Sample]
    private let medians: Medians

    init(_ samples: [Sample]) {
        self.samples = samples
        medians = Medians(samples)
    }

    var markdown: String {
        let rounds = Set(samples.map(\.round)).count
        let header = [
            "Medians of \(rounds) rounds in turns: DataMonk's time for each of the n, and ratios to it, in brackets of processor",
            "times. Above 1, DataMonk is faster.",
            "",
            Print.line(["test", "by DataMonk", "DataMonk", "SQLAlchemy", "GRDB by hand"]),
            Print.rule(left: 2, right: 3),
        ]
        return (header + Suite.all.flatMap(rows)).joined(separator: "\n")
    }

    /// The tests whose peers have not done the same, with what each has read or left in its file.
    var mismatches: [String] {
        let groups = Dictionary(grouping: samples) { "\($0.workload), n = \($0.count)" }
        return groups.sorted { $0.key < $1.key }.compactMap { name, samples in
            if Set(samples.compactMap(\.figures)).count <= 1 { return nil }
            let each = samples.map { "\($0.peer) \($0.figures ?? [:])" }
            return "MISMATCH \(name): " + each.joined(separator: "; ")
        }
    }

    private func rows(_ suite: Suite) -> [String] {
        let rows = suite.tests.compactMap { row($0, of: suite) }
        if rows.isEmpty { return [] }
        let count = samples.first { $0.workload == suite.tests.first.map(suite.workload) }?.count ?? suite.count
        return [Print.line(["**\(suite.name)**, n = \(count)", "", "", "", ""])] + rows
    }

    private func row(_ test: Test, of suite: Suite) -> String? {
        let workload = suite.workload(test)
        guard let time = medians.time(workload, SuiteRunner.own) else { return nil }
        func ratio(_ peer: String, _ path: KeyPath<Sample, Double> = \.wall) -> String {
            medians.ratio(workload, peer, to: SuiteRunner.own, path).map(Print.ratio) ?? "-"
        }
        // Their program tells the time alone.
        let theirs = Self.theirs.first { medians.ratio(workload, $0, to: SuiteRunner.own) != nil }
        return Print.line([
            test.name, test.way, Print.duration(time), theirs.map { ratio($0) } ?? "-",
            "\(ratio(SuiteRunner.peer)) (\(ratio(SuiteRunner.peer, \.processor)))",
        ])
    }
}
