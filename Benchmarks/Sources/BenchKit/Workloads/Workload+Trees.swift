import SystemSQLite

extension Workload {
    /// W23, W24.
    static let trees = [
        Workload(
            id: "W23", title: "fetch a tree of N, walk it from parents to children", template: .tree, unit: "node",
            operations: { $0.dataset.count }, baseline: "grdb-record",
            run: { peer, _ in
                try cold(peer) {
                    try peer.fetchTree()
                    return try peer.walkTree()
                }
            }),
        Workload(
            id: "W23w", title: "walk it again, same session (objects registered)", template: .tree, unit: "node",
            operations: { $0.dataset.count }, baseline: "grdb-record",
            warmUp: { peer, _ in
                try peer.fetchTree()
                _ = try peer.walkTree()
            },
            run: { peer, _ in .read(try peer.walkTree()) }),
        Workload(
            id: "W24", title: "walk a tree of N, let go of it, fetch a node", template: .tree, unit: "node",
            operations: { _ in 1 },
            figures: [
                Figure(id: "W24f", key: "fetch", title: "first fetch after a tree of N was let go of", unit: "ms"),
                Figure(
                    id: "W24g", key: "gap", title: "longest gap of a 1 ms heartbeat from then on, letting go included",
                    unit: "ms"),
                Figure(id: "W24m", key: "held", title: "heap held before that fetch", unit: "bytes/object"),
                Figure(id: "W24n", key: "heldAfter", title: "heap held after it", unit: "bytes/object"),
            ],
            isTimed: false,
            run: { peer, input in .measured(try letGo(peer, count: input.dataset.count)) }),
    ]

    /// Each of the steps is a turn of the main actor, with some time after it.
    @MainActor
    private static func letGo(_ peer: any Peer, count: Int) throws -> [String: Double] {
        let empty = mallinfo2().uordblks
        func held() -> Double { (Double(mallinfo2().uordblks) - Double(empty)) / Double(count) }
        try peer.fetchTree()
        _ = try peer.walkTree()
        var figures: [String: Double] = [:]
        var result = Result<Digest, any Error>.failure(NotDone())
        var beats = 0
        let pulse = Heart.beat {
            beats += 1
            switch beats {
            case 2: result = Result { try peer.dropTree() }.map { Digest() }
            case 100:
                figures["held"] = held()
                let start = now()
                result = result.flatMap { _ in Result { try peer.fetchFirstNode() } }
                figures["fetch"] = Double(now() - start) / 1e6
            default: break
            }
            return beats == 200
        }
        guard try result.get().rows == 1 else { throw BenchError("no node") }
        figures["gap"] = pulse.longestGap * 1e3
        figures["heldAfter"] = held()
        return figures
    }
}
