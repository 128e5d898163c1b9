#if Postgres
    import Foundation

    /// The time for which a commit holds the lock that puts commits in order, from the server's log of statements.
    ///
    /// The statements behind that of the lock, up to COMMIT, are sent with it. The sum of their durations leaves out the
    /// server's own logging, and times in which its process does not run between two of them; the difference of the log's
    /// times, whole milliseconds, has both.
    func measureOrderLock(_ stage: Stage) async throws {
        printHead(
            "The lock that puts commits in order, with 3 processes", "round trip", "commits", "held, median", "p99",
            "by times of the log, median", "p99")
        for roundTrip in [0, 0.005] {
            let shop = stage.shop(try stage.way(roundTrip: roundTrip))
            try await shop.fill(3 * Load.tasks)
            let lineCount = try stage.server.logLines().count
            _ = try ChildProcess.run(Load(shop: shop, kind: .own, seconds: stage.seconds), processes: 3) {
                try setLogging(true, stage)
            }
            try setLogging(false, stage)
            var locks = HeldLocks()
            for line in try stage.server.logLines().dropFirst(lineCount) { locks.read(line) }
            printRow(
                name(ofTrip: roundTrip), "\(locks.held.count)", milliseconds(locks.held.quantile(0.5)),
                milliseconds(locks.held.quantile(0.99)), text(locks.spans.quantile(0.5), digits: 0) + " ms",
                text(locks.spans.quantile(0.99), digits: 0) + " ms")
        }
    }

    private func setLogging(_ isOn: Bool, _ stage: Stage) throws {
        // `%n` is the time in milliseconds of the epoch, `%p` the process.
        try stage.direct.column("ALTER SYSTEM SET log_line_prefix = '%n %p '")
        try stage.direct.column("ALTER SYSTEM SET log_min_duration_statement = \(isOn ? 0 : -1)")
        try stage.direct.column("ALTER SYSTEM SET log_parameter_max_length = 0")
        try stage.direct.column("SELECT pg_reload_conf()")
    }

    /// **Value.** The locks that a log tells of.
    private struct HeldLocks {
        /// The seconds of statements under the lock, for each commit.
        var held: [Double] = []
        /// The milliseconds between the lock's line and COMMIT's.
        var spans: [Double] = []
        /// The processes that have the lock: the time of its line, and the seconds since.
        private var open: [Substring: (start: Double, held: Double)] = [:]

        /// The begin of the statement, with the first half of the lock's number: "DMol" in ASCII.
        private static let lock = "pg_advisory_xact_lock(1145925484,"

        /// Reads a line such as `1700000000.123 4711 LOG:  duration: 0.012 ms  execute <unnamed>: COMMIT`.
        mutating func read(_ line: Substring) {
            let words = line.split(separator: " ", maxSplits: 7)
            guard words.count == 8, words[3] == "duration:", let time = Double(words[0]),
                let duration = Double(words[4])
            else { return }
            let (process, isExecution, statement) = (words[1], words[6] == "execute", words[7])
            if isExecution, statement.contains(Self.lock) {
                open[process] = (time, 0)
            } else if var lock = open[process] {
                lock.held += duration / 1_000
                open[process] = lock
                guard isExecution, statement.hasSuffix(": COMMIT") else { return }
                held.append(lock.held)
                spans.append((time - lock.start) * 1_000)
                open[process] = nil
            }
        }
    }
#endif
