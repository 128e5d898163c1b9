#if Postgres
    import DataMonk
    import Foundation

    /// **Value.** Commits of messages by another process.
    struct Correspondence: Codable, Sendable {
        var shop: Shop
        var count = 200

        /// Commits messages, each after a pause of another length.
        func run() async throws {
            let stack = try await shop.openStack()
            let context = try Context(stack: stack)
            ChildProcess.reportReadiness()
            for number in 0..<count {
                // The other process is idle again, and at another point between two of its looks.
                try await Task.sleep(for: .milliseconds(5 + number * 37 % 190))
                try await context.update { update in
                    try update.create(Message.self).sentAt = monotonicTime()
                    try update.commit()
                }
            }
            try await stack.closeStores()
        }
    }

    /// The time from the beginning of another process's commit until a list of this process, which is otherwise idle, shows it.
    @MainActor func measureStaleness(_ stage: Stage) async throws {
        printHead(
            "From another process's commit to a list, the commit included", "round trip", "told by", "commits",
            "median",
            "p99", "longest")
        typealias Case = (roundTrip: Double, listens: Bool, pollInterval: Double)
        let cases: [Case] = [(0, true, 1), (0.001, true, 1), (0.005, true, 1), (0, false, 1), (0, false, 0.05)]
        for (roundTrip, listens, pollInterval) in cases {
            let way = try stage.way(roundTrip: roundTrip)
            var shop = stage.shop(way)
            (shop.listens, shop.pollInterval) = (listens, pollInterval)
            let times = try await delays(of: Correspondence(shop: shop))
            printRow(
                name(ofTrip: roundTrip), listens ? "the server" : "a look every \(text(pollInterval, digits: 2)) s",
                "\(times.count)", milliseconds(times.quantile(0.5)), milliseconds(times.quantile(0.99)),
                milliseconds(times.max() ?? 0))
        }
    }

    @MainActor private func delays(of correspondence: Correspondence) async throws -> [Double] {
        let stack = try await correspondence.shop.openStack()
        let World = try MainContext(stack: stack)
        let messages = try World.fetchedResults(Message.self, orderBy: .Ascending("sentAt"))
        var changes = messages.changes.makeAsyncIterator()
        let writer = try ChildProcess("correspondence", correspondence)
        try writer.waitUntilReady()
        try writer.begin()
        var times: [Double] = []
        while times.count < correspondence.count, await changes.next() != nil {
            let now = monotonicTime()
            times += messages.objects[times.count...].map { now - $0.sentAt }
        }
        try await stack.closeStores()
        return times
    }
#endif
