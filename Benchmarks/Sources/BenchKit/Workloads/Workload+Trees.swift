import SystemSQLite

extension Workload {
    /// W23, W24.
    static let trees = [
        Workload(
            id: "W23", title: "fetch a tree of N, walk it from parents to children", template: .tree, unit: "node",
            operations: { $0.dataset.count }, baseline: "grdb-record", target: 2.0,
            run: { peer, _ in
                try cold(peer) {
                    try peer.fetchTree()
                    return try peer.walkTree()
                }
            }),
        Workload(
            id: "W23w", title: "walk it again, same session (objects registered)", template: .tree, unit: "node",
            operations: { $0.dataset.count }, baseline: "grdb-record", target: 2.0,
            warmUp: { peer, _ in
                try peer.fetchTree()
                _ = try peer.walkTree()
            },
            run: { peer, _ in .read(try peer.walkTree()) }),
        Workload(
            id: "W24", title: "fetch a tree of N, walk it, let go of it, fetch a node", template: .tree, unit: "node",
            operations: { _ in 1 },
            figures: [
                Figure(
                    id: "W24f", key: "fetch", title: "first fetch in the turn that let go of N nodes", unit: "ms",
                    target: 4),
                Figure(
                    id: "W24s", key: "shown", title: "longest gap of a 1 ms heartbeat after N nodes were walked",
                    unit: "ms", target: 4),
                Figure(
                    id: "W24g", key: "gap", title: "the same from letting go of them until after the next fetch",
                    unit: "ms", target: 4),
                Figure(id: "W24m", key: "before", title: "heap held before that fetch", unit: "bytes/node"),
                Figure(
                    id: "W24n", key: "after", title: "heap held after fetches of a node in the next 4 s",
                    unit: "bytes/node", target: 20),
                Figure(
                    id: "W24h", key: "later", title: "longest gap of a 1 ms heartbeat between these", unit: "ms",
                    target: 4),
            ],
            isTimed: false,
            run: { peer, input in .measured(try letGo(peer, count: input.dataset.count)) }),
    ]

    /// First in one turn of the main actor, then with a tenth of a second of turns after each step.
    @MainActor
    private static func letGo(_ peer: any Peer, count: Int) throws -> [String: Double] {
        let empty = Double(mallinfo2().uordblks)
        func held() -> Double { (Double(mallinfo2().uordblks) - empty) / Double(count) }
        try show(peer)
        try peer.dropTree()
        let fetch = try milliseconds { try fetchNode(peer) }
        try peer.reset()

        try show(peer)
        let shown = longestGap()
        let drop = try milliseconds { try peer.dropTree() }
        let dropped = longestGap()
        let before = held()
        let laterFetch = try milliseconds { try fetchNode(peer) }
        let fetched = longestGap()
        var later = 0.0
        for _ in 0..<40 {
            try fetchNode(peer)
            later = max(later, longestGap())
        }
        return [
            "fetch": fetch, "shown": shown, "gap": [drop, dropped, laterFetch, fetched].reduce(0, max),
            "before": before, "after": held(), "later": later,
        ]
    }

    @MainActor
    private static func show(_ peer: any Peer) throws {
        try peer.fetchTree()
        _ = try peer.walkTree()
    }

    @MainActor
    private static func fetchNode(_ peer: any Peer) throws {
        guard try peer.fetchFirstNode().rows == 1 else { throw BenchError("no node") }
    }

    @MainActor
    private static func longestGap() -> Double { Heart.beat(seconds: 0.1).longestGap * 1e3 }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now()
        try body()
        return Double(now() - start) / 1e6
    }
}
