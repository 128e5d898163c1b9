#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Random schedules of two updates: whatever they do at the same time, no reference is left without its other end.
    @Suite struct `Random schedules of references` {
        private static let environment = ProcessInfo.processInfo.environment
        /// How many schedules may fail before the others are left.
        private static let failureLimit = environment["DATAMONK_INTEGRITY_FAILURES"].flatMap(Int.init) ?? 1

        @Test(arguments: IntegrityRun.Setting.allCases)
        func `no commit leaves a reference without its other end`(setting: IntegrityRun.Setting) throws {
            let asked = Self.environment["DATAMONK_INTEGRITY_SCHEDULES"].flatMap(Int.init)
            let first = Self.environment["DATAMONK_INTEGRITY_SEED"].flatMap(UInt64.init) ?? 1
            let count =
                asked.map { setting == .twoStacks ? max(1, $0 / 10) : $0 / 2 } ?? (setting == .memory ? 150 : 40)
            print("Schedules of references in \(setting): \(count) from seed \(first)")
            var (commits, refusals, failures) = (0, 0, 0)
            var tally: [String: Int] = [:]
            for seed in first..<first + UInt64(count) {
                var run = try IntegrityRun(setting, seed: seed)
                do {
                    try run.run(steps: 24)
                } catch {
                    Issue.record("\(setting), seed \(seed): \(error)")
                    failures += 1
                    if failures == Self.failureLimit { return }
                }
                (commits, refusals) = (commits + run.commits, refusals + run.refusals)
                tally.merge(run.tally, uniquingKeysWith: +)
            }
            print("\(setting): \(commits) commits, \(refusals) refused")
            if asked != nil {
                for (kind, count) in tally.sorted(by: { $0.key < $1.key }) { print("\(setting): \(count) \(kind)") }
            }
            #expect(commits > refusals && refusals > 0)
            // Each kind of change, child contexts, undo, and commits in one transaction.
            if count > 100 {
                let kinds =
                    IntegrityRun.Change.allCases.map(\.rawValue) + ["child's save", "undo", "redo", "fetch"]
                    + (setting == .twoStacks ? [] : ["saved together"])
                for kind in kinds { #expect(tally[kind, default: 0] > 0, "\(kind)") }
            }
        }
    }
#endif
