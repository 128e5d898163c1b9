#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Each call for a file fails once, in everything that programs do with a store: the store is as before or after the
    /// attempt, the error has a public type, and the second attempt succeeds.
    @Suite struct `A failing call` {
        private static let kinds: [(fault: FileFault, times: Int)] = [
            (.inputOutputError, 1), (.inputOutputError, .max), (.diskFull, 1), (.diskFull, .max), (.short, 1),
            (.short, .max), (.tooManyOpenFiles, 1), (.tooManyOpenFiles, .max), (.delay(.milliseconds(1)), 1),
        ]

        /// Every how many calls one fails, unless it is one of the calls that always do.
        private static let stride =
            ProcessInfo.processInfo.environment["DATAMONK_FAULT_STRIDE"].flatMap { Int($0) } ?? 13

        @Test(arguments: FaultWorkload.all)
        func `leaves the store as before or after, and a context that can go on`(workload: FaultWorkload) throws {
            let trial = try FaultTrial(workload)
            var total = FaultTrial.Tally()
            for (fault, times) in Self.kinds {
                let isComplete =
                    ["save", "migration"].contains(workload.name) && fault == .inputOutputError && times == 1
                total += trial.run(fault, times: times, every: isComplete ? 1 : Self.stride)
            }
            print("Faults in \(workload.name): \(trial.calls.count) calls, \(total)")
            for problem in total.problems.prefix(20) { Issue.record("\(workload.name), \(problem)") }
            #expect(total.problems.isEmpty)
            #expect(total.points > 0 && total.reached > 0)
        }
    }
#endif
