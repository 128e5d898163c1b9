#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// A process is killed at any of its calls for files, and at any time, in everything that programs do with a store. What
    /// it said to be done is there, the rest is there as a whole or not at all, and the next process goes on.
    @Suite struct `A killed workload` {
        private static func number(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
        }

        private static let kills = number("DATAMONK_KILLS") ?? 85
        /// A usual run draws the same calls each time.
        private static let seed = UInt64(
            number("DATAMONK_KILL_SEED") ?? (number("DATAMONK_KILLS") == nil ? 1 : .random(in: 1...1_000_000)))

        @Test(arguments: FaultWorkload.all)
        func `leaves what was acknowledged, and nothing by halves`(workload: FaultWorkload) async throws {
            let kills = (Self.kills + FaultWorkload.all.count - 1) / FaultWorkload.all.count
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                [name = workload.name as String, kills = kills as Int, seed = Self.seed as UInt64] in
                let workload = try #require(FaultWorkload.all.first { $0.name == name })
                let begin = ContinuousClock.now
                let tally = try KillTrial(workload).run(kills, seed: seed)
                print("Kills in \(name): \(tally), seed \(seed), \(ContinuousClock.now - begin)")
                for problem in tally.problems { Issue.record("\(name), \(problem)") }
            }
            Self.printOutput(of: result)
        }

        /// The log is synced by each commit.
        @Test func `of an import has whole chunks at every commit, and is completed by another one`() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let trial = try KillTrial(.importingFile)
                for fault in [FileFault.kill, .killHalfway] {
                    let operation = fault == .kill ? FileOperation.sync : .write
                    let tally = trial.runEach { number in
                        // Between one and the next sync there are several writes.
                        let call = fault == .kill ? number : 9 * number - 4
                        return FaultPlan(fault, on: [operation], ofFile: "-wal", atCall: call)
                    }
                    print("Kills in importing a file: \(tally)")
                    for problem in tally.problems { Issue.record("\(problem)") }
                    #expect(tally.killsAtCalls >= trial.trial.states.count - 1 && tally.completed == 1)
                }
            }
            Self.printOutput(of: result)
        }

        @Test func `is found where a program does by halves what it should save at once`() async throws {
            await #expect(processExitsWith: .success) {
                let tally = try KillTrial(.careless).run(200, seed: 1)
                #expect(tally.problems.contains { $0.contains("Not one of the states") }, "\(tally)")
            }
        }

        @Test func `is found where a program acknowledges what it has not saved`() async throws {
            await #expect(processExitsWith: .success) {
                let tally = try KillTrial(.save, planted: .earlyAcknowledgement).run(200, seed: 1)
                #expect(tally.problems.contains { $0.contains("Not one of the states") }, "\(tally)")
            }
        }

        /// The figures that a process printed.
        private static func printOutput(of result: ExitTest.Result?) {
            let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
            for line in lines where line.hasPrefix("Kills in") { print(line) }
        }
    }

    extension FaultWorkload {
        /// A program that saves its work in parts.
        static let careless = FaultWorkload(name: "careless") { run in
            try run.attempt {
                for shelf in try run.context.shelves() {
                    shelf.count += 1
                    try run.context.save()
                }
            }
        }
    }
#endif
