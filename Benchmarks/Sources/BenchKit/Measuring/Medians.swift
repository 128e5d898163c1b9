import Foundation

/// **Value.** What the samples of one data set come to: medians over the rounds, and ratios paired round by round.
package struct Medians {
    private let samples: [String: [Sample]]
    /// Who has done anything.
    let peers: Set<String>

    package init(_ samples: [Sample]) {
        self.samples = Dictionary(grouping: samples) { Self.key($0.workload, $0.peer) }
        peers = Set(samples.map(\.peer))
    }

    private static func key(_ workload: String, _ peer: String) -> String { workload + " " + peer }

    private func samples(_ workload: String, _ peer: String) -> [Sample] { samples[Self.key(workload, peer)] ?? [] }

    func hasDone(_ workload: String, _ peer: String) -> Bool { !samples(workload, peer).isEmpty }

    package func rounds(_ workload: String, _ peer: String) -> Int { samples(workload, peer).count }

    /// Seconds an operation.
    package func time(_ workload: String, _ peer: String) -> Double? {
        Self.median(samples(workload, peer).map { $0.wall / Double(max(1, $0.operations)) })
    }

    /// How many times the baseline's time an operation takes.
    package func ratio(
        _ workload: String, _ peer: String, to baseline: String, _ path: KeyPath<Sample, Double> = \.wall
    ) -> Double? {
        func each(_ sample: Sample) -> Double { sample[keyPath: path] / Double(max(1, sample.operations)) }
        let base = Dictionary(
            samples(workload, baseline).map { ($0.round, each($0)) }, uniquingKeysWith: { first, _ in first })
        return Self.median(
            samples(workload, peer).compactMap { sample in
                base[sample.round].flatMap { $0 > 0 ? each(sample) / $0 : nil }
            })
    }

    /// What a workload measures beside its time.
    func value(_ figure: Figure, _ workload: String, _ peer: String) -> Double? {
        Self.median(samples(workload, peer).compactMap { $0.figures?[figure.key] })
    }

    /// How many times the baseline's rate stands against the peer's: above 1 is slower.
    func rateRatio(_ figure: Figure, _ workload: String, _ peer: String, to baseline: String) -> Double? {
        guard let own = value(figure, workload, peer), let base = value(figure, workload, baseline) else { return nil }
        return own > 0 ? base / own : nil
    }

    private static func median(_ values: [Double]) -> Double? {
        if values.isEmpty { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// Numbers as the tables print them.
package enum Print {
    package static func ratio(_ ratio: Double) -> String { String(format: ratio >= 10 ? "%.1f" : "%.2f", ratio) }

    static func value(_ value: Double) -> String {
        String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
    }

    package static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<1e-6: String(format: "%.0f ns", seconds * 1e9)
        case ..<1e-3: String(format: "%.2f us", seconds * 1e6)
        case ..<1: String(format: "%.2f ms", seconds * 1e3)
        default: String(format: "%.2f s", seconds)
        }
    }

    /// A row of a Markdown table.
    package static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    /// The row under the header: the first columns to the left, the others to the right.
    package static func rule(left: Int, right: Int) -> String {
        "|" + String(repeating: "---|", count: left) + String(repeating: "---:|", count: right)
    }
}
