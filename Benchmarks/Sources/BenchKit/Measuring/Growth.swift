import Foundation

/// **Value.** What one operation costs by the number of rows, as a Markdown table: a peer that scales has 1 everywhere, or
/// grows as `raw` does.
struct Growth {
    private static let baseline = "raw"
    /// How much DataMonk's operation may grow beyond `raw`'s.
    static let target = 1.3

    let counts: [Int]
    private let medians: [Int: Medians]
    private let peers: [String]

    init(_ samples: [Sample], peers: [String]) {
        counts = Set(samples.map(\.count)).sorted()
        medians = Dictionary(grouping: samples, by: \.count).mapValues(Medians.init)
        self.peers = peers
    }

    var markdown: String {
        let header = [
            "What an operation costs by the number of rows; growth against the fewest, and beyond raw's own growth.",
            "",
            Print.line(["", "peer"] + counts.map { $0.formatted() } + ["growth", "beyond raw's"]),
            Print.rule(left: 2, right: counts.count + 2),
        ]
        let rows = Workload.all.flatMap { workload in
            (workload.isTimed ? peers.compactMap { timeRow(workload, $0) } : [])
                + workload.figures.flatMap { figure in peers.compactMap { figureRow(figure, workload, $0) } }
        }
        return (header + rows).joined(separator: "\n")
    }

    /// How many times the cost with the fewest rows the operation has with the most; nil for one that was not measured at
    /// each number.
    func growth(_ workload: Workload, _ peer: String) -> Double? {
        let times = counts.compactMap { medians[$0]?.time(workload.id, peer) }
        guard times.count == counts.count, let first = times.first, let last = times.last else { return nil }
        return last / first
    }

    /// The same beyond the baseline's.
    func growthBeyondBaseline(_ workload: Workload, _ peer: String) -> Double? {
        guard let own = growth(workload, peer), let base = growth(workload, Self.baseline) else { return nil }
        return own / base
    }

    private func timeRow(_ workload: Workload, _ peer: String) -> String? {
        guard let growth = growth(workload, peer) else { return nil }
        let times = counts.map { medians[$0]?.time(workload.id, peer).map(Print.duration) ?? "-" }
        let beyond = growthBeyondBaseline(workload, peer).map(Print.ratio) ?? "-"
        return Print.line([workload.id, peer] + times + [Print.ratio(growth), beyond])
    }

    private func figureRow(_ figure: Figure, _ workload: Workload, _ peer: String) -> String? {
        let values = counts.compactMap { medians[$0]?.value(figure, workload.id, peer) }
        guard values.count == counts.count, let first = values.first, let last = values.last, first > 0 else {
            return nil
        }
        return Print.line([figure.id, peer] + values.map(Print.value) + [Print.ratio(last / first), "-"])
    }
}
