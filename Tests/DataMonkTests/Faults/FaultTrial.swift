#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// A workload, what it does without faults, and runs with them.
    struct FaultTrial {
        struct Tally: CustomStringConvertible {
            var points = 0
            /// How many runs came to the call that fails.
            var reached = 0
            /// How many of them had an attempt that threw.
            var thrown = 0
            var problems: [String] = []

            var description: String {
                "\(points) points, \(reached) reached, \(thrown) thrown, \(problems.count) problems"
            }

            static func += (total: inout Tally, other: Tally) {
                total.points += other.points
                total.reached += other.reached
                total.thrown += other.thrown
                total.problems += other.problems
            }
        }

        let workload: FaultWorkload
        let template: TemporaryFolder
        let states: [StoreContents]
        let calls: [FileCall]

        /// - Parameter countsCalls: Indicates whether the calls are found, by a run in this process.
        init(_ workload: FaultWorkload, countsCalls: Bool = true) throws {
            self.workload = workload
            let template = try TemporaryFolder()
            self.template = template
            try workload.fill(template.file("shop.sqlite"))
            let reference = try FaultRun(template.url)
            try workload.prepare(reference)
            try workload.body(reference)
            try reference.finish()
            states = reference.states
            guard countsCalls else {
                calls = []
                return
            }
            let counting = try FaultRun(template.url, expected: states)
            try workload.prepare(counting)
            calls = try counting.disk.calls { try workload.body(counting) }
            try counting.finish()
            try workload.check(counting)
        }

        /// Runs the workload once for each call that can fail in a way.
        ///
        /// - Parameter other: Another fault, which adds calls: those of the way back from it.
        func run(_ fault: FileFault, times: Int = 1, beside other: FaultPlan? = nil, every stride: Int) -> Tally {
            var tally = Tally()
            var plans = FaultPlan.each(fault, of: calls, times: times)
            if other != nil { plans += (1...40).map { FaultPlan(fault, atCall: plans.count + $0, times: times) } }
            for plan in Swift.stride(from: 0, to: plans.count, by: stride).map({ plans[$0] }) {
                tally += run("\(plan)\(other.map { ", \($0)" } ?? "")") { disk in
                    if let other { disk.fail(other) }
                    disk.fail(plan)
                } isReached: {
                    $0.faultCount > (other == nil ? 0 : 1)
                }
            }
            return tally
        }

        /// Runs the workload while something fails.
        ///
        /// - Parameters:
        ///   - arm: Lets it fail.
        ///   - repair: Repairs what is not the disk.
        ///   - isReached: Whether something has failed.
        func run(
            _ name: String, arm: (FaultyDisk) -> Void, repair: @escaping () -> Void = {},
            isReached: (FaultyDisk) -> Bool
        ) -> Tally {
            var tally = Tally(points: 1)
            do {
                let run = try FaultRun(template.url, expected: states)
                run.repair = repair
                try workload.prepare(run)
                arm(run.disk)
                defer {
                    run.heal()
                    if isReached(run.disk) { tally.reached += 1 }
                    if !run.errors.isEmpty { tally.thrown += 1 }
                }
                try workload.body(run)
                try run.finish()
                try workload.check(run)
            } catch {
                tally.problems.append("\(name): \(error)")
            }
            return tally
        }

        /// Records the problems as issues of the test.
        func record(_ tally: Tally) {
            for problem in tally.problems.prefix(10) { Issue.record("\(workload.name), \(problem)") }
        }
    }
#endif
