#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// A workload whose process is killed again and again, and what is looked for afterwards.
    ///
    /// Each life of the process goes on where the one before was killed, with its files as they are. After each kill, a copy
    /// of the files has to be as after the attempts that returned, or as after the next one, and has to carry the workload to
    /// its end. A chain of lives begins with a new store and has a seed of its own, so that it can be repeated.
    struct KillTrial {
        /// The moment at which a process is killed.
        enum Moment: CustomStringConvertible {
            /// At one of its calls for a file.
            case call(FaultPlan)
            /// At any time.
            case time(microseconds: UInt32)

            var description: String {
                switch self {
                case .call(let plan): "\(plan)"
                case .time(let microseconds): "killed after \(microseconds) µs"
                }
            }
        }

        /// A fault that trials have to find.
        enum PlantedFault: String, Codable {
            /// The process says that an attempt has returned when it begins.
            case earlyAcknowledgement
        }

        struct Tally: CustomStringConvertible {
            var killsAtCalls = 0
            var killsAtTimes = 0
            /// Processes that came to the end before they were killed.
            var completed = 0
            /// The numbers of attempts that had not returned and were found done, and not done.
            var (done, undone) = (0, 0)
            var problems: [String] = []

            var kills: Int { killsAtCalls + killsAtTimes }

            var description: String {
                """
                \(killsAtCalls) kills at calls, \(killsAtTimes) at times, \(completed) processes completed; \
                attempts cut off: \(done) found done, \(undone) not; \(problems.count) problems
                """
            }
        }

        /// The most lives of a chain.
        private static let longestChain = 4

        let trial: FaultTrial
        private let planted: PlantedFault?
        private let folder: TemporaryFolder
        /// The calls of a life that is not killed, how many of them write, and how long it takes.
        private let (calls, writes, microseconds): (Int, Int, Int)

        private var workload: FaultWorkload { trial.workload }

        init(_ workload: FaultWorkload, planted: PlantedFault? = nil) throws {
            // Threads that a run has begun here would be missing in copies of this process, whose code waits for them.
            trial = try FaultTrial(workload, countsCalls: false)
            self.planted = planted
            folder = try TemporaryFolder(copying: trial.template.url)
            let (trial, folder) = (trial, folder)
            let begin = ContinuousClock.now
            let life = try ForkedProcess { send in
                let run = try FaultRun(in: folder, expected: trial.states)
                let calls = try run.disk.calls {
                    try workload.prepare(run)
                    try workload.body(run)
                    try run.close()
                }
                send("\(calls.count) \(calls.count { $0.operation == .write })")
            }.wait()
            microseconds = Int((ContinuousClock.now - begin) / .microseconds(1))
            let counts = life.lines.first?.split(separator: " ").compactMap { Int($0) } ?? []
            guard life.end == .exit(EXIT_SUCCESS), counts.count == 2 else {
                throw FaultRun.Violation(description: "Without kills: \(life)")
            }
            (calls, writes) = (counts[0], counts[1])
        }

        /// Kills until so many processes were, at least one of them at each kind of moment.
        func run(_ kills: Int, seed: UInt64) -> Tally {
            var tally = Tally()
            var chain = seed
            while tally.kills < kills || tally.killsAtCalls == 0 || tally.killsAtTimes == 0, tally.problems.count < 10 {
                do { try runChain(chain, &tally) } catch { tally.problems.append("seed \(chain): \(error)") }
                chain += 1
            }
            return tally
        }

        /// Kills at the first call of a kind, at the second one and so on, until a process comes to its end before that. Each
        /// begins with a new store.
        func runEach(_ plan: (Int) -> FaultPlan) -> Tally {
            var tally = Tally()
            for number in 1... {
                do {
                    try folder.empty()
                    try folder.add(copyOf: trial.template.url)
                    if try live(from: 0, .call(plan(number)), &tally) == nil { break }
                } catch {
                    tally.problems.append("\(plan(number)): \(error)")
                    break
                }
            }
            return tally
        }

        private func runChain(_ seed: UInt64, _ tally: inout Tally) throws {
            try folder.empty()
            try folder.add(copyOf: trial.template.url)
            var random = SeededGenerator(seed: seed)
            var found = 0
            var moments: [Moment] = []
            for _ in 0..<Self.longestChain {
                let moment = moment(using: &random)
                moments.append(moment)
                do {
                    guard let next = try live(from: found, moment, &tally) else { return }
                    found = next
                } catch {
                    tally.problems.append("seed \(seed), \(moments), from \(found): \(error)")
                    return
                }
            }
        }

        private func moment(using random: inout SeededGenerator) -> Moment {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: .call(FaultPlan(.kill, atCall: .random(in: 1...calls, using: &random)))
            case 5..<7: .call(FaultPlan(.killHalfway, atCall: .random(in: 1...max(writes, 1), using: &random)))
            default: .time(microseconds: .random(in: 0...UInt32(microseconds), using: &random))
            }
        }

        // MARK: Lives

        /// Lets the process live once, and examines what it leaves.
        ///
        /// - Returns: The number of the attempts that are done; `nil` if it came to the end.
        private func live(from first: Int, _ moment: Moment, _ tally: inout Tally) throws -> Int? {
            let process = try ForkedProcess { send in
                let run = try FaultRun(in: folder, expected: trial.states, first: first)
                run.follow = { tell($0, send) }
                run.canHeal = false
                if case .call(let plan) = moment { run.disk.fail(plan) }
                try workload.prepare(run)
                try workload.body(run)
                try run.close()
            }
            if case .time(let microseconds) = moment {
                usleep(microseconds)  // Any moment is meant.
                kill(process.pid, SIGKILL)
            }
            let (end, lines) = process.wait()
            let isKilled = end == .signal(SIGKILL)
            guard isKilled || end == .exit(EXIT_SUCCESS) else {
                throw FaultRun.Violation(description: "The process ended by itself, \(end): \(lines)")
            }
            switch moment {
            case _ where !isKilled: tally.completed += 1
            case .call: tally.killsAtCalls += 1
            case .time: tally.killsAtTimes += 1
            }
            let returned = max(first, Self.last("returned", lines) ?? first)
            let begun = isKilled ? max(returned, Self.last("began", lines) ?? returned) : trial.states.count - 1
            let found = try examine(returned...begun)
            if begun > returned, trial.states[returned] != trial.states[begun] {
                if found == begun { tally.done += 1 } else { tally.undone += 1 }
            }
            return isKilled ? found : nil
        }

        private func tell(_ progress: FaultRun.Progress, _ send: (String) -> Void) {
            switch progress {
            case .began(let number):
                send("began \(number + 1)")
                if planted == .earlyAcknowledgement { send("returned \(number + 1)") }
            case .returned(let number): send("returned \(number + 1)")
            }
        }

        private static func last(_ word: String, _ lines: [String]) -> Int? {
            lines.last { $0.hasPrefix(word) }.flatMap { Int($0.dropFirst(word.count + 1)) }
        }

        // MARK: What is left

        /// Examines what a process has left, in a process of its own and on a copy.
        ///
        /// - Parameter possible: The numbers of attempts that may be done.
        /// - Returns: The number of those that are.
        private func examine(_ possible: ClosedRange<Int>) throws -> Int {
            let copy = try TemporaryFolder(copying: folder.url)
            let (end, lines) = try ForkedProcess { send in
                let found = try examine(copy, possible)
                send("\(found)")
            }.wait()
            guard end == .exit(EXIT_SUCCESS), let found = lines.last.flatMap({ Int($0) }) else {
                throw FaultRun.Violation(description: "\(end): \(lines.joined(separator: " "))")
            }
            return found
        }

        private func examine(_ copy: TemporaryFolder, _ possible: ClosedRange<Int>) throws -> Int {
            let found = try state(of: copy, among: possible, "after the kill")
            let run = try FaultRun(in: copy, expected: trial.states)
            try run.checkForOrphans(workload.open)
            // A migration that was not done is done by opening.
            let opened = try state(
                of: copy, among: workload.opensFirst ? found...found : found...(trial.states.count - 1),
                "after opening and closing")
            let findings = try Stack.examine(storeAt: run.url).findings
            if !findings.isEmpty { throw FaultRun.Violation(description: "The examination finds \(findings)") }
            do {
                let rest = try FaultRun(in: copy, expected: trial.states, first: opened)
                try workload.prepare(rest)
                try workload.body(rest)
                try rest.finish()
                try workload.check(rest)
                if !rest.errors.isEmpty { throw FaultRun.Violation(description: "It has thrown \(rest.errors)") }
            } catch {
                throw FaultRun.Violation(description: "The workload cannot go on from \(opened): \(error)")
            }
            return found
        }

        /// - Returns: The number of attempts that are done.
        private func state(
            of folder: TemporaryFolder, among possible: ClosedRange<Int>, _ place: String
        ) throws -> Int {
            let contents = try FaultRun.contents(of: folder.file("shop.sqlite"), recovers: true)
            if !contents.damage.isEmpty { throw FaultRun.Violation(description: "\(contents.damage) \(place)") }
            if let found = possible.last(where: { trial.states[$0] == contents }) { return found }
            throw FaultRun.Violation(
                description: """
                    Not one of the states \(possible) \(place): \
                    \(contents.difference(from: trial.states[possible.upperBound]))
                    """)
        }
    }
#endif
