#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Random schedules of two updates: whatever they do at the same time, no reference is left without its other end.
    @Suite struct `Random schedules of references` {
        private static let environment = ProcessInfo.processInfo.environment

        @Test(arguments: IntegrityRun.Setting.allCases)
        func `no commit leaves a reference without its other end`(setting: IntegrityRun.Setting) throws {
            let asked = Self.environment["DATAMONK_INTEGRITY_SCHEDULES"].flatMap(Int.init)
            let first = Self.environment["DATAMONK_INTEGRITY_SEED"].flatMap(UInt64.init) ?? 1
            let count = asked.map { setting == .twoStacks ? $0 / 10 : $0 / 2 } ?? (setting == .memory ? 150 : 40)
            print("Schedules of references in \(setting): \(count) from seed \(first)")
            var (commits, refusals) = (0, 0)
            for seed in first..<first + UInt64(count) {
                var run = try IntegrityRun(setting, seed: seed)
                do {
                    try run.run(steps: 24)
                } catch {
                    Issue.record("\(setting), seed \(seed): \(error)")
                    return
                }
                (commits, refusals) = (commits + run.commits, refusals + run.refusals)
            }
            print("\(commits) commits, \(refusals) refused")
            #expect(commits > refusals && refusals > 0)
        }
    }
#endif
