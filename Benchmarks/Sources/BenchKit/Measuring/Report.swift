/// **Value.** One baseline's table: its absolute figures, and everybody's ratio to them, as Markdown.
struct Report {
    private let medians: Medians
    private let baseline: String
    private let others: [String]
    private let workloads: [Workload]
    private let rounds: Int

    /// - Parameter showsOthers: whether workloads that the baseline has not done are shown, by absolute figures.
    init(_ samples: [Sample], baseline: String, peers: [String], showsOthers: Bool) {
        let medians = Medians(samples)
        let others = peers.filter { $0 != baseline && medians.peers.contains($0) }
        let workloads = Workload.all.filter { workload in
            medians.hasDone(workload.id, baseline)
                || (showsOthers && others.contains { medians.hasDone(workload.id, $0) })
        }
        self.others = others.filter { peer in workloads.contains { medians.hasDone($0.id, peer) } }
        self.workloads = workloads
        self.medians = medians
        self.baseline = baseline
        rounds = Set(samples.map(\.round)).count
    }

    var isEmpty: Bool { workloads.isEmpty }

    func markdown(count: Int) -> String {
        let header = [
            "N = \(count), median of \(rounds) interleaved rounds; a ratio is the median over the rounds of",
            "peer / \(baseline) in the same round (wall; in brackets: processor time). Above 1 is slower.",
            "",
            Print.line(["", "workload", baseline] + others), Print.rule(left: 2, right: others.count + 1),
        ]
        return (header + workloads.flatMap(rows)).joined(separator: "\n")
    }

    private func rows(_ workload: Workload) -> [String] {
        let time = workload.isTimed ? [timeRow(workload)] : []
        return time + workload.figures.map { figureRow($0, workload) }
    }

    private func timeRow(_ workload: Workload) -> String {
        let cells = others.map { peer in
            guard let wall = medians.ratio(workload.id, peer, to: baseline),
                let processor = medians.ratio(workload.id, peer, to: baseline, \.processor)
            else { return absolute(workload, peer) }
            return "\(Print.ratio(wall)) (\(Print.ratio(processor)))"
        }
        return Print.line([workload.id, workload.title, absolute(workload, baseline)] + cells)
    }

    private func figureRow(_ figure: Figure, _ workload: Workload) -> String {
        func own(_ peer: String) -> String { medians.value(figure, workload.id, peer).map(Print.value) ?? "-" }
        let cells = others.map { peer in
            switch figure.comparison {
            case .none: own(peer)
            case .rate:
                medians.rateRatio(figure, workload.id, peer, to: baseline).map(Print.ratio) ?? own(peer)
            }
        }
        return Print.line([figure.id, "\(figure.title), \(figure.unit)", own(baseline)] + cells)
    }

    private func absolute(_ workload: Workload, _ peer: String) -> String {
        medians.time(workload.id, peer).map { Print.duration($0) + "/" + workload.unit } ?? "-"
    }
}
