#if Postgres
    import BenchMessages
    import DataMonk
    import Foundation

    /// **Value.** Commits of messages by another process.
    struct Correspondence: Codable, Sendable {
        var shop: Shop
        var count = 200

        /// Sends the messages.
        func run() async throws {
            let stack = try await shop.openStack()
            ChildProcess.reportReadiness()
            try await sendMessages(count, over: stack)
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
        let writer = try ChildProcess("correspondence", correspondence)
        try writer.waitUntilReady()
        let times = try await receiveMessages(correspondence.count, over: stack) { try writer.begin() }
        try await stack.closeStores()
        return times
    }
#endif
