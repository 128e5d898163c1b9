import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Random sequences of changes, saves (some of which the store fails), rollbacks, undos and refreshes in three contexts over
/// one store, two of their own and a child, each step compared with a plain model of what every context must see. A
/// failure prints its seed and the fewest steps that still show it.
///
/// `DATAMONK_GRAPHS=20000` runs that many sequences of each store instead of the few that every run takes;
/// `DATAMONK_GRAPH_SEED=17` begins at that seed.
@Suite(.serialized) struct `Random graphs` {
    private static let environment = ProcessInfo.processInfo.environment

    private func seeds(_ usual: Int) -> Range<UInt64> {
        let first = Self.environment["DATAMONK_GRAPH_SEED"].flatMap(UInt64.init) ?? 0
        let count = Self.environment["DATAMONK_GRAPHS"].flatMap(UInt64.init) ?? UInt64(usual)
        return first..<first + count
    }

    @Test(arguments: StoreKind.allCases) func `contexts show what plain values say`(kind: StoreKind) throws {
        var failures = 0
        for seed in seeds(kind == .memory ? 300 : 200) where failures < 5 {
            let exploration = Exploration(steps: 50) { try GraphSimulation(GraphSetup(kind, seed: seed)) }
            if let failure = exploration.run(seeds: seed..<seed + 1) {
                Issue.record("\(GraphSetup(kind, seed: seed))\n\(failure)")
                failures += 1
            }
        }
    }
}
