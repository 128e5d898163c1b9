extension Workload {
    /// W1, W5, W6, W9.
    static func writes(_ durability: Durability) -> [Workload] {
        let isFull = durability == .full
        let suffix = isFull ? "F" : ""
        let note = isFull ? ", synchronous=FULL" : ""
        return [
            Workload(
                id: "W1" + suffix, title: "insert N, one transaction" + note, template: .empty,
                durability: durability, unit: "row", operations: { $0.dataset.count }, target: isFull ? nil : 1.2,
                run: { try wrote($0.insert($1.dataset.people)) }),
            Workload(
                id: "W5" + suffix, title: "load N, change one attribute of 10 %, save" + note,
                durability: durability, unit: "loaded row", operations: { $0.dataset.count },
                target: isFull ? nil : 1.25,
                run: { peer, _ in try wrote(peer.loadAndAgeTenth()) }),
            Workload(
                id: "W6" + suffix, title: "delete 10 %, one transaction" + note,
                durability: durability, unit: "deleted row", operations: { $0.dataset.tenthIDs.count },
                target: isFull ? nil : 1.3,
                usesKeys: true,
                run: { try wrote($0.delete(ids: $1.dataset.tenthIDs)) }),
            Workload(
                id: "W9" + suffix, title: "2000 x (insert 1, commit)" + note,
                durability: durability, unit: "commit", operations: { $0.newPeople.count },
                baseline: "raw+bookkeeping", target: 1.0,
                run: { try wrote($0.insertSeparately($1.newPeople)) }),
        ]
    }

    /// W11: durable commits, one at a time from each of several tasks.
    static let groupCommits = [1, 4, 16, 64].map { tasks in
        Workload(
            id: "W11-\(tasks)", title: "2000 x (insert 1, commit) by \(tasks) tasks at once, synchronous=FULL",
            durability: .full, unit: "commit", operations: { $0.newPeople.count },
            baseline: "grdb-record", target: tasks == 16 ? 0.15 : nil,
            run: { peer, input in
                try peer.insertSeparately(input.newPeople, tasks: tasks)
                return .wrote(.peopleInAnyOrder)
            })
    }

    private static func wrote(_: Void) -> WorkloadOutcome { .wrote(.people) }
}
