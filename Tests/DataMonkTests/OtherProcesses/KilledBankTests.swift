#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    /// Four processes transfer money between the same accounts. Some are killed and begin again, some are stopped for a while,
    /// with the store locked or without. Those that live see one state of the store in each of their contexts.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct `A bank whose processes are killed and stopped` {
        private static let accounts = 8
        private let folder: TemporaryFolder
        private let url: URL

        init() throws {
            folder = try TemporaryFolder()
            url = folder.file("bank.sqlite")
            let stack = try Bank.openStack(at: url)
            try stack.openAccounts(Self.accounts)
            try stack.close()
        }

        @Test func `keeps its balance, and each transfer that was acknowledged`() async throws {
            let environment = ProcessInfo.processInfo.environment
            let transfers = environment["DATAMONK_KILLED_BANK_TRANSFERS"].flatMap { Int($0) } ?? 1_000
            let seed = environment["DATAMONK_BANK_SEED"].flatMap { UInt64($0) } ?? 1
            print("Bank with kills and stops, \(transfers) transfers, seed \(seed)")
            let supervisor = try BankSupervisor(in: folder, transfers: transfers, seed: seed)
            startThread { supervisor.run() }
            await withTaskGroup(of: Void.self) { group in
                for seat in 0..<4 {
                    group.addTask(executorPreference: ThreadExecutor()) {
                        await occupy(seat, supervisor, seed: seed)
                    }
                }
            }
            supervisor.end()
            let tally = supervisor.tally
            print("Bank with kills and stops: \(tally), seed \(seed)")
            for problem in tally.problems { Issue.record("\(problem), seed \(seed)") }
            #expect(tally.transfers.count >= transfers)
            #expect(tally.kills > 0 && tally.stops + tally.stopsInTransactions > 0)
            if tally.refusals > 20 { #expect(tally.refusalsWithName > 0) }
            try checkBooks(tally)
        }

        /// Begins a process again and again until the transfers are made, then lets one come to its end.
        private func occupy(_ seat: Int, _ supervisor: BankSupervisor, seed: UInt64) async {
            var plan = BankPlan(
                url: url, seat: seat, accounts: Self.accounts, transfers: .max, seed: 0,
                patienceInMilliseconds: seat.isMultiple(of: 2) ? 100 : 5_000, reportsURL: supervisor.reportsURL)
            while !supervisor.isComplete {
                plan.seed = seed + UInt64(1_000 * plan.life + seat)
                await #expect(processExitsWith: .signal(SIGKILL), "process \(seat), life \(plan.life), seed \(seed)") {
                    [plan = plan as BankPlan] in try await plan.runReporting()
                }
                checkReport(plan)
                plan.life += 1
            }
            plan.transfers = 5
            plan.seed = seed + UInt64(1_000 * plan.life + seat)
            await #expect(processExitsWith: .success, "process \(seat), seed \(seed)") {
                [plan = plan as BankPlan] in try await plan.runReporting()
            }
            checkReport(plan)
        }

        private func checkReport(_ plan: BankPlan) {
            let bytes = FileManager.default.contents(atPath: plan.reportURL.path)
            let report = bytes.map { String(decoding: $0, as: UTF8.self) }
            #expect(report == nil, "process \(plan.seat), seed \(plan.seed)")
        }

        /// The receipts are those that were acknowledged, and some of killed processes; they explain all balances.
        private func checkBooks(_ tally: BankSupervisor.Tally) throws {
            #expect(try Stack.examine(storeAt: url).findings.isEmpty)
            let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
            #expect(try connection.text("PRAGMA quick_check") == "ok")
            var receipts: Set<BankTransfer> = []
            try connection.withStatement("SELECT ZSEAT, ZNUMBER, ZSOURCE, ZDESTINATION, ZAMOUNT FROM ZBANKRECEIPT") {
                while try $0.step() {
                    receipts.insert(
                        BankTransfer(
                            seat: Int($0.int64(at: 0)), number: Int($0.int64(at: 1)), source: Int($0.int64(at: 2)),
                            destination: Int($0.int64(at: 3)), amount: Int($0.int64(at: 4))))
                }
            }
            #expect(tally.transfers.subtracting(receipts).isEmpty)
            #expect(receipts.count <= tally.transfers.count + tally.kills)
            #expect(try connection.int64("SELECT count(*) FROM ZBANKRECEIPT") == Int64(receipts.count))
            #expect(try connection.int64("SELECT sum(Z_OPT - 1) FROM ZBANKACCOUNT") == Int64(2 * receipts.count))
            for number in 0..<Self.accounts {
                let balance = receipts.reduce(Bank.deposit) { sum, receipt in
                    sum + (receipt.destination == number ? receipt.amount : 0)
                        - (receipt.source == number ? receipt.amount : 0)
                }
                let stored = try connection.int64("SELECT ZBALANCE FROM ZBANKACCOUNT WHERE ZNUMBER = \(number)")
                #expect(stored == Int64(balance), "account \(number)")
            }
            try connection.close()
        }
    }
#endif
