#if Postgres
    import DataMonk
    import Foundation

    /// Groups of updates by the store beside the same statements by libpq, in turns.
    func measureByHand(_ stage: Stage) async throws {
        printHead(
            "An update among \(Load.tasks) tasks, beside groups by libpq in one round trip (medians of rounds)",
            "round trip", "by the store", "updates in a group", "by libpq, groups of \(Load.tasks)", "ratio",
            "by libpq, groups as large as the store's", "ratio")
        for roundTrip in [0, 0.001] {
            let way = try stage.way(roundTrip: roundTrip)
            let (shop, other) = (stage.shop(way), stage.shop(way))
            try await shop.fill(Load.tasks)
            try await other.fill(Load.tasks)
            let writer = try HandWriter(other)
            var (store, large, equal) = ([Double](), [Double](), [Double]())
            var sizes: [Double] = []
            // The first round warms up.
            for round in 0...5 {
                var number = 0
                let count = try await Load(shop: shop, kind: .own, seconds: stage.seconds / 2).run {
                    number = try shop.lastNumber(stage.direct)
                }
                if let error = count.errors.first { throw Failure(error) }
                let size = Double(count.made) / Double(max(1, try shop.lastNumber(stage.direct) - number))
                let largeTime = try writer.secondsOfAnUpdate(inGroupsOf: Load.tasks, for: stage.seconds / 2)
                let equalTime = try writer.secondsOfAnUpdate(
                    inGroupsOf: max(1, Int(size.rounded())), for: stage.seconds / 2)
                if round == 0 { continue }
                store.append(stage.seconds / 2 / Double(max(1, count.inTime)))
                large.append(largeTime)
                equal.append(equalTime)
                sizes.append(size)
            }
            func ratio(to others: [Double]) -> String {
                text(zip(store, others).map { $0 / $1 }.quantile(0.5), digits: 2)
            }
            printRow(
                name(ofTrip: roundTrip), milliseconds(store.quantile(0.5)), text(sizes.quantile(0.5)),
                milliseconds(large.quantile(0.5)), ratio(to: large), milliseconds(equal.quantile(0.5)),
                ratio(to: equal))
        }
    }
#endif
