#if Macros
    import DataMonk
    import Foundation

    /// **Confined.** The other one of two processes, as the first one sees it: it does what it is told, and reports.
    ///
    /// Orders and reports are lines of two named pipes. This process has both ends of each pipe open, so that neither opening
    /// nor writing waits for the other process; where that ends, ``hangUp(_:)`` ends the wait for its report.
    final class IntegrityPeer {
        /// **Value.** What the other process is to do.
        enum Order: Codable {
            /// Begin a schedule over a file that is set up.
            case open(file: URL, seed: UInt64)
            case step(IntegrityRun.Step, isChild: Bool)
            /// Look whether the contexts agree with themselves.
            case check
            /// End the schedule.
            case close
        }

        /// **Value.** What an order has led to.
        struct Report: Codable {
            var steps: [String] = []
            var tally: [String: Int] = [:]
            var commits = 0
            var refusals = 0
            var failure: String?
        }

        /// **Value.** The pipes' names.
        struct Line: Codable, Sendable {
            let orders: String
            let reports: String
        }

        let line: Line
        private let orders: Int32
        private let reports: UnsafeMutablePointer<FILE>

        init(in folder: TemporaryFolder) throws {
            line = Line(orders: folder.file("orders").path, reports: folder.file("reports").path)
            guard mkfifo(line.orders, 0o600) == 0, mkfifo(line.reports, 0o600) == 0 else { throw Self.lost() }
            orders = Foundation.open(line.orders, O_RDWR | O_CLOEXEC)
            let descriptor = Foundation.open(line.reports, O_RDWR | O_CLOEXEC)
            guard orders >= 0, descriptor >= 0, let reports = fdopen(descriptor, "r") else { throw Self.lost() }
            self.reports = reports
        }

        /// Ends the other process.
        func end() {
            close(orders)
            fclose(reports)
        }

        func send(_ order: Order) throws { try Self.write(order, to: orders) }

        func receive() throws -> Report { try Self.read(Report.self, from: reports) }

        /// Tells who waits for a report that there will be none. Called from any thread, once the other process has ended.
        static func hangUp(_ line: Line) {
            let descriptor = Foundation.open(line.reports, O_WRONLY | O_NONBLOCK)
            _ = Foundation.write(descriptor, "\n", 1)
            close(descriptor)
        }

        private static func lost() -> IntegrityRun.Violation { .init(description: "The other process is gone.") }

        private static func write(_ message: some Encodable, to descriptor: Int32) throws {
            let text = try JSONEncoder().encode(message) + Data("\n".utf8)
            var rest = text[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 { throw lost() }
                rest = rest.dropFirst(count)
            }
        }

        private static func read<Message: Decodable>(
            _ type: Message.Type, from file: UnsafeMutablePointer<FILE>
        ) throws -> Message {
            var (text, capacity) = (UnsafeMutablePointer<CChar>?.none, 0)
            defer { free(text) }
            let count = getline(&text, &capacity, file)
            guard let text, count > 1 else { throw lost() }
            return try JSONDecoder().decode(type, from: Data(bytes: text, count: count))
        }
    }

    @available(*, unavailable)
    extension IntegrityPeer: Sendable {}

    extension IntegrityPeer {
        /// The other process's side: does what it is told until the first process closes the pipe of the orders.
        static func serve(_ line: Line) throws {
            guard let orders = fopen(line.orders, "r") else { throw lost() }
            let reports = Foundation.open(line.reports, O_WRONLY)
            var run: IntegrityRun?
            // Reason for try?: the end of the orders is the end of the work.
            while let order = try? read(Order.self, from: orders) {
                try write(report(on: order, &run), to: reports)
            }
        }

        private static func report(on order: Order, _ run: inout IntegrityRun?) -> Report {
            var report = Report()
            do {
                switch order {
                case .open(let file, let seed): run = try IntegrityRun(joining: file, seed: seed)
                case .step(let step, let isChild): try run?.take(step, isChild ? 1 : 0)
                case .check: try run?.checkContexts()
                case .close: run?.countConflicts()
                }
            } catch {
                report.failure = "\(error)"
            }
            if let part = run?.takeReport() {
                (report.steps, report.tally) = (part.steps, part.tally)
                (report.commits, report.refusals) = (part.commits, part.refusals)
            }
            if case .close = order { run = nil }
            return report
        }
    }

    extension IntegrityRun {
        /// The steps, commits and refusals since the last call.
        fileprivate mutating func takeReport() -> IntegrityPeer.Report {
            defer { (steps, tally, commits, refusals) = ([], [:], 0, 0) }
            return IntegrityPeer.Report(steps: steps, tally: tally, commits: commits, refusals: refusals)
        }
    }
#endif
