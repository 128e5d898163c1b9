#if Postgres
    import DataMonk
    import Foundation

    /// The round trips of a fetch and of a commit, and the time of each beside that of one statement.
    func measureRoundTrips(_ stage: Stage) async throws {
        printHead(
            "Round trips, one call at a time", "round trip", "one statement", "a fetch", "round trips",
            "a save of a change", "round trips", "of an insertion", "round trips", "an opening", "round trips")
        for roundTrip in Stage.roundTrips {
            let way = try stage.way(roundTrip: roundTrip)
            let shop = stage.shop(way)
            try await shop.fill(100)
            let opening = try await measured(way, times: 20) { _ in try await shop.openStack().closeStores() }
            let stack = try await shop.openStack()
            let context = try Context(stack: stack)
            let saving = ManagedObjectContext(coordinator: stack.coordinator)
            let counters = try saving.fetch(FetchRequest(entityName: "Counter")).compactMap { $0 as? Counter }
            let connection = try LibpqConnection(way.url)
            let statement = try await measured(way) { _ in try connection.column("SELECT 1") }
            let fetch = try await measured(way) { round in
                _ = try await context.read { try $0.fetch(Counter.self, %"number" == round).value }
            }
            let update = try await measured(way) { round in
                counters[round].value += 1
                try saving.save()
            }
            let insertion = try await measured(way) { round in
                try saving.insert(Counter.self).number = 1_000 + round
                try saving.save()
            }
            printRow(
                name(ofTrip: roundTrip), statement.time, fetch.time, fetch.trips, update.time, update.trips,
                insertion.time, insertion.trips, opening.time, opening.trips)
            try await stack.closeStores()
        }
    }

    /// Runs a closure with numbers from 0, of which the first ten warm up. Returns the median of its times, and its round
    /// trips.
    private func measured(
        _ way: Way, times count: Int = 90, _ body: (Int) async throws -> Void
    ) async throws -> (time: String, trips: String) {
        for round in 0..<10 { try await body(round) }
        let trips = way.proxy?.roundTripCount ?? 0
        var round = 9
        let times = try await times(count) {
            round += 1
            try await body(round)
        }
        let tripCount = way.proxy.map { text(Double($0.roundTripCount - trips) / Double(count)) }
        return (milliseconds(times.quantile(0.5)), tripCount ?? "")
    }
#endif
