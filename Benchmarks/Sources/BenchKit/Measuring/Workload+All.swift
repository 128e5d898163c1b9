extension Workload {
    static let all = writes(.normal) + fetches + lookUps + traversals + writes(.full) + [concurrent]

    private static func writes(_ durability: Durability) -> [Workload] {
        let suffix = durability == .full ? "F" : ""
        let note = durability == .full ? ", synchronous=FULL" : ""
        return [
            Workload(
                id: "W1" + suffix, title: "insert N, one transaction" + note, template: .empty,
                durability: durability, unit: "row", operations: { $0.dataset.count },
                run: { try wrote($0.insert($1.dataset.people)) }),
            Workload(
                id: "W5" + suffix, title: "load N, change one attribute of 10 %, save" + note,
                durability: durability, unit: "loaded row", operations: { $0.dataset.count },
                run: { peer, _ in try wrote(peer.loadAndAgeTenth()) }),
            Workload(
                id: "W6" + suffix, title: "delete 10 %, one transaction" + note,
                durability: durability, unit: "deleted row", operations: { $0.dataset.tenthIDs.count },
                usesKeys: true,
                run: { try wrote($0.delete(ids: $1.dataset.tenthIDs)) }),
            Workload(
                id: "W9" + suffix, title: "2000 x (insert 1, commit)" + note,
                durability: durability, unit: "commit", operations: { $0.newPeople.count },
                run: { try wrote($0.insertSeparately($1.newPeople)) }),
        ]
    }

    private static let fetches = [
        Workload(
            id: "W2", title: "fetch all N, read every attribute", unit: "row", operations: { $0.dataset.count },
            run: { peer, _ in try cold(peer) { try peer.fetchAllPeople() } }),
        Workload(
            id: "W2w", title: "W2 again, same session (objects registered)", unit: "row",
            operations: { $0.dataset.count },
            warmUp: { peer, _ in _ = try peer.fetchAllPeople() },
            run: { peer, _ in .read(try peer.fetchAllPeople()) }),
        query("W3", "condition of 10 %, order, limit 100; no index", .full, times: 50),
        query("W3i", "the same with an index on (location, name)", .indexed, times: 1_000),
        Workload(
            id: "W4", title: "count, mean by group; x5", unit: "pass", operations: { _ in 5 },
            run: { peer, _ in .read(try last(of: 5) { try peer.aggregate(minimumAge: Dataset.queriedMinimumAge) }) }),
    ]

    private static func query(_ id: String, _ title: String, _ template: Template, times: Int) -> Workload {
        Workload(
            id: id, title: "\(title); x\(times)", template: template, unit: "query",
            operations: { $0.repetitions(times) },
            run: { peer, input in
                .read(
                    try last(of: input.repetitions(times)) {
                        try peer.fetchPeople(
                            minimumAge: Dataset.queriedMinimumAge, location: Dataset.queriedLocation, limit: 100)
                    })
            })
    }

    private static let lookUps = [
        Workload(
            id: "W7", title: "look up by key, N keys in random order, one session", unit: "lookup",
            operations: { $0.dataset.count }, usesKeys: true,
            run: { peer, input in try cold(peer) { try peer.lookUp(ids: input.dataset.shuffledIDs) } }),
        Workload(
            id: "W7w", title: "W7 again, same session (objects registered)", unit: "lookup",
            operations: { $0.dataset.count }, usesKeys: true,
            warmUp: { peer, input in _ = try peer.lookUp(ids: input.dataset.shuffledIDs) },
            run: { peer, input in .read(try peer.lookUp(ids: input.dataset.shuffledIDs)) }),
        Workload(
            id: "W7s", title: "look up by key, each its own store access", unit: "lookup",
            operations: { $0.dataset.count / 5 }, usesKeys: true,
            run: { peer, input in
                .read(try peer.lookUpSeparately(ids: Array(input.dataset.shuffledIDs.prefix(input.dataset.count / 5))))
            }),
    ]

    private static let traversals = [
        Workload(
            id: "W8", title: "N x employee.department.name, prefetched or joined", unit: "row",
            operations: { $0.dataset.count },
            run: { peer, _ in try cold(peer) { try peer.readDepartmentNames() } }),
        Workload(
            id: "W8L", title: "N x employee.department.name, found when read", unit: "row",
            operations: { $0.dataset.count },
            run: { peer, _ in try cold(peer) { try peer.readDepartmentNamesLazily() } }),
    ]

    static let concurrent = Workload(
        id: "W10", title: "1 writer of small commits, 1 reader of 100 rows", unit: "second", operations: { _ in 1 },
        usesKeys: true,
        run: { peer, input in
            .concurrent(
                try peer.readWhileWriting(
                    seconds: input.seconds, people: input.writerPeople, greatestID: Int64(input.dataset.count)))
        })

    private static func wrote(_: Void) -> WorkloadOutcome { .wrote }

    @MainActor
    private static func cold(_ peer: any Peer, _ body: () throws -> Digest) throws -> WorkloadOutcome {
        let digest = try body()
        try peer.reset()
        return .read(digest)
    }

    private static func last(of times: Int, _ body: () throws -> Digest) rethrows -> Digest {
        var digest = Digest()
        for _ in 0..<times { digest = try body() }
        return digest
    }
}
