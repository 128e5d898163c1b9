#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    /// Four processes transfer money between the same accounts. In each of them every fetch, sum, list and walk of every kind
    /// of context agrees with one state of the store.
    @Suite(.serialized) struct `A bank of four processes` {
        @Test func `keeps its balance in each context of each process`() async throws {
            let environment = ProcessInfo.processInfo.environment
            let transfers = environment["DATAMONK_BANK_TRANSFERS"].flatMap { Int($0) } ?? 40
            let seed = environment["DATAMONK_BANK_SEED"].flatMap { UInt64($0) } ?? 1
            print("Bank with \(transfers) transfers a process, seed \(seed)")
            let folder = try TemporaryFolder()
            let url = folder.file("bank.sqlite")
            let stack = try Bank.openStack(at: url)
            try stack.openAccounts(8)
            try stack.close()
            await withTaskGroup(of: Void.self) { group in
                for seat in 0..<4 {
                    let plan = BankPlan(
                        url: url, seat: seat, accounts: 8, transfers: transfers, seed: seed + UInt64(seat))
                    group.addTask {
                        await #expect(processExitsWith: .success, "process \(seat), seed \(seed)") {
                            [plan = plan as BankPlan] in
                            try await plan.runReporting()
                        }
                    }
                }
            }
            for seat in 0..<4 {
                let url = BankPlan.reportURL(of: seat, besides: url)
                let report = FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) }
                #expect(report == nil, "process \(seat), seed \(seed)")
            }
            let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
            #expect(try connection.int64("SELECT sum(ZBALANCE) FROM ZBANKACCOUNT") == Int64(8 * Bank.deposit))
            // Each transfer has raised the versions of two accounts.
            #expect(try connection.int64("SELECT sum(Z_OPT - 1) FROM ZBANKACCOUNT") == Int64(4 * 2 * transfers))
        }
    }
#endif
