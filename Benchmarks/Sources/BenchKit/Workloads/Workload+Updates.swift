import Foundation

/// Large updates, and many of them at once.
extension Workload {
    /// W20, W21.
    static let largeUpdates =
        [100, 1_000, 4_000].map { count in
            Workload(
                id: "W20-\(count)", title: "find by name or create \(count.formatted()), one transaction",
                template: .named, unit: "call", operations: { $0.repetitions(count) }, baseline: "grdb-record",
                target: 1.0,
                run: { peer, input in
                    try peer.findOrCreate(Array(input.importedPeople.prefix(input.repetitions(count))))
                    return .wrote(.people)
                })
        } + [
            Workload(
                id: "W21", title: "200 fetches on an index, after 1,000 objects were changed and not committed",
                unit: "query", operations: { $0.repetitions(200) }, baseline: "grdb-record", target: 1.0,
                usesKeys: true,
                run: { peer, input in
                    let ids = input.dataset.shuffledIDs
                    let friendIDs = Array(ids.suffix(input.repetitions(200)))
                    let changed = Array(ids.prefix(input.repetitions(1_000)))
                    let (digest, stopwatch) = try peer.fetchPeople(friendIDs: friendIDs, afterChanging: changed)
                    return .timed(digest, stopwatch)
                })
        ]

    /// W22: small commits of more tasks than can run.
    static let waitingUpdates = [8, 64, 256, 1_024].flatMap { tasks in
        [
            waiting("W22-\(tasks)", tasks: tasks, "at once") { try $0.insertSeparately($1, tasks: tasks) },
            waiting("W22s-\(tasks)", tasks: tasks, "in the order of the calls") {
                try $0.insertSerially($1, tasks: tasks)
            },
        ]
    }

    private static func waiting(
        _ id: String, tasks: Int, _ order: String,
        _ insert: @escaping @MainActor @Sendable (any Peer, [PersonInput]) throws -> Void
    ) -> Workload {
        Workload(
            id: id, title: "4,000 x (insert 1, commit) by \(tasks.formatted()) tasks, \(order)", unit: "commit",
            operations: { $0.furtherPeople.count }, baseline: "grdb-record",
            run: { peer, input in
                try insert(peer, input.furtherPeople)
                return .wrote(.peopleInAnyOrder)
            })
    }

    /// W25.
    static let deletions = [
        Workload(
            id: "W25", title: "delete the root of a tree of N, cascade", template: .tree, unit: "deleted row",
            operations: { $0.dataset.count }, baseline: "grdb-record", target: 1.5,
            run: { peer, _ in
                try peer.deleteTree()
                return .wrote(.nodes)
            }),
        Workload(
            id: "W25d", title: "delete all that meet a condition of 80 %", unit: "deleted row",
            operations: { $0.dataset.count * 4 / 5 }, baseline: "grdb-record", target: 1.5,
            run: { peer, _ in
                try peer.deletePeople(below: 80)
                return .wrote(.people)
            }),
        Workload(
            id: "W25t", title: "20 x (remove a tag from its 200 articles, commit)", template: .tagged, unit: "tag",
            operations: { Tagging.tagNames(20, for: $0.dataset.count).count }, baseline: "grdb-record", target: 1.5,
            run: { peer, input in
                try peer.removeTags(named: Tagging.tagNames(20, for: input.dataset.count))
                return .wrote(.taggings)
            }),
    ]
}
