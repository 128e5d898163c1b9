#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation

    /// Kills and stops processes of a bank at random until they have made so many transfers, and keeps their books.
    ///
    /// Processes that are stopped, by it or by themselves amid a transaction, go on after 10 to 300 milliseconds, or are killed.
    final class BankSupervisor: Sendable {
        struct Tally: CustomStringConvertible {
            var (kills, killsOfStopped, stops, stopsInTransactions) = (0, 0, 0, 0)
            var (conflicts, refusals, refusalsWithName) = (0, 0, 0)
            /// The transfers that were acknowledged.
            var transfers: Set<BankTransfer> = []
            var problems: [String] = []

            var description: String {
                """
                \(transfers.count) transfers, \(kills) kills, \(killsOfStopped) of them of stopped processes, \
                \(stops) stops, \(stopsInTransactions) in transactions, \(conflicts) conflicts, \
                \(refusals) refused because of locks, \(refusalsWithName) with the holder's name
                """
            }
        }

        fileprivate struct Process: Sendable {
            var pid: pid_t
            var isLast: Bool
            /// The number of times that it has stopped itself without having gone on. A thread may stop it before another
            /// one, which has gone on, says so.
            var stops = 0
            var lastLine = ContinuousClock.now

            /// Its state by the system, as in "State: T (stopped)".
            var status: String {
                let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/status") ?? Data()
                let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                return lines.first { $0.hasPrefix("State") }.map(String.init) ?? "not known"
            }
        }

        fileprivate enum Signal: Sendable {
            case kill, resume
            /// For a process that may not have stopped yet when it says so.
            case resumeUntilItReports
        }

        fileprivate struct DueSignal: Sendable {
            var time: ContinuousClock.Instant
            var seat: Int
            var pid: pid_t
            var signal: Signal
        }

        fileprivate struct State: Sendable {
            var random: SeededGenerator
            var processes: [Int: Process] = [:]
            var pids: Set<pid_t> = []
            var dueSignals: [DueSignal] = []
            var tally = Tally()
            var isComplete = false
        }

        let reportsURL: URL
        private let pipe: FileHandle
        private let transfers: Int
        private let state: Locked<State>
        /// Nobody waits so long for another process.
        private static let longestWait = Duration.seconds(600)

        init(in folder: TemporaryFolder, transfers: Int, seed: UInt64) throws {
            reportsURL = folder.file("reports")
            guard mkfifo(reportsURL.path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
            // For writing, too: so it does not end while no process has it open.
            pipe = try FileHandle(forUpdating: reportsURL)
            self.transfers = transfers
            state = Locked(State(random: SeededGenerator(seed: seed)))
        }

        /// Indicates whether so many transfers were made, or something has gone wrong.
        var isComplete: Bool { state.withLock { $0.isComplete } }

        var tally: Tally { state.withLock { $0.tally } }

        /// Reads the reports until `end()`. Takes its thread.
        func run() {
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 4_096)
            while true {
                sendDueSignals()
                var event = pollfd(fd: pipe.fileDescriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&event, 1, 5) > 0 else { continue }
                let count = read(pipe.fileDescriptor, &part, part.count)
                guard count > 0 else { continue }
                bytes += part[..<count]
                while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: bytes[..<end], as: UTF8.self)
                    bytes.removeSubrange(...end)
                    if line == "end" { return }
                    meet(line)
                }
            }
        }

        func end() { pipe.write(Data("end\n".utf8)) }

        // MARK: Reports

        private func meet(_ line: String) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            guard words.count >= 3, let seat = Int(words[0]), let pid = pid_t(words[1]) else {
                return state.withLock { $0.giveUp(line) }
            }
            let rest = words.count > 3 ? words[3] : ""
            state.withLock { state in
                state.processes[seat]?.lastLine = .now
                switch words[2] {
                case "began":
                    state.processes[seat] = Process(pid: pid, isLast: rest == "last")
                    state.pids.insert(pid)
                    if state.isComplete { state.kill(seat) }
                case "transferred": didTransfer(rest, seat, &state)
                case "stops": didStop(seat, pid, &state)
                case "continued": state.processes[seat]?.stops -= 1
                case "conflict": state.tally.conflicts += 1
                case "locked": meetLock(rest, &state)
                case "ended": state.processes[seat] = nil
                default: state.giveUp(line)
                }
            }
        }

        private func didTransfer(_ text: String, _ seat: Int, _ state: inout State) {
            let numbers = text.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 4 else { return state.giveUp(text) }
            state.tally.transfers.insert(
                BankTransfer(
                    seat: seat, number: numbers[0], source: numbers[1], destination: numbers[2], amount: numbers[3]))
            if state.tally.transfers.count >= transfers, !state.isComplete {
                state.isComplete = true
                for seat in state.processes.keys { state.kill(seat) }
            }
            let processes = state.processes.sorted { $0.key < $1.key }
            guard let (victim, process) = processes.randomElement(using: &state.random) else { return }
            switch Int.random(in: 0..<100, using: &state.random) {
            case 0..<2: state.add(.kill, of: victim, process.pid, after: 0...20)
            case 2..<6 where kill(process.pid, SIGSTOP) == 0:
                state.tally.stops += 1
                state.add(.resume, of: victim, process.pid, after: 10...300)
            default: break
            }
        }

        private func didStop(_ seat: Int, _ pid: pid_t, _ state: inout State) {
            state.tally.stopsInTransactions += 1
            state.processes[seat]?.stops += 1
            let isKilled = Int.random(in: 0..<6, using: &state.random) == 0
            if isKilled { state.add(.kill, of: seat, pid, after: 0...20) }
            state.add(.resumeUntilItReports, of: seat, pid, after: 10...300)
        }

        private func meetLock(_ text: String, _ state: inout State) {
            state.tally.refusals += 1
            guard let range = text.range(of: #"process \d+"#, options: .regularExpression) else { return }
            let pid = pid_t(text[range].dropFirst("process ".count)) ?? 0
            if state.pids.contains(pid) {
                state.tally.refusalsWithName += 1
            } else {
                state.tally.problems.append("The lock of a stranger: \(text)")
            }
        }

        // MARK: Signals

        private func sendDueSignals() {
            let now = ContinuousClock.now
            state.withLock { state in
                let due = state.dueSignals.filter { $0.time <= now }
                state.dueSignals.removeAll { $0.time <= now }
                for signal in due where state.processes[signal.seat]?.pid == signal.pid { state.send(signal) }
                let waiting = state.processes.filter { $0.value.lastLine.duration(to: now) > Self.longestWait }
                if !waiting.isEmpty {
                    let texts = waiting.map { "\($0.key): \($0.value), \($0.value.status)" }
                    state.giveUp("No reports for \(Self.longestWait), of \(texts)")
                }
            }
        }
    }

    extension BankSupervisor.State {
        /// Sends a signal later, at any moment of some time.
        fileprivate mutating func add(
            _ signal: BankSupervisor.Signal, of seat: Int, _ pid: pid_t, after milliseconds: ClosedRange<Int>
        ) {
            let delay = Duration.milliseconds(Int.random(in: milliseconds, using: &random))
            dueSignals.append(.init(time: .now + delay, seat: seat, pid: pid, signal: signal))
        }

        fileprivate mutating func send(_ due: BankSupervisor.DueSignal) {
            switch due.signal {
            case .kill: kill(due.seat)
            case .resume: Foundation.kill(due.pid, SIGCONT)
            case .resumeUntilItReports:
                guard let process = processes[due.seat], process.stops > 0 else { return }
                Foundation.kill(due.pid, SIGCONT)
                add(.resumeUntilItReports, of: due.seat, due.pid, after: 10...10)
            }
        }

        /// Kills a process, unless it is the last one of its seat.
        fileprivate mutating func kill(_ seat: Int) {
            guard let process = processes[seat], !process.isLast else { return }
            processes[seat] = nil
            tally.kills += 1
            if process.stops > 0 { tally.killsOfStopped += 1 }
            Foundation.kill(process.pid, SIGKILL)
        }

        /// Ends everything.
        fileprivate mutating func giveUp(_ problem: String) {
            tally.problems.append(problem)
            isComplete = true
            for process in processes.values { Foundation.kill(process.pid, SIGKILL) }
            processes = [:]
        }
    }
#endif
