import Foundation

extension Workload {
    /// W28.
    static let tags = [
        Workload(
            id: "W28", title: "articles with one of 3 tags, by name; x20", template: .tagged, unit: "query",
            operations: { $0.repetitions(20) }, baseline: "grdb-record", target: 1.2,
            run: { peer, input in
                let names = Tagging.tagNames(60, for: input.dataset.count)
                var digest = Digest()
                for pass in 0..<input.repetitions(20) {
                    let asked = (0..<3).map { names[(pass * 3 + $0) % names.count] }
                    digest.add(try peer.fetchArticles(taggedWithOneOf: asked))
                }
                return .read(digest)
            }),
        Workload(
            id: "W28p", title: "N / 5 articles and their 5 tags, prefetched or joined", template: .tagged,
            unit: "link",
            operations: { Tagging.articleCount(for: $0.dataset.count) * Tagging.tagsPerArticle },
            baseline: "grdb-record", target: 1.2,
            run: { peer, _ in try cold(peer) { try peer.readTags() } }),
    ]

    /// W29.
    static let orders = [
        Workload(
            id: "W29", title: "sort N employees in memory by department.name and salary", unit: "object",
            operations: { $0.dataset.count }, baseline: "grdb-record", target: 1.3,
            warmUp: { peer, _ in try peer.fetchStaff() },
            run: { peer, _ in .read(try peer.sortStaff()) }),
        Workload(
            id: "W29m", title: "median of N salaries by location; x5", unit: "pass", operations: { _ in 5 },
            baseline: "grdb-record", target: 1.2,
            run: { peer, _ in .read(try last(of: 5) { try peer.readMedianSalaries() }) }),
        Workload(
            id: "W29s", title: "sum and mean of N salaries by department.name; x5", unit: "pass",
            operations: { _ in 5 }, baseline: "grdb-record", target: 1.1,
            run: { peer, _ in .read(try last(of: 5) { try peer.readSalariesOfDepartments() }) }),
    ]

    /// W30.
    static let undoing = [2_500, 5_000, 10_000].map { count in
        Workload(
            id: "W30-\(count)", title: "undo \(count.formatted()) steps, one by one", unit: "step",
            operations: { $0.repetitions(count) }, baseline: "grdb-record",
            warmUp: { try $0.makeUndoSteps($1.repetitions(count)) },
            run: { peer, input in
                try peer.undoSteps(input.repetitions(count))
                return .measured([:])
            })
    }
}
