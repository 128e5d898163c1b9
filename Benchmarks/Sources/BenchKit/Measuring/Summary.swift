import Foundation

/// **Value.** The project's table: DataMonk among its peers, against its targets, between two marks of a Markdown file.
struct Summary {
    private static let own = "datamonk"
    /// The columns, by peer.
    private static let columns = [
        ("grdb-record", "GRDB by hand"), ("grdb-codable", "GRDB Codable"), ("sqlalchemy", "SQLAlchemy"),
        ("lean", "lean"), (own, "**DataMonk**"),
    ]

    /// By number: W2 comes before W9.
    private static let workloads = Workload.all.enumerated().sorted {
        (number(of: $0.element), $0.offset) < (number(of: $1.element), $1.offset)
    }.map(\.element)

    /// The data set that most was measured with.
    private let count: Int
    private let medians: Medians
    /// The data sets of those that were measured with another one only.
    private let smaller: [Int: Medians]
    private let growth: Growth

    init(_ samples: [Sample]) {
        let byCount = Dictionary(grouping: samples, by: \.count)
        count = byCount.max { Set($0.value.map(\.workload)).count < Set($1.value.map(\.workload)).count }?.key ?? 0
        medians = Medians(byCount[count] ?? [])
        smaller = byCount.filter { [count] in $0.key < count }.mapValues(Medians.init)
        let scaled = byCount.filter { $0.value.contains { $0.peer == Self.own } }.values.flatMap(\.self)
        growth = Growth(scaled, peers: [Self.own])
    }

    func write(into path: String) throws { try Marks("figures").fill(path, with: markdown) }

    var markdown: String {
        (ratios + [""] + figures + [""] + scale).joined(separator: "\n")
    }

    private static func number(of workload: Workload) -> Int {
        Int(workload.id.dropFirst().prefix { $0.isNumber }) ?? 0
    }

    // MARK: Ratios

    private var ratios: [String] {
        let rows = Self.workloads.filter { medians.hasDone($0.id, Self.own) }.flatMap { workload in
            let time = workload.isTimed && workload.target != nil ? [ratioRow(workload)] : []
            return time + workload.figures.filter { $0.comparison == .rate }.map { rateRow($0, workload) }
        }
        return [
            "Ratios to the same work by SQLite's C API from Swift; N = \(count.formatted()).", "",
            Print.line(["", "workload"] + Self.columns.map(\.1) + ["target"]),
            Print.rule(left: 2, right: Self.columns.count + 1),
        ] + rows
    }

    private func ratioRow(_ workload: Workload) -> String {
        let cells = Self.columns.map { peer, _ in
            let ratio = medians(for: peer, workload).ratio(workload.id, peer, to: workload.baseline)
            return ratio.map(Print.ratio) ?? "-"
        }
        return Print.line([workload.id, title(workload)] + cells + [workload.target.map(Print.ratio) ?? ""])
    }

    private func rateRow(_ figure: Figure, _ workload: Workload) -> String {
        let cells = Self.columns.map { peer, _ in
            medians.rateRatio(figure, workload.id, peer, to: workload.baseline).map(Print.ratio) ?? "-"
        }
        return Print.line([figure.id, figure.title] + cells + [figure.target.map(Print.ratio) ?? ""])
    }

    /// A peer's own data set where it has not done the others'.
    private func medians(for peer: String, _ workload: Workload) -> Medians {
        if medians.hasDone(workload.id, peer) { return medians }
        return smaller.values.first { $0.hasDone(workload.id, peer) } ?? medians
    }

    private func title(_ workload: Workload) -> String {
        workload.baseline == "raw" ? workload.title : "\(workload.title); to \(workload.baseline)"
    }

    // MARK: Figures

    private var figures: [String] {
        let rows = Self.workloads.flatMap { workload in
            workload.figures.compactMap { figure -> String? in
                guard figure.comparison == .none, let target = figure.target,
                    let value = medians.value(figure, workload.id, Self.own)
                else { return nil }
                let title = workload.isTimed ? figure.title : "\(workload.title): \(figure.title)"
                return Print.line([figure.id, title, "\(Print.value(value)) \(figure.unit)", Print.value(target)])
            }
        }
        return [Print.line(["", "DataMonk alone", "", "target"]), Print.rule(left: 2, right: 2)] + rows
    }

    // MARK: Scale

    private var scale: [String] {
        let rows = Self.workloads.compactMap { workload -> String? in
            guard workload.isTimed, let own = growth.growth(workload, Self.own) else { return nil }
            let beyond = growth.growthBeyondBaseline(workload, Self.own).map(Print.ratio) ?? "-"
            return Print.line([workload.id, workload.title, Print.ratio(own), beyond, Print.ratio(Growth.target)])
        }
        guard growth.counts.count > 1, let first = growth.counts.first, let last = growth.counts.last, !rows.isEmpty
        else { return [] }
        let title = "an operation among \(last.formatted()) rows, by one among \(first.formatted())"
        return [
            Print.line(["", title, "", "beyond the C API's own growth", "target"]), Print.rule(left: 2, right: 3),
        ] + rows
    }
}
