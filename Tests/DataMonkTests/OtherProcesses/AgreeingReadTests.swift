#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Calls that read several objects, of which some are there already: all in one state, whatever another process commits.
    @Suite(.serialized) @MainActor struct `Reads that have to agree` {
        private let folder: TemporaryFolder
        private let stack: Stack
        private let stranger: Stack
        private let World: MainContext
        /// Runs once, before the next statement of the stack that reads accounts.
        private let disturbance = Disturbance()
        /// Six accounts. The last one is empty, and the first one has twice the deposit.
        private let accounts: [Bank.Account]
        private let branch: Bank.Branch

        init() throws {
            folder = try TemporaryFolder()
            let url = folder.file("bank.sqlite")
            stack = try Bank.openStack(at: url) { [disturbance] sql in
                if sql.contains("FROM ZBANKACCOUNT") { disturbance.happen() }
            }
            try stack.openAccounts(6)
            try stack.transfer(1_000, from: 5, to: 0)
            stranger = try Bank.openStack(at: url)
            let World = try MainContext(stack: stack)
            accounts = try (0..<6).map { try World.fetch(Bank.Account.self, %"number" == $0) }
            branch = try World.fetch(Bank.Branch.self)
            self.World = World
        }

        /// The main actor's turn ends, and those that were scheduled before.
        private func endTurn() async {
            for _ in 0..<3 { await Task { @MainActor in }.value }
        }

        private func makeFault(_ object: ManagedObject) throws {
            try World.managedObjectContext.refresh(object, mergeChanges: false)
        }

        @Test func `for a filter over a relationship`() async throws {
            try stack.commit { update in
                let other = try update.create(Bank.Branch.self)
                try update.fetch(Bank.Account.self, %"number" == 5).branch = other
            }
            #expect(accounts.map { $0.branch?.name }.count == 6)
            await endTurn()
            try makeFault(try #require(accounts[5].branch))
            await endTurn()
            try stranger.transfer(2_000, from: 0, to: 5)
            #expect(try accounts.filtered(using: %"branch.name" != "x" && %"balance" > 1_500) == [accounts[5]])
        }

        @Test func `for an order over a relationship`() async throws {
            #expect(branch.accounts.count == 6)
            await endTurn()
            try makeFault(accounts[5])
            await endTurn()
            try stranger.transfer(2_000, from: 0, to: 5)
            let sums = try [branch].sorted(using: [SortTerm("accounts.@sum.balance")]).map { branch in
                try branch.value(forKeyPath: "accounts.@sum.balance")
            }
            #expect(sums == [.int(6_000)])
        }

        @Test(arguments: ["accounts.@sum.balance", "accounts.balance"])
        func `for a key path over a relationship`(path: String) async throws {
            #expect(branch.accounts.map(\.balance).reduce(0, +) == 6_000)
            await endTurn()
            for account in branch.accounts where account.number == 5 { try makeFault(account) }
            await endTurn()
            try stranger.transfer(500, from: 0, to: 5)
            let value = try branch.value(forKeyPath: path)
            let sum = if case .list(let values) = value { values.reduce(0) { $0 + $1.int } } else { value.int }
            #expect(sum == 6_000)
        }

        @Test func `for a condition over a relationship`() async throws {
            #expect(branch.accounts.map(\.balance).reduce(0, +) == 6_000)
            await endTurn()
            try makeFault(accounts[5])
            await endTurn()
            try stranger.transfer(500, from: 0, to: 5)
            #expect(try (%"accounts.@sum.balance" == 6_000).condition.evaluate(with: branch))
        }

        /// The other one commits while the first fault is read.
        @Test(arguments: [false, true]) func `for a filter of faults`(isPoolExhausted: Bool) async throws {
            await endTurn()
            for account in accounts { try makeFault(account) }
            await endTurn()
            let store = try #require(stack.coordinator.stores.first)
            let readers = try (0..<(isPoolExhausted ? 7 : 0)).map { _ in try store.openReader() }
            defer { for reader in readers { reader.end() } }
            // No row is in the row cache then.
            try stranger.commit { try $0.create(Bank.Branch.self).name = "new" }
            disturbance.prepare { [stranger] in try stranger.transfer(2_000, from: 0, to: 5) }
            let ends = [accounts[0], accounts[5]]
            #expect(try ends.filtered(using: %"balance" > 1_500) == [accounts[0]])
            #expect(!disturbance.isPending)
        }

        @Test func `for a list that reads a fault whose change is known`() async throws {
            // Before there is a list, which would read it again.
            try makeFault(accounts[5])
            let list = try World.fetchedResults(Bank.Account.self, %"balance" > 0, orderBy: .Ascending("number"))
            #expect(list.objects.count == 5)
            var sums: [Int] = []
            let observation = list.observeChanges { _ in sums.append(list.objects.map(\.balance).reduce(0, +)) }
            await endTurn()
            #expect(accounts[5].isFault)
            try stack.transfer(500, from: 0, to: 5)
            try stranger.transfer(300, from: 1, to: 5)
            await endTurn()
            #expect(!sums.isEmpty && sums.allSatisfy { $0 == 6_000 }, "\(sums)")
            #expect(list.objects.map(\.balance) == [1_500, 700, 1_000, 1_000, 1_000, 800])
            observation.cancel()
        }

        @Test func `leave observers the last reader of a store`() async throws {
            let store = stack.coordinator.stores[0]
            let list = try World.fetchedResults(Bank.Account.self, orderBy: .Ascending("number"))
            var observed = 0
            let observation = list.observeChanges { _ in
                // As a read of another context does, which would wait for this one otherwise.
                #expect(throws: Never.self) { try store.openReader().end() }
                observed += 1
            }
            await endTurn()
            let readers = try (0..<7).map { _ in try store.openReader() }
            defer { for reader in readers { reader.end() } }
            try stack.transfer(500, from: 0, to: 5)
            await endTurn()
            #expect(observed > 0)
            observation.cancel()
        }
    }

    extension ManagedValue {
        fileprivate var int: Int64 { if case .int(let number) = self { number } else { 0 } }
    }
#endif
