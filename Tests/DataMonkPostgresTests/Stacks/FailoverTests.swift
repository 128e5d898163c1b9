#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Three processes transfer money on a primary with a synchronous standby, which takes its place again and again.
    @Suite(.serialized) struct FailoverTests {
        private let pair: PostgresPair
        private let folder: URL
        private let plan: ServerBank

        init() throws {
            // Commits are long on the primary alone.
            pair = try PostgresPair(["wal_writer_delay = 200ms"])
            folder = FileManager.default.temporaryDirectory.appending(path: "datamonk-failover-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let reportsPath = folder.appending(path: "reports").path
            try Data().write(to: URL(fileURLWithPath: reportsPath))
            var plan = ServerBank(
                url: pair.publicURL, schemaName: "bank", reportsPath: reportsPath, seat: 0, seed: testSeed)
            plan.endPath = folder.appending(path: "end").path
            self.plan = plan
        }

        /// The number of failovers: `DATAMONK_POSTGRES_FAILOVERS`, else 1.
        private static let failoverCount =
            ProcessInfo.processInfo.environment["DATAMONK_POSTGRES_FAILOVERS"].flatMap { Int($0) } ?? 1

        @Test func `a bank keeps its balance, and each transfer that was acknowledged, over failovers`() async throws {
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
            try await plan.openAccounts()
            // A thread of its own: exit tests may keep those of tasks.
            Thread.detachNewThread(in: DispatchGroup()) {
                defer { #expect(FileManager.default.createFile(atPath: plan.endPath ?? "", contents: nil)) }
                try failOver()
            }
            await withTaskGroup(of: Void.self) { group in
                for seat in 0..<3 {
                    var plan = plan
                    plan.seat = seat
                    plan.seed = testSeed + UInt64(seat)
                    // One of them reads from the standby.
                    if seat == 0 { plan.url += "?target_session_attrs=prefer-standby" }
                    group.addTask { [plan] in
                        await #expect(processExitsWith: .success, "process \(seat)") {
                            [plan = plan as ServerBank] in try await plan.run()
                        }
                    }
                }
            }
            let reports = try reports
            try reports.checkBooks(on: pair.primary.connect(), endedCalls: 0)
            print("Bank with failovers: \(reports.summary)")
        }

        private var reports: BankReports { get throws { try BankReports(at: plan.reportsPath) } }

        private func failOver() throws {
            var generator = SeededGenerator(seed: testSeed)
            for number in 0..<Self.failoverCount {
                try awaitTransfers(Int.random(in: 3...15, using: &generator))
                let start = ContinuousClock.now
                note("failover \(number)")
                let ending: PostgresServer.Ending = number % 3 == 1 ? .fast : .immediate
                try pair.failOver(ending)
                let promotion = start.duration(to: .now)
                try pair.addStandby()
                let repair = start.duration(to: .now)
                let outage = try awaitTransfers(1)
                print(
                    "Failover \(number), \(ending): standby promoted after \(promotion), replaced after \(repair),",
                    "all processes at work after \(repair + outage)")
            }
            try awaitTransfers(3)
        }

        /// Waits until each process has made some more transfers. Returns how long that took.
        @discardableResult
        private func awaitTransfers(_ count: Int) throws -> Duration {
            let start = ContinuousClock.now
            let goals = try reports.transferCounts.mapValues { $0 + count }
            func isReached(_ counts: [Int: Int]) -> Bool {
                (0..<3).allSatisfy { counts[$0, default: 0] >= goals[$0, default: count] }
            }
            while try !isReached(reports.transferCounts) { usleep(20_000) }  // Reports are a file.
            return start.duration(to: .now)
        }

        /// Appends a line of the test to those of the processes.
        private func note(_ text: String) {
            let line = Array("\(text)\n".utf8)
            let file = open(plan.reportsPath, O_WRONLY | O_APPEND)
            #expect(write(file, line, line.count) == line.count)
            close(file)
        }
    }
#endif
