#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Three processes transfer money on a server. Processes are killed and begin again, connections are ended, and the server
    /// crashes and recovers.
    @Suite(.serialized) struct KilledBankTests {
        private let server: PostgresServer
        private let folder: URL
        private let plan: ServerBank

        init() throws {
            // Commits are lost with the server if they were not flushed.
            server = try PostgresServer(.init(settings: ["wal_writer_delay = 200ms"]))
            folder = FileManager.default.temporaryDirectory.appending(path: "datamonk-bank-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let reportsPath = folder.appending(path: "reports").path
            try Data().write(to: URL(fileURLWithPath: reportsPath))
            plan = ServerBank(
                url: server.publicURL, schemaName: "bank", reportsPath: reportsPath, seat: 0, seed: testSeed)
        }

        /// The number of kills: `DATAMONK_POSTGRES_KILLS`, else 20.
        private static let killCount =
            ProcessInfo.processInfo.environment["DATAMONK_POSTGRES_KILLS"].flatMap { Int($0) } ?? 20

        @Test func `a bank keeps its balance, and each transfer that was acknowledged`() async throws {
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
            try await plan.openAccounts()
            let isComplete = Locked(false)
            // A thread of its own: exit tests may keep those of tasks.
            Thread.detachNewThread(in: DispatchGroup()) { try disturb(isComplete) }
            await withTaskGroup(of: Void.self) { group in
                for seat in 0..<3 { group.addTask { await occupy(seat, isComplete) } }
            }
            try checkBooks()
        }

        /// Begins a process again and again until all kills were made, then lets one come to its end.
        private func occupy(_ seat: Int, _ isComplete: Locked<Bool>) async {
            var plan = plan
            plan.seat = seat
            repeat {
                plan.seed = testSeed + UInt64(1_000 * plan.life + seat)
                await #expect(processExitsWith: .signal(SIGKILL), "process \(seat), life \(plan.life)") {
                    [plan = plan as ServerBank] in try await plan.run()
                }
                plan.life += 1
            } while !isComplete.withLock(\.self)
            plan.transfers = 5
            await #expect(processExitsWith: .success, "process \(seat)") {
                [plan = plan as ServerBank] in try await plan.run()
            }
        }

        // MARK: Kills

        private func disturb(_ isComplete: Locked<Bool>) throws {
            var (generator, reports) = (SeededGenerator(seed: testSeed), try reports)
            for number in 0..<Self.killCount {
                try reports.readOn()
                let goal = reports.transfers.count + Int.random(in: 5...30, using: &generator)
                while reports.transfers.count < goal {
                    usleep(5_000)  // Reports are a file.
                    try reports.readOn()
                }
                switch number % 10 {
                case 0, 2, 4, 6, 8:
                    if let process = reports.processes.values.randomElement(using: &generator) {
                        kill(process.pid, SIGKILL)
                    }
                case 9:
                    // Without one of its processes, the server ends all, and recovers.
                    if let process = try backend() { kill(process, SIGKILL) }
                default:
                    if let process = try backend() { kill(process, SIGTERM) }
                }
            }
            isComplete.withLock { $0 = true }
            while reports.processes.count < 3 || reports.processes.values.contains(where: { !$0.isLast }) {
                for process in reports.processes.values where !process.isLast { kill(process.pid, SIGKILL) }
                usleep(50_000)  // Processes begin, and are killed again.
                try reports.readOn()
            }
        }

        /// Returns the server's process for some connection of the bank; `nil` if there is none, or the server recovers.
        private func backend() throws -> Int32? {
            guard let connection = try? server.connect() else { return nil }
            let statement = PostgresStatement(
                """
                SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() \
                ORDER BY state = 'idle', random() LIMIT 1
                """)
            return try? connection.run(statement, until: farDeadline).column(of: Int32.self).first
        }

        private var reports: BankReports { get throws { try BankReports(at: plan.reportsPath) } }

        private func checkBooks() throws {
            let reports = try reports
            try reports.checkBooks(on: server.connect(), endedCalls: Self.killCount)
            print("Bank with kills: \(reports.summary)")
        }
    }
#endif
