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
            "Medians of \(rounds) rounds in turns. Ratios are to DataMonk's time: above 1, DataMonk is faster.",
            "",
            Print.line(["test", "by DataMonk", "DataMonk", "SQLAlchemy", "GRDB by hand"]),
            Print.rule(left: 2, right: 3),
        ]
        return (header + Suite.all.flatMap(rows)).joined(separator: "\n")
    }

    /// The tests whose peers have not done the same, with what each has read or left in its file.
    var mismatches: [String] {
        Dictionary(grouping: samples, by: \.workload).sorted { $0.key < $1.key }.compactMap { workload, samples in
            let figures = Set(samples.compactMap(\.figures))
            guard figures.count > 1 || Set(samples.map(\.count)).count > 1 else { return nil }
            let each = samples.map { "\($0.peer) \($0.count) \($0.figures ?? [:])" }
            return "MISMATCH \(workload): " + each.joined(separator: "; ")
        }
    }

    private func rows(_ suite: Suite) -> [String] {
        let rows = suite.tests.compactMap { row($0, of: suite) }
        if rows.isEmpty { return [] }
        let count = samples.first { $0.workload.hasPrefix(suite.name + " ") }?.count ?? suite.count
        return [Print.line(["**\(suite.name)**, n = \(count)", "", "", "", ""])] + rows
    }

    private func row(_ test: Test, of suite: Suite) -> String? {
        let workload = suite.workload(test)
        guard let time = medians.time(workload, SuiteRunner.own) else { return nil }
        func ratio(_ peer: String) -> String? { medians.ratio(workload, peer, to: SuiteRunner.own).map(Print.ratio) }
        return Print.line([
            test.name, test.way, Print.duration(time), Self.theirs.lazy.compactMap(ratio).first ?? "-",
            ratio(SuiteRunner.peer) ?? "-",
        ])
    }
}
