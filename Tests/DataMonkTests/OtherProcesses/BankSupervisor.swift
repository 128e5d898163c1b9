#if Macros
    import DataMonk
    import DataMonkTesting
    import Dispatch
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

        private struct Process: Sendable {
            var pid: pid_t
            var isLast: Bool
            /// Whether it has stopped itself.
            var isStopped = false
            var lastLine = ContinuousClock.now
        }

        private struct State: Sendable {
            var random: SeededGenerator
            var processes: [Int: Process] = [:]
            var pids: Set<pid_t> = []
            var tally = Tally()
            var isComplete = false
        }

        let reportsURL: URL
        private let pipe: FileHandle
        private let transfers: Int
        private let state: Locked<State>
        /// Nobody waits so long for another process, in seconds.
        private static let longestWait = 120

        init(in folder: TemporaryFolder, transfers: Int, seed: UInt64) throws {
            reportsURL = folder.file("reports")
            guard mkfifo(reportsURL.path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
            // For writing, too: so it does not end while no process has it open.
            pipe = try FileHandle(forUpdating: reportsURL)
            self.transfers = transfers
            state = Locked(State(random: SeededGenerator(seed: seed)))
        }

        /// Whether so many transfers were made, or something has gone wrong.
        var isComplete: Bool { state.withLock { $0.isComplete } }

        var tally: Tally { state.withLock { $0.tally } }

        /// Reads the reports until `end()`. Takes its thread.
        func run() {
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 4_096)
            while true {
                var event = pollfd(fd: pipe.fileDescriptor, events: Int16(POLLIN), revents: 0)
                let isReady = poll(&event, 1, Int32(Self.longestWait * 1_000))
                guard isReady != 0 else {
                    giveUp("Nobody has reported for \(Self.longestWait) seconds")
                    continue
                }
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
            guard words.count >= 3, let seat = Int(words[0]), let pid = pid_t(words[1]) else { return giveUp(line) }
            let rest = words.count > 3 ? words[3] : ""
            let action = state.withLock { state -> (() -> Void)? in
                state.processes[seat]?.lastLine = .now
                switch words[2] {
                case "began":
                    state.processes[seat] = Process(pid: pid, isLast: rest == "last")
                    state.pids.insert(pid)
                    return state.isComplete && rest != "last" ? { self.kill(seat, pid) } : nil
                case "transferred": return didTransfer(rest, seat, &state)
                case "stops": return didStop(seat, pid, &state)
                case "continued": state.processes[seat]?.isStopped = false
                case "conflict": state.tally.conflicts += 1
                case "locked": meetLock(rest, &state)
                case "ended": state.processes[seat] = nil
                default: return { self.giveUp(line) }
                }
                return nil
            }
            action?()
        }

        private func didTransfer(_ text: String, _ seat: Int, _ state: inout State) -> (() -> Void)? {
            let numbers = text.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 4 else { return { self.giveUp(text) } }
            state.tally.transfers.insert(
                BankTransfer(
                    seat: seat, number: numbers[0], source: numbers[1], destination: numbers[2], amount: numbers[3]))
            if state.tally.transfers.count >= transfers, !state.isComplete {
                state.isComplete = true
                let victims = state.processes.filter { !$0.value.isLast }
                return { for (seat, process) in victims { self.kill(seat, process.pid) } }
            }
            let waiting = state.processes.filter { $0.value.lastLine.duration(to: .now) > .seconds(Self.longestWait) }
            if !waiting.isEmpty { return { self.giveUp("No reports of the processes \(waiting)") } }
            let processes = state.processes.sorted { $0.key < $1.key }
            guard let (victim, process) = processes.randomElement(using: &state.random) else { return nil }
            switch Int.random(in: 0..<100, using: &state.random) {
            case 0 where !process.isLast:
                let delay = Int.random(in: 0...20, using: &state.random)
                return { self.later(delay) { self.kill(victim, process.pid) } }
            case 1...3:
                let delay = Int.random(in: 10...300, using: &state.random)
                return { self.stop(victim, process.pid, milliseconds: delay) }
            default: return nil
            }
        }

        private func didStop(_ seat: Int, _ pid: pid_t, _ state: inout State) -> () -> Void {
            state.tally.stopsInTransactions += 1
            state.processes[seat]?.isStopped = true
            let delay = Int.random(in: 10...300, using: &state.random)
            let isKilled = state.processes[seat]?.isLast == false && Int.random(in: 0..<6, using: &state.random) == 0
            return { self.later(delay) { isKilled ? self.kill(seat, pid) : self.resume(seat, pid) } }
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

        private func later(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
            let end = DispatchTime.now() + .milliseconds(milliseconds)
            DispatchQueue.global().asyncAfter(deadline: end, execute: body)  // Any moment is meant.
        }

        private func kill(_ seat: Int, _ pid: pid_t) {
            state.withLock { state in
                guard let process = state.processes[seat], process.pid == pid else { return }
                state.processes[seat] = nil
                state.tally.kills += 1
                if process.isStopped { state.tally.killsOfStopped += 1 }
                _ = signal(pid, SIGKILL)
            }
        }

        private func stop(_ seat: Int, _ pid: pid_t, milliseconds: Int) {
            let stops = state.withLock { state in
                guard let process = state.processes[seat], process.pid == pid else { return false }
                state.tally.stops += 1
                return signal(pid, SIGSTOP)
            }
            if stops { later(milliseconds) { _ = self.signal(pid, SIGCONT) } }
        }

        /// Lets a process go on that stops itself: again and again, since it may not have come to that when it says so.
        private func resume(_ seat: Int, _ pid: pid_t) {
            let isStopped = state.withLock { state in
                guard let process = state.processes[seat], process.pid == pid, process.isStopped else { return false }
                return signal(pid, SIGCONT)
            }
            if isStopped { later(10) { self.resume(seat, pid) } }
        }

        private func signal(_ pid: pid_t, _ signal: Int32) -> Bool { Foundation.kill(pid, signal) == 0 }

        /// Ends everything.
        private func giveUp(_ problem: String) {
            let victims = state.withLock { state in
                state.tally.problems.append(problem)
                state.isComplete = true
                return state.processes
            }
            for (seat, process) in victims { kill(seat, process.pid) }
        }
    }
#endif
