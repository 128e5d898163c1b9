#if Macros
    import DataMonk
    import Foundation

    /// One of the processes that add to the same account.
    struct IncrementPlan: Codable, Sendable {
        /// Where the store lies.
        var url: URL
        /// Which of the processes it is.
        var seat: Int
        /// How often it adds in each way.
        var count: Int

        /// Where the process says what it has died of.
        var reportURL: URL { BankPlan.reportURL(of: seat, besides: url) }

        /// Adds one by increments, and ten by updates that run again.
        func run() async throws {
            let stack = try Bank.openStack(at: url, busyTimeout: .seconds(60))
            let context = try Context(stack: stack)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        try await context.update { update in
                            let account = try update.fetch(Bank.Account.self)
                            try update.increment(\.balance, by: 1, of: account)
                            try update.commit()
                        }
                    }
                    group.addTask {
                        try await context.update(retrying: 1_000) { update in
                            let account = try update.fetch(Bank.Account.self)
                            let balance = account.balance
                            await Task.yield()
                            account.balance = balance + 10
                            try update.commit()
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await stack.closeStores()
        }
    }
#endif
