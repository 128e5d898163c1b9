#if Postgres
    import DataMonk
    import Foundation

    /// Groups of updates by the store beside the same statements by libpq, in turns.
    func measureByHand(_ stage: Stage) async throws {
        printHead(
            "An update among \(Load.tasks) tasks, beside groups by libpq in one round trip (medians of rounds)",
            "round trip", "by the store", "updates in a group", "by libpq, groups as large", "ratio",
            "the same, prepared", "ratio", "prepared, groups of \(Load.tasks)", "ratio")
        for roundTrip in [0, 0.001] {
            let way = try stage.way(roundTrip: roundTrip)
            // Nobody else writes to the tables of one.
            let (shop, other, third) = (stage.shop(way), stage.shop(way), stage.shop(way))
            for shop in [shop, other, third] { try await shop.fill(Load.tasks) }
            let plain = try HandWriter(other, isPrepared: false)
            let prepared = try HandWriter(third, isPrepared: true)
            let seconds = stage.seconds / 2
            var store: [Double] = []
            var byHand: [[Double]] = [[], [], []]
            var sizes: [Double] = []
            // The first round warms up.
            for round in 0...5 {
                var number = 0
                let count = try await Load(shop: shop, kind: .own, seconds: seconds).run {
                    number = try shop.lastNumber(stage.direct)
                }
                if let error = count.errors.first { throw Failure(error) }
                let size = Double(count.made) / Double(max(1, try shop.lastNumber(stage.direct) - number))
                let equal = max(1, Int(size.rounded()))
                let times = [
                    try plain.secondsOfAnUpdate(inGroupsOf: equal, for: seconds),
                    try prepared.secondsOfAnUpdate(inGroupsOf: equal, for: seconds),
                    try prepared.secondsOfAnUpdate(inGroupsOf: Load.tasks, for: seconds),
                ]
                if round == 0 { continue }
                store.append(seconds / Double(max(1, count.inTime)))
                for (index, time) in times.enumerated() { byHand[index].append(time) }
                sizes.append(size)
            }
            func ratio(to others: [Double]) -> String {
                text(zip(store, others).map { $0 / $1 }.quantile(0.5), digits: 2)
            }
            let medians = byHand.map { milliseconds($0.quantile(0.5)) }
            let ratios = byHand.map(ratio)
            printRow(
                name(ofTrip: roundTrip), milliseconds(store.quantile(0.5)), text(sizes.quantile(0.5)), medians[0],
                ratios[0], medians[1], ratios[1], medians[2], ratios[2])
        }
    }
#endif
