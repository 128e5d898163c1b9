#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Two processes add to one row at once: all of it counts.
    @Suite(.serialized) struct `Increments from two processes` {
        @Test func `are all there, whichever way they were made`() async throws {
            let folder = try TemporaryFolder()
            let url = folder.file("bank.sqlite")
            let stack = try Bank.openStack(at: url)
            try stack.openAccounts(1)
            try stack.close()
            await withTaskGroup(of: Void.self) { group in
                for seat in 0..<2 {
                    let plan = IncrementPlan(url: url, seat: seat, count: 100)
                    group.addTask {
                        await #expect(processExitsWith: .success, "process \(seat)") {
                            [plan = plan as IncrementPlan] in
                            do {
                                try await plan.run()
                            } catch {
                                try "\(error)".write(to: plan.reportURL, atomically: true, encoding: .utf8)
                                throw error
                            }
                        }
                    }
                }
            }
            for seat in 0..<2 {
                let url = BankPlan.reportURL(of: seat, besides: url)
                let report = FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) }
                #expect(report == nil, "process \(seat)")
            }
            let reopened = try Bank.openStack(at: url)
            let balance = try await Context(stack: reopened).read { try $0.fetch(Bank.Account.self).balance }
            #expect(balance == Bank.deposit + 2 * 100 * 11)
            try await reopened.closeStores()
        }
    }
#endif
