#if Postgres
    import Foundation

    /// The seed of random tests: `DATAMONK_POSTGRES_SEED`, else 1.
    let testSeed = number("DATAMONK_POSTGRES_SEED") ?? 1

    /// The factor by which random tests run longer: `DATAMONK_POSTGRES_EFFORT`, else 1.
    let testEffort = number("DATAMONK_POSTGRES_EFFORT").map(Int.init) ?? 1

    /// A deadline that no test reaches, however slow the machine is.
    var farDeadline: ContinuousClock.Instant { .now + .seconds(3_600) }

    private func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }
#endif
