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

        /// Every how many calls one fails. In saves and migrations, more do.
        private static let stride =
            ProcessInfo.processInfo.environment["DATAMONK_FAULT_STRIDE"].flatMap { Int($0) } ?? 46

        @Test(arguments: FaultWorkload.all)
        func `leaves the store as before or after, and a context that can go on`(workload: FaultWorkload) throws {
            let trial = try FaultTrial(workload)
            var total = FaultTrial.Tally()
            for (fault, times) in Self.kinds {
                let tally = trial.run(fault, times: times, every: stride(of: workload, trial.calls.count))
                if case .delay = fault { #expect(tally.thrown == 0, "A slow call is no failed one.") }
                total += tally
            }
            print("Faults in \(workload.name): \(trial.calls.count) calls, \(total)")
            trial.record(total)
            #expect(total.points > 0 && total.reached > 0)
        }

        private func stride(of workload: FaultWorkload, _ calls: Int) -> Int {
            if Self.stride == 1 { return 1 }
            if ["save", "migration"].contains(workload.name) { return 4 }
            return calls > 1_000 ? 5 * Self.stride : Self.stride
        }

        /// The way back from a failed sync of the log leads over another connection, and writes the log anew.
        @Test(arguments: [FaultWorkload.save, .externalFiles, .closing])
        func `may come before or after a sync that fails`(workload: FaultWorkload) throws {
            let trial = try FaultTrial(workload)
            var total = FaultTrial.Tally()
            for fault in [FileFault.inputOutputError, .diskFull, .short, .tooManyOpenFiles] {
                let sync = FaultPlan(.inputOutputError, on: [.sync], ofFile: "-wal")
                total += trial.run(fault, beside: sync, every: min(Self.stride, 7))
            }
            print("Faults in \(workload.name), beside a failed sync: \(total)")
            trial.record(total)
            #expect(total.reached > 0)
        }

        @Test func `is found in a program that saves what it could not read`() throws {
            let careless = FaultWorkload(name: "careless") { run in
                try run.commit { context in
                    for shelf in try context.shelves() {
                        shelf.count += shelf.books.count
                        context.disregardFailedReads()
                    }
                }
            }
            let tally = try FaultTrial(careless).run(.inputOutputError, times: 1, every: 1)
            #expect(!tally.problems.isEmpty, "\(tally)")
        }

        @Test func `is found in a program that goes on after half of its work`() throws {
            let tally = try FaultTrial(.careless).run(.diskFull, times: .max, every: 1)
            #expect(!tally.problems.isEmpty, "\(tally)")
        }
    }
#endif
