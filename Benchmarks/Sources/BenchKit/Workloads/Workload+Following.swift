import Foundation

extension Workload {
    /// W12: what the main actor notices of an import that runs elsewhere, while it shows some of the people.
    static let imports = [
        imported("W12", "N changed by another in one commit", .changes, held: 1_000),
        imported("W12-0", "the same", .changes, held: 0),
        imported("W12-10000", "the same", .changes, held: 10_000),
        imported("W12n", "N more inserted by another, 1,000 a commit", .insertions, held: 1_000),
        imported("W12r", "N more imported as rows, 1,000 a commit, beside a list", .rows, held: 1_000),
    ]

    private static func imported(_ id: String, _ title: String, _ kind: ImportPlan.Kind, held: Int) -> Workload {
        let shown = "main shows \(held.formatted()): "
        return Workload(
            id: id, title: title, unit: "imported row", operations: { $0.dataset.count },
            figures: [
                Figure(
                    id: id + "g", key: "gap", title: shown + "longest gap of its 1 ms heartbeat", unit: "ms"),
                Figure(id: id + "i", key: "idle", title: shown + "the same before the import", unit: "ms"),
                Figure(
                    id: id + "o", key: "over", title: shown + "the difference", unit: "ms",
                    target: held == 1_000 ? 16 : nil),
                Figure(
                    id: id + "w", key: "work", title: shown + "most processor time of main between two beats",
                    unit: "ms"),
                Figure(id: id + "b", key: "busy", title: shown + "processor time of the main thread", unit: "ms"),
                Figure(id: id + "s", key: "seconds", title: shown + "the import itself", unit: "s"),
            ],
            isTimed: false,
            run: { peer, input in
                let people = kind == .changes ? [] : input.dataset.newPeople(count: input.dataset.count)
                return .measured(try peer.follow(ImportPlan(kind: kind, held: held, newPeople: people)).figures)
            })
    }

    /// W13.
    static let list = Workload(
        id: "W13", title: "10 changes in a list of N in sections: commit, and know what moved; x20", unit: "commit",
        operations: { $0.repetitions(20) }, usesKeys: true,
        warmUp: { peer, _ in try peer.openList() },
        run: { peer, input in
            let count = input.dataset.count
            for pass in 0..<input.repetitions(20) {
                let people = (0..<10).map { input.dataset.people[(pass * 7_919 + $0 * count / 10) % count] }
                let changed = try peer.changeList(people.map { $0.moved(pass) })
                guard changed == 10 else { throw BenchError("\(changed) differences for 10 changes") }
            }
            return .wrote(.people)
        })
}

extension PersonInput {
    /// The same person, elsewhere in the list.
    fileprivate func moved(_ pass: Int) -> PersonInput {
        var person = self
        person.location = location == Dataset.queriedLocation ? "Oslo" : Dataset.queriedLocation
        person.name += " the \(pass)th"
        return person
    }
}
