#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    /// Other processes' commits that come while this one commits: between any two of its steps, whoever reads sees one state.
    ///
    /// A trace and an observer of commits, which are called at the steps, have the other process commit and a context read.
    @Suite(.serialized) struct `The moment of another process's commit` {
        private let folder: TemporaryFolder
        private let url: URL
        private let stranger: Stack

        init() throws {
            folder = try TemporaryFolder()
            url = folder.file("bank.sqlite")
            let stack = try Bank.openStack(at: url)
            try stack.openAccounts(4)
            try stack.close()
            stranger = try Bank.openStack(at: url)
        }

        private func look(_ context: ManagedObjectContext, _ held: [Bank.Account]) throws {
            var request = FetchRequest(entityName: "BankAccount", condition: .compare("balance", .lessThan, 1_000))
            request.sortTerms = [SortTerm("number")]
            let poor = try context.fetch(request).compactMap { $0 as? Bank.Account }
            #expect(poor.allSatisfy { $0.balance < 1_000 })
            #expect(Set(poor) == Set(held.filter { $0.balance < 1_000 }))
            #expect(held.map(\.balance).reduce(0, +) == 4_000)
        }

        private func held(by context: ManagedObjectContext) throws -> [Bank.Account] {
            try context.fetch(FetchRequest(entityName: "BankAccount")).compactMap { $0 as? Bank.Account }
        }

        @Test func `may lie between a commit and the news of it`() throws {
            let stack = try Bank.openStack(at: url)
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            let accounts = try held(by: other)
            // nonisolated(unsafe): called on this thread alone, inside the commit below.
            nonisolated(unsafe) let look = { [self] in
                try stranger.transfer(50, from: 2, to: 3)
                try self.look(other, accounts)
                #expect(accounts.first { $0.number == 2 }?.balance == 950)
            }
            let count = Locked(0)
            let token = stack.coordinator.commitObservers.add { changes in
                if changes.inserted.isEmpty { return }
                count.withLock { $0 += 1 }
                #expect(throws: Never.self) { try look() }
            }
            try stack.commit { try $0.create(Bank.Branch.self).name = "new" }
            stack.coordinator.commitObservers.remove(token)
            #expect(count.withLock { $0 } == 1)
            // Noticed by the reader: no news to the next commit.
            let generation = stack.coordinator.publishedGeneration.rawValue
            try stack.commit { try $0.create(Bank.Branch.self).name = "newer" }
            #expect(stack.coordinator.publishedGeneration.rawValue == generation + 1)
        }

        @Test func `may lie before a commit that is being written`() throws {
            let steps = Locked<[String]>([])
            // nonisolated(unsafe): set before the commit, and called on its thread alone.
            nonisolated(unsafe) var look: (() throws -> Void)?
            let stack = try Bank.openStack(at: url) { sql in
                guard sql.hasPrefix("INSERT INTO ZBANKBRANCH") || sql == "COMMIT", let body = look else { return }
                look = nil
                steps.withLock { $0.append(sql) }
                #expect(throws: Never.self) { try body() }
            }
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            let accounts = try held(by: other)
            for number in 1...2 {
                try stranger.transfer(50, from: 2, to: 3)
                look = {
                    try self.look(other, accounts)
                    #expect(accounts.first { $0.number == 2 }?.balance == 1_000 - 50 * number)
                }
                try stack.commit { try $0.create(Bank.Branch.self).name = "new" }
            }
            #expect(steps.withLock { $0.count } == 2)
        }

        /// The other process writes or deletes the rows that the commit has just written, so none of them shows that commit.
        @Test(arguments: [false, true])
        func `may follow a commit that has not returned`(deletes: Bool) throws {
            let disk = try FaultyDisk(folder: folder.url)
            let stack = try Bank.openStack(at: url)
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            let accounts = try held(by: other)
            #expect(accounts.count == 4)
            // nonisolated(unsafe): called once, on the thread below, while this one waits for it.
            nonisolated(unsafe) let look = { [self] in
                let poor = FetchRequest(entityName: "BankAccount", condition: .compare("balance", .lessThan, 1_000))
                let found = try other.fetch(poor).compactMap { ($0 as? Bank.Account)?.balance }
                return (poor: found, total: try self.held(by: other).map(\.balance).reduce(0, +))
            }
            let result = Locked<Result<(poor: [Int], total: Int), any Error>?>(nil)
            disk.afterNextTransaction { [stranger] in
                #expect(throws: Never.self) {
                    try deletes ? stranger.closeAccounts(from: 2) : stranger.transfer(200, from: 2, to: 3)
                }
                Thread.detachNewThread {
                    let outcome = Result { try look() }
                    result.withLock { $0 = outcome }
                }
                while stack.coordinator.waitingReaderCount == 0, result.withLock({ $0 == nil }) { sched_yield() }
            }
            try stack.transfer(50, from: 2, to: 3)
            while result.withLock({ $0 == nil }) { sched_yield() }
            let seen = try result.withLock { $0 }?.get()
            #expect(seen?.poor == (deletes ? [] : [750]))
            #expect(seen?.total == 4_000)
            withExtendedLifetime(accounts) {}
        }

        @Test func `may lie before a commit that fails`() throws {
            let stack = try Bank.openStack(at: url)
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            let accounts = try held(by: other)
            let told = Locked(0)
            let token = stack.coordinator.commitObservers.add { changes in
                if changes.comesWithForeignChanges { told.withLock { $0 += 1 } }
            }
            #expect(throws: SaveError.self) {
                try stack.commit { update in
                    let account = try update.fetch(Bank.Account.self, %"number" == 2)
                    try stranger.transfer(50, from: 2, to: 3)
                    account.balance = 0
                }
            }
            #expect(told.withLock { $0 } == 1)
            try look(other, accounts)
            stack.coordinator.commitObservers.remove(token)
        }

        @Test func `is seen while a commit waits for yet another one`() async throws {
            let (waits, wait) = AsyncStream.makeStream(of: Void.self)
            let stack = try Bank.openStack(at: url, busyTimeout: .seconds(3_600)) {
                if $0 == "BEGIN IMMEDIATE" { wait.yield() }
            }
            let context = try Context(stack: stack)
            #expect(try await context.read { try $0.count(Bank.Account.self, %"balance" < 1_000) } == 0)
            try stranger.transfer(50, from: 2, to: 3)
            let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
            try other.begin(.immediate)
            try other.execute("UPDATE ZBANKACCOUNT SET ZBALANCE = ZBALANCE - 5, Z_OPT = Z_OPT + 1 WHERE ZNUMBER = 0")
            async let commit: Void = context.update { update in
                try update.create(Bank.Branch.self).name = "new"
                try update.commit()
            }
            for await _ in waits { break }
            #expect(try await context.read { try $0.count(Bank.Account.self, %"balance" < 1_000) } == 1)
            try other.commit()
            try await commit
            #expect(try await context.read { try $0.count(Bank.Account.self, %"balance" < 1_000) } == 2)
        }

        @Test func `is told once by each of many readers`() async throws {
            let stack = try Bank.openStack(at: url)
            let context = try Context(stack: stack)
            for round in 1...20 {
                let before = stack.coordinator.publishedGeneration.rawValue
                try stranger.transfer(1, from: 0, to: 1)
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            try await context.read { try $0.count(Bank.Account.self, %"balance" == 1_000 - round) }
                        }
                    }
                    for try await count in group { #expect(count == 1) }
                }
                #expect(stack.coordinator.publishedGeneration.rawValue == before + 1)
            }
        }

        @Test func `is seen in each of two stores`() throws {
            let second = folder.file("second.sqlite")
            let stack = Stack(model: try Bank.model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            try stack.addDatabaseStore(fileURL: second, synchronous: .normal)
            let other = try Bank.openStack(at: second)
            try other.openAccounts(4)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            #expect(try context.fetch(FetchRequest(entityName: "BankAccount")).count == 8)
            let poor = FetchRequest(entityName: "BankAccount", condition: .compare("balance", .lessThan, 1_000))
            try other.transfer(50, from: 0, to: 1)
            #expect(try context.fetch(poor).count == 1)
            try stranger.transfer(50, from: 0, to: 1)
            #expect(try context.fetch(poor).compactMap { ($0 as? Bank.Account)?.balance } == [950, 950])
        }
    }

    extension Stack {
        /// Deletes the accounts from a number on, and moves what they hold to the first one.
        fileprivate func closeAccounts(from first: Int) throws {
            try commit { update in
                let closed = try update.fetchAll(Bank.Account.self, %"number" >= first)
                try update.fetch(Bank.Account.self, %"number" == 0).balance += closed.map(\.balance).reduce(0, +)
                for account in closed { try update.delete(account) }
            }
        }
    }
#endif
