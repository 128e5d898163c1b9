import Foundation

/// **Value.** Medians, and ratios paired with the baseline round by round, as a Markdown table.
struct Report {
    private let samples: [Sample]
    private let baseline: String
    private let others: [String]

    /// The workloads that the baseline has done.
    init(_ all: [Sample], baseline: String, peers: [String]) {
        let workloads = Set(all.filter { $0.peer == baseline }.map(\.workload))
        let samples = all.filter { workloads.contains($0.workload) }
        self.samples = samples
        self.baseline = baseline
        others = peers.filter { name in name != baseline && samples.contains { $0.peer == name } }
    }

    func markdown(rounds: Int, count: Int) -> String {
        var lines = [
            "N = \(count), median of \(rounds) interleaved rounds; a ratio is the median over the rounds of",
            "peer / \(baseline) in the same round (wall; in brackets: processor time). Above 1 is slower.",
            "",
            "| | workload | \(baseline) | " + others.joined(separator: " | ") + " |",
            "|---|---|---:|" + others.map { _ in "---:|" }.joined(),
        ]
        for workload in Workload.all {
            let samples = samples.filter { $0.workload == workload.id }
            if samples.isEmpty { continue }
            if workload.id == Workload.concurrent.id {
                lines += concurrentRows(samples)
            } else {
                lines.append(row(of: workload, samples))
            }
            if workload.id == "W2w" { lines.append(heapRow(samples)) }
        }
        return lines.joined(separator: "\n")
    }

    private func row(of workload: Workload, _ samples: [Sample]) -> String {
        let cells = others.map { peer in
            let own = samples.filter { $0.peer == peer }
            if own.isEmpty { return "-" }
            if let wall = ratio(samples, peer, \.wall), let processor = ratio(samples, peer, \.processor) {
                return "\(format(wall)) (\(format(processor)))"
            }
            return absolute(own, workload)
        }
        return line([workload.id, workload.title, absolute(samples.filter { $0.peer == baseline }, workload)] + cells)
    }

    private func heapRow(_ samples: [Sample]) -> String {
        let cells = ([baseline] + others).map { peer in
            median(samples.filter { $0.peer == peer }.compactMap(\.heap)).map { String(Int($0.rounded())) } ?? "-"
        }
        return line(["W2m", "heap held after W2, bytes an object"] + cells)
    }

    private func concurrentRows(_ samples: [Sample]) -> [String] {
        func row(_ id: String, _ title: String, _ path: KeyPath<Sample, Double?>) -> String {
            func value(_ peer: String) -> Double? {
                median(samples.filter { $0.peer == peer }.compactMap { $0[keyPath: path] })
            }
            let base = value(baseline)
            let cells = others.map { peer in
                guard let own = value(peer) else { return "-" }
                return base.map { format($0 / own) } ?? "\(Int(own))/s"
            }
            return line([id, title, base.map { "\(Int($0))/s" } ?? "-"] + cells)
        }
        return [
            row("W10r", "1 writer, 1 reader: fetches of 100 rows a second", \.reads),
            row("W10w", "1 writer, 1 reader: commits a second", \.writes),
        ]
    }

    private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    private func absolute(_ samples: [Sample], _ workload: Workload) -> String {
        guard let each = median(samples.map { $0.wall / Double(max(1, $0.operations)) }) else { return "-" }
        return duration(each) + "/" + workload.unit
    }

    private func ratio(_ samples: [Sample], _ peer: String, _ path: KeyPath<Sample, Double>) -> Double? {
        var base: [Int: Double] = [:]
        for sample in samples where sample.peer == baseline {
            base[sample.round] = sample[keyPath: path] / Double(sample.operations)
        }
        let ratios = samples.lazy.filter { $0.peer == peer }.compactMap { sample in
            base[sample.round].flatMap { $0 > 0 ? sample[keyPath: path] / Double(sample.operations) / $0 : nil }
        }
        return median(Array(ratios))
    }

    private func median(_ values: [Double]) -> Double? {
        if values.isEmpty { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    private func format(_ ratio: Double) -> String { String(format: ratio >= 10 ? "%.1f" : "%.2f", ratio) }

    private func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<1e-6: String(format: "%.0f ns", seconds * 1e9)
        case ..<1e-3: String(format: "%.2f us", seconds * 1e6)
        case ..<1: String(format: "%.2f ms", seconds * 1e3)
        default: String(format: "%.2f s", seconds)
        }
    }
}
