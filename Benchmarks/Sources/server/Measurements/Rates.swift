#if Postgres
    import Foundation

    /// Updates and groups a second, by processes and round trips.
    func measureRates(_ stage: Stage) async throws {
        printHead(
            "Commits by \(Load.tasks) tasks in each process, each of a counter of its own", "round trip", "processes",
            "updates/s", "groups/s", "updates in a group", "round trips a group", "errors")
        for roundTrip in Stage.roundTrips {
            for processes in [1, 3, 8] {
                let way = try stage.way(roundTrip: roundTrip)
                let shop = stage.shop(way)
                try await shop.fill(processes * Load.tasks)
                var (number, trips) = (0, 0)
                let count = try ChildProcess.run(
                    Load(shop: shop, kind: .own, seconds: stage.seconds), processes: processes
                ) {
                    number = try shop.lastNumber(stage.direct)
                    trips = way.proxy?.roundTripCount ?? 0
                }
                let groups = Double(max(1, try shop.lastNumber(stage.direct) - number))
                let inGroup = Double(count.made) / groups
                let tripCount = way.proxy.map { text(Double($0.roundTripCount - trips) / groups) }
                let rate = Double(count.inTime) / stage.seconds
                printRow(
                    name(ofTrip: roundTrip), "\(processes)", text(rate, digits: 0), text(rate / inGroup, digits: 0),
                    text(inGroup), tripCount ?? "", "\(count.errors.count)")
                for error in Set(count.errors).prefix(3) { print("<!-- \(error) -->") }
            }
        }
    }

    /// Updates of the same hundred counters by three processes.
    func measureSharedCounters(_ stage: Stage) async throws {
        let processes = 3
        printHead(
            "\(Load.sharedCounters) counters that \(processes) processes update, by \(Load.tasks) tasks each", "update",
            "updates/s", "updates in a group", "repeated", "errors", "acknowledged", "sum")
        for (kind, name) in [
            (Load.Kind.shared, "read, add, again after a conflict"), (.increments, "`incrementValue`"),
        ] {
            let shop = stage.shop(try stage.way(roundTrip: 0))
            try await shop.fill(Load.sharedCounters)
            var number = 0
            let count = try ChildProcess.run(
                Load(shop: shop, kind: kind, seconds: stage.seconds), processes: processes
            ) { number = try shop.lastNumber(stage.direct) }
            let groups = Double(max(1, try shop.lastNumber(stage.direct) - number))
            let made = count.made + count.early
            let sum = try shop.sum(stage.direct)
            printRow(
                name, text(Double(count.inTime) / stage.seconds, digits: 0), text(Double(count.made) / groups),
                "\(count.runs - count.made)", "\(count.errors.count)", "\(made)", "\(sum)")
            for error in Set(count.errors).prefix(3) { print("<!-- \(error) -->") }
            if sum != made || !count.errors.isEmpty { throw Failure("Updates have failed, or were lost.") }
        }
    }
#endif
