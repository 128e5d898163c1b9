#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation

    /// One movement of money, and its receipt.
    struct BankTransfer: Hashable, Sendable, CustomStringConvertible {
        var seat: Int
        var number: Int
        var source: Int
        var destination: Int
        var amount: Int

        var description: String { "\(number) \(source) \(destination) \(amount)" }

        func make(_ update: Update) throws {
            try update.fetch(Bank.Account.self, %"number" == source).balance -= amount
            try update.fetch(Bank.Account.self, %"number" == destination).balance += amount
            let receipt = try update.create(Bank.Receipt.self)
            receipt.seat = seat
            receipt.number = number
            receipt.source = source
            receipt.destination = destination
            receipt.amount = amount
        }
    }

    /// The messages of a process of the bank to its supervisor: each line has the seat, the process's number and a message.
    final class BankReports: Sendable {
        private struct State: Sendable {
            var random: SeededGenerator
            /// After how many statements the process stops itself; nil for never.
            var statementsLeft: Int?
        }

        private let file: FileHandle
        private let head: String
        private let state: Locked<State>

        init(_ url: URL, of plan: BankPlan) throws {
            file = try FileHandle(forWritingTo: url)
            head = "\(plan.seat) \(getpid())"
            state = Locked(State(random: SeededGenerator(seed: plan.seed ^ 0x5109)))
            send(plan.transfers == .max ? "began" : "began last")
        }

        /// Sends a line at once: it is there, or is not.
        func send(_ text: String) {
            file.write(Data("\(head) \(text.replacingOccurrences(of: "\n", with: " ").prefix(1_000))\n".utf8))
        }

        /// Stops this process in one of twenty transactions, before or after any of its statements, until the supervisor lets
        /// it go on.
        func stopSometimes(before sql: String) {
            let stops = state.withLock { state in
                if state.statementsLeft == nil, sql.hasPrefix("BEGIN IMMEDIATE"),
                    Int.random(in: 0..<20, using: &state.random) == 0
                {
                    state.statementsLeft = .random(in: 0..<8, using: &state.random)
                }
                guard let left = state.statementsLeft else { return false }
                state.statementsLeft = left > 0 ? left - 1 : nil
                return left == 0
            }
            guard stops else { return }
            send("stops")
            // To this thread: a signal to the process may reach another one, and this one would go on for an instant.
            raise(SIGSTOP)
            send("continued")
        }
    }
#endif
