#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation

    /// One of the processes that transfer money between the same accounts, and what each of its contexts checks meanwhile.
    struct BankPlan: Codable, Sendable {
        /// Where the store lies.
        var url: URL
        /// Which of the processes it is.
        var seat: Int
        var accounts: Int
        var transfers: Int
        var seed: UInt64
        /// How long a commit waits for another process; nil for as long as stacks do by default. Then it is tried again.
        var patienceInMilliseconds: Int?
        /// The named pipe to a supervisor, which kills and stops the process; nil if it is left alone.
        var reportsURL: URL?
        /// The number of times that the process was begun before.
        var life = 0

        /// **Value.** A context that contradicts itself.
        struct Contradiction: Error, CustomStringConvertible {
            let description: String

            init(_ description: String) { self.description = description }
        }

        /// Where the process says what it has died of.
        var reportURL: URL { Self.reportURL(of: seat, besides: url) }

        static func reportURL(of seat: Int, besides url: URL) -> URL {
            url.deletingLastPathComponent().appending(path: "report-\(seat).txt")
        }

        var total: Int { accounts * Bank.deposit }

        /// Runs, and says what the process has died of.
        func runReporting() async throws {
            do {
                try await run()
            } catch {
                try "\(error)".write(to: reportURL, atomically: true, encoding: .utf8)
                throw error
            }
        }

        /// Transfers, and looks on by each kind of context until the transfers are done.
        func run() async throws {
            let reports = try reportsURL.map { try BankReports($0, of: self) }
            let stack = try await openStack(reports)
            let isDone = Locked(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { isDone.withLock { $0 = true } }
                    try await transferAll(stack, reports)
                }
                group.addTask { try await lookOnMain(stack, reports) { isDone.withLock { $0 } } }
                group.addTask {
                    while !isDone.withLock({ $0 }) {
                        try await unlessLocked(reports) { try await Context(stack: stack).read(lookByReader) }
                    }
                }
                group.addTask {
                    while !isDone.withLock({ $0 }) {
                        try await unlessLocked(reports) { try lookByBareContext(stack) }
                        await Task.yield()
                    }
                }
                try await group.waitForAll()
            }
            try await stack.closeStores()
            reports?.send("ended")
        }

        private func openStack(_ reports: BankReports?) async throws -> Stack {
            while true {
                let stack = try await unlessLocked(reports) {
                    try Bank.openStack(
                        at: url, busyTimeout: patienceInMilliseconds.map { .milliseconds($0) } ?? .seconds(60)
                    ) { reports?.stopSometimes(before: $0) }
                }
                if let stack { return stack }
                await Task.yield()
            }
        }

        /// - Returns: nil if another process holds the store.
        @discardableResult
        private func unlessLocked<Result>(
            isolation: isolated (any Actor)? = #isolation, _ reports: BankReports?,
            _ body: () async throws -> Result
        ) async throws -> Result? {
            do {
                return try await body()
            } catch let error as StoreError where error.code == .locked && patienceInMilliseconds != nil {
                reports?.send("locked \(error)")
                return nil
            }
        }

        private func transferAll(_ stack: Stack, _ reports: BankReports?) async throws {
            var random = SeededGenerator(seed: seed)
            let context = try Context(stack: stack, mergePolicy: .error)
            var done = 0
            while done < transfers {
                try Task.checkCancellation()
                let source = Int.random(in: 0..<accounts, using: &random)
                let destination = (source + Int.random(in: 1..<accounts, using: &random)) % accounts
                let transfer = BankTransfer(
                    seat: seat, number: life * 1_000_000 + done, source: source, destination: destination,
                    amount: Int.random(in: 1...100, using: &random))
                do {
                    let isDone: Void? = try await unlessLocked(reports) {
                        try await context.update { update in
                            // Before the changes, which keep the rows that they started from.
                            try require(try update.fetchAll(Bank.Account.self), "an update's fetch")
                            try transfer.make(update)
                            try update.commit()
                        }
                    }
                    guard isDone != nil else { continue }
                    done += 1
                    reports?.send("transferred \(transfer)")
                } catch let error as SaveError where !error.conflicts.isEmpty {
                    // Another one was first.
                    reports?.send("conflict")
                }
            }
        }

        // MARK: Looking on

        private func require(_ accounts: [Bank.Account], _ place: String) throws {
            let sum = accounts.map(\.balance).reduce(0, +)
            if sum != total || accounts.count != self.accounts {
                throw Contradiction("\(place) shows \(accounts.count) accounts with \(sum) instead of \(total)")
            }
        }

        private func require(_ poor: [Bank.Account], among all: [Bank.Account], _ place: String) throws {
            let expected = all.filter { $0.balance < Bank.deposit }
            if Set(poor) != Set(expected) {
                throw Contradiction(
                    "\(place) finds \(poor.map { "\($0.number): \($0.balance)" }), "
                        + "of \(all.map { "\($0.number): \($0.balance)" })")
            }
        }

        private func require(_ sum: Int?, _ place: String) throws {
            if sum != total { throw Contradiction("\(place) is \(sum ?? 0) instead of \(total)") }
        }

        private func lookByReader(_ reader: Reader) throws {
            let all = try reader.fetchAll(Bank.Account.self)
            try require(all, "a reader's fetch")
            try require(reader.queryValue(Bank.Account.self, .Sum("balance"), as: Int.self), "a reader's sum")
            let poor = try reader.fetchAll(Bank.Account.self, %"balance" < Bank.deposit)
            try require(poor, among: all, "a reader's condition")
            let count = try reader.count(Bank.Account.self, %"balance" < Bank.deposit)
            // Counting has moved the held objects on.
            let expected = all.count { $0.balance < Bank.deposit }
            if count != expected { throw Contradiction("a reader counts \(count) of \(expected)") }
            try require(all, "a reader's held objects")
            try require(try all.map { try reader.use($0.objectID) }, "a reader's walk")
        }

        /// Each of its calls is of one state, and faults are of the present one.
        private func lookByBareContext(_ stack: Stack) throws {
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            var request = FetchRequest(entityName: "BankAccount")
            for _ in 0..<4 {
                let all = try context.fetch(request).compactMap { $0 as? Bank.Account }
                try require(all, "a bare context's fetch")
                let same = try context.objects(with: all.map(\.anyObjectID)).compactMap { $0 as? Bank.Account }
                try require(same, "a bare context's objects")
                request.condition = .compare("balance", .lessThan, .int(Int64(Bank.deposit)))
                let poor = try context.fetch(request).compactMap { $0 as? Bank.Account }
                if let rich = poor.first(where: { $0.balance >= Bank.deposit }) {
                    throw Contradiction("a bare context's condition finds \(rich.number): \(rich.balance)")
                }
                request.condition = nil
            }
        }

        @MainActor
        private func lookOnMain(_ stack: Stack, _ reports: BankReports?, until isDone: () -> Bool) async throws {
            let World = try MainContext(stack: stack)
            let held = try World.fetchAll(Bank.Account.self)
            let list = try World.fetchedResults(
                Bank.Account.self, %"balance" < Bank.deposit, orderBy: .Ascending("number"))
            var failure: (any Error)?
            let observation = list.observeChanges { _ in
                do { try require(list.objects, among: held, "a list") } catch { failure = failure ?? error }
            }
            while !isDone() {
                // In a turn of its own. The first property that has to be read from the store may move the context, so what was
                // taken out of the objects before that is of no account.
                _ = held.map(\.balance)
                try require(held, "a main context's held objects, untouched by a fetch")
                try await unlessLocked(reports) {
                    let poor = try World.fetchAll(Bank.Account.self, %"balance" < Bank.deposit)
                    try require(poor, among: held, "a main context's condition")
                    let sum = try World.queryValue(Bank.Account.self, .Sum("balance"), as: Int.self)
                    try require(sum, "a main context's sum")
                    try require(try held.map { try World.use($0.objectID) }, "a main context's walk")
                    try require(held, "a main context's held objects")
                }
                if let failure { throw failure }
                await Task.yield()
            }
            observation.cancel()
        }
    }
#endif
