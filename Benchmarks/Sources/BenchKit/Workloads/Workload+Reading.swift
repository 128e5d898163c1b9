extension Workload {
    /// W2, W3, W4.
    static let fetches = [
        Workload(
            id: "W2", title: "fetch all N, read every attribute", unit: "row", operations: { $0.dataset.count },
            target: 1.1,
            run: { peer, _ in try cold(peer) { try peer.fetchAllPeople() } }),
        Workload(
            id: "W2w", title: "W2 again, same session (objects registered)", unit: "row",
            operations: { $0.dataset.count }, target: 1.1,
            figures: [
                Figure(id: "W2m", key: Sample.heap, title: "heap held after W2", unit: "bytes/object", target: 230)
            ],
            warmUp: { peer, _ in _ = try peer.fetchAllPeople() },
            run: { peer, _ in .read(try peer.fetchAllPeople()) }),
        query("W3", "condition of 10 %, order, limit 100; no index", .full, times: 50),
        query("W3i", "the same with an index on (location, name)", .indexed, times: 1_000),
        Workload(
            id: "W4", title: "count, mean by group; x5", unit: "pass", operations: { _ in 5 }, target: 1.0,
            run: { peer, _ in .read(try last(of: 5) { try peer.aggregate(minimumAge: Dataset.queriedMinimumAge) }) }),
    ]

    private static func query(_ id: String, _ title: String, _ template: Template, times: Int) -> Workload {
        Workload(
            id: id, title: "\(title); x\(times)", template: template, unit: "query",
            operations: { $0.repetitions(times) }, target: 1.0,
            run: { peer, input in
                .read(
                    try last(of: input.repetitions(times)) {
                        try peer.fetchPeople(
                            minimumAge: Dataset.queriedMinimumAge, location: Dataset.queriedLocation, limit: 100)
                    })
            })
    }

    /// W7.
    static let lookUps = [
        Workload(
            id: "W7", title: "look up by key, N keys in random order, one session", unit: "lookup",
            operations: { $0.dataset.count }, target: 0.9, usesKeys: true,
            run: { peer, input in try cold(peer) { try peer.lookUp(ids: input.dataset.shuffledIDs) } }),
        Workload(
            id: "W7w", title: "W7 again, same session (objects registered)", unit: "lookup",
            operations: { $0.dataset.count }, target: 0.12, usesKeys: true,
            warmUp: { peer, input in _ = try peer.lookUp(ids: input.dataset.shuffledIDs) },
            run: { peer, input in .read(try peer.lookUp(ids: input.dataset.shuffledIDs)) }),
        Workload(
            id: "W7s", title: "look up by key, each its own store access", unit: "lookup",
            operations: { $0.dataset.count / 5 }, usesKeys: true,
            run: { peer, input in
                .read(try peer.lookUpSeparately(ids: Array(input.dataset.shuffledIDs.prefix(input.dataset.count / 5))))
            }),
    ]

    /// W8.
    static let traversals = [
        Workload(
            id: "W8", title: "N x employee.department.name, prefetched or joined", unit: "row",
            operations: { $0.dataset.count }, target: 1.1,
            run: { peer, _ in try cold(peer) { try peer.readDepartmentNames() } }),
        Workload(
            id: "W8L", title: "N x employee.department.name, found when read", unit: "row",
            operations: { $0.dataset.count }, target: 1.8,
            run: { peer, _ in try cold(peer) { try peer.readDepartmentNamesLazily() } }),
    ]

    /// W10.
    static let sideBySide = Workload(
        id: "W10", title: "1 writer of small commits, 1 reader of 100 rows", unit: "second", operations: { _ in 1 },
        figures: [
            Figure(
                id: "W10r", key: "reads", title: "1 writer, 1 reader: fetches of 100 rows", unit: "/s",
                comparison: .rate, target: 1.2),
            Figure(
                id: "W10w", key: "writes", title: "1 writer, 1 reader: commits", unit: "/s", comparison: .rate,
                target: 1.2),
        ],
        isTimed: false, usesKeys: true,
        run: { peer, input in
            let result = try peer.readWhileWriting(
                seconds: input.seconds, people: input.writerPeople, greatestID: Int64(input.dataset.count))
            return .measured([
                "reads": Double(result.reads) / result.seconds, "writes": Double(result.writes) / result.seconds,
            ])
        })

    @MainActor
    static func cold(_ peer: any Peer, _ body: () throws -> Digest) throws -> WorkloadOutcome {
        let digest = try body()
        try peer.reset()
        return .read(digest)
    }

    static func last(of times: Int, _ body: () throws -> Digest) rethrows -> Digest {
        var digest = Digest()
        for _ in 0..<times { digest = try body() }
        return digest
    }
}
