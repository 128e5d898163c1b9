#if Macros
    import DataMonk
    import Foundation

    /// **Value.** A process that makes transfers and is interrupted by a signal at one of its statements.
    struct InterruptedTransfer: Codable, Sendable {
        var url: URL
        /// SIGKILL or SIGSTOP.
        var signal: Int32
        /// At which statement, counted from 1: the first begins the transaction of the first transfer, and two updates and the
        /// commit follow.
        var statement: Int

        /// How many transfers it makes: a statement behind all of them is never reached.
        static let transfers = 3

        /// Exists as soon as the process is about to be interrupted; says which it is.
        var pidURL: URL { url.deletingLastPathComponent().appending(path: "pid-\(statement).txt") }

        /// Exists as soon as a stopped process may go on.
        private var continuationURL: URL { pidURL.appendingPathExtension("continued") }

        /// Lets a process go on that was stopped.
        func resume(_ pid: pid_t) throws {
            try Data().write(to: continuationURL)
            kill(pid, SIGCONT)
        }

        func run() throws {
            let count = Locked<Int?>(nil)
            let stack = try Bank.openStack(at: url) { sql in
                let isDue = count.withLock { count in
                    guard let before = count, before > 0 || sql.hasPrefix("BEGIN IMMEDIATE") else { return false }
                    count = before + 1
                    return before + 1 == statement
                }
                if isDue { interrupt() }
            }
            count.withLock { $0 = 0 }
            for _ in 0..<Self.transfers {
                do {
                    try stack.transfer(7, from: 0, to: 1)
                } catch let error as SaveError where !error.conflicts.isEmpty {
                    // Another one was first.
                }
            }
            try stack.close()
        }

        private func interrupt() {
            // Reason for try?: whoever waits for the file fails without it.
            try? "\(getpid())".write(to: pidURL, atomically: true, encoding: .utf8)
            kill(getpid(), signal)
            // The signal may reach another thread first. This one does nothing until it has, and is told to go on.
            while !FileManager.default.fileExists(atPath: continuationURL.path) { sched_yield() }
        }
    }
#endif
