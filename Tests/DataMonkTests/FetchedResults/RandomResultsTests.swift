#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Random changes here and elsewhere under lists of every kind: each change that is told makes of the snapshot before it
    /// the one after it, and what is shown is what a new fetch finds. A failure prints its seed and the fewest steps that
    /// still show it.
    ///
    /// `DATAMONK_RESULTS=20000` runs that many sequences of each store instead of the few that every run takes;
    /// `DATAMONK_RESULTS_SEED=17` begins at that seed.
    @Suite(.serialized) struct `Random fetched results` {
        private static let environment = ProcessInfo.processInfo.environment

        private func seeds(_ usual: Int) -> Range<UInt64> {
            let first = Self.environment["DATAMONK_RESULTS_SEED"].flatMap(UInt64.init) ?? 0
            let count = Self.environment["DATAMONK_RESULTS"].flatMap(UInt64.init) ?? UInt64(usual)
            return first..<first + count
        }

        @Test(arguments: StoreKind.allCases)
        func `every change leads from one snapshot to the next, and they are what a fetch finds`(kind: StoreKind) {
            let exploration = Exploration(steps: 60) { try ResultSimulation(kind) }
            if let failure = exploration.run(seeds: seeds(kind == .memory ? 125 : 25)) { Issue.record("\(failure)") }
        }
    }
#endif
