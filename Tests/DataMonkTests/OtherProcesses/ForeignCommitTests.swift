#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// What contexts see of the commits of another process: all of each, or nothing.
    ///
    /// The other process is a second stack over the same file, which shares nothing with the first but the file.
    @Suite(.serialized) @MainActor struct `Commits of other processes` {
        private let folder: TemporaryFolder
        private let url: URL
        private let stack: Stack
        private let stranger: Stack
        private let World: MainContext

        init() throws {
            folder = try TemporaryFolder()
            url = folder.file("bank.sqlite")
            stack = try Bank.openStack(at: url)
            try stack.openAccounts(6)
            stranger = try Bank.openStack(at: url)
            World = try MainContext(stack: stack)
        }

        /// The main actor's turn ends, and those that were scheduled before.
        private func endTurn() async {
            for _ in 0..<3 { await Task { @MainActor in }.value }
        }

        private func account(_ number: Int) throws -> Bank.Account {
            try World.fetch(Bank.Account.self, %"number" == number)
        }

        private func sum() throws -> Int? {
            try World.queryValue(Bank.Account.self, .Sum("balance"), as: Int.self)
        }

        private func numbers(poorerThan limit: Int) throws -> [Int] {
            try World.fetchAll(Bank.Account.self, %"balance" < limit, orderBy: .Ascending("number")).map(\.number)
        }

        // MARK: Fetches

        @Test func `show in a fetch's objects what they show in its condition`() async throws {
            let held = try account(0)
            await endTurn()
            try stranger.transfer(500, from: 0, to: 1)
            let poor = try World.fetchAll(Bank.Account.self, %"balance" < 600)
            #expect(poor == [held] && held.balance == 500)
            #expect(try World.fetchAll(Bank.Account.self).map(\.balance).reduce(0, +) == 6 * Bank.deposit)
            #expect(try sum() == 6 * Bank.deposit)
        }

        @Test func `show in held objects with the fetch that shows them`() async throws {
            let held = try (0..<6).map(account)
            await endTurn()
            for step in 1...3 {
                try stranger.transfer(100, from: 0, to: step)
                #expect(try World.count(Bank.Account.self, %"balance" < Bank.deposit) == 1)
                #expect(held.map(\.balance).reduce(0, +) == 6 * Bank.deposit)
                #expect(held[0].balance == Bank.deposit - 100 * step)
                await endTurn()
            }
        }

        @Test(arguments: [UpdateTarget.mainContext, .persistentStore])
        func `bring a draft's list objects that nobody has registered`(target: UpdateTarget) async throws {
            let world = try MainContext(stack: stack, updateTarget: target)
            let draft = world.draft()
            var request = FetchRequest(entityName: "BankAccount", condition: .compare("balance", .lessThan, 600))
            request.sortTerms = [SortTerm("number")]
            let list = try FetchedResultsController<Bank.Account>(
                context: draft.managedObjectContext, request: request)
            try list.performFetch()
            #expect(list.count == 0)
            await endTurn()
            try stranger.transfer(500, from: 0, to: 1)
            try world.refreshAll()
            draft.managedObjectContext.processPendingChanges()
            #expect(list.fetchedObjects?.map(\.number) == [0])
        }

        @Test func `are not taken back by a read by id`() async throws {
            let id = try account(0).objectID
            await endTurn()
            let context = try Context(stack: stack)
            // The row is in the row cache.
            #expect(try await context.update { try $0.use(id).balance } == Bank.deposit)
            try stranger.transfer(1, from: 0, to: 1)
            #expect(try await context.read { try $0.fetchAll(Bank.Account.self, %"number" == 0)[0].balance } == 999)
            #expect(try await context.read { try $0.use(id).balance } == 999)
            #expect(try await context.read { try $0.fetch(Bank.Account.self, [id])[0].balance } == 999)
            try World.refreshAll()
            #expect(try World.use(id).balance == 999)
            World.reset()
            #expect(try World.use(id).balance == 999)
        }

        @Test func `are seen by the first read by id`() async throws {
            let id = try account(0).objectID
            await endTurn()
            _ = try await Context(stack: stack).update { try $0.use(id).balance }
            try stranger.transfer(1, from: 0, to: 1)
            #expect(try await Context(stack: stack).read { try $0.use(id).balance } == 999)
            #expect(try World.use(id).balance == 999)
        }

        @Test func `are one state to a reader, before and after`() async throws {
            let stranger = stranger
            try await Context(stack: stack).read { reader in
                let held = try reader.fetchAll(Bank.Account.self, orderBy: .Ascending("number"))
                for step in 1...3 {
                    try stranger.transfer(100, from: 0, to: step)
                    await Task.yield()
                    let poor = try reader.fetchAll(Bank.Account.self, %"balance" < Bank.deposit)
                    #expect(poor.map(\.balance) == [Bank.deposit - 100 * step])
                    #expect(held.map(\.balance).reduce(0, +) == 6 * Bank.deposit)
                }
            }
        }

        @Test func `of the same process are one state to a reader too`() async throws {
            let context = try Context(stack: stack)
            try await context.read { reader in
                let held = try reader.fetchAll(Bank.Account.self, orderBy: .Ascending("number"))
                try await context.update { update in
                    try update.fetch(Bank.Account.self, %"number" == 0).balance -= 100
                    try update.fetch(Bank.Account.self, %"number" == 1).balance += 100
                    try update.commit()
                }
                #expect(try reader.fetchAll(Bank.Account.self, %"balance" < Bank.deposit) == [held[0]])
                #expect(held.map(\.balance) == [900, 1_100, 1_000, 1_000, 1_000, 1_000])
            }
        }

        @Test func `show in a to-many with the fetch that shows them`() async throws {
            let branch = try World.fetch(Bank.Branch.self)
            #expect(branch.accounts.count == 6)
            await endTurn()
            try stranger.commit { update in
                try update.delete(try update.fetch(Bank.Account.self, %"number" == 5))
                let account = try update.create(Bank.Account.self)
                account.number = 6
                account.branch = try update.fetch(Bank.Branch.self)
            }
            #expect(try World.count(Bank.Account.self) == 6)
            #expect(branch.accounts.map(\.number).sorted() == [0, 1, 2, 3, 4, 6])
        }

        @Test func `leave alone what was changed here, and meet it at the commit`() throws {
            let (stranger, context) = (stranger, try Context(stack: stack, mergePolicy: .error))
            let error = #expect(throws: SaveError.self) {
                try context.beginUpdateAndWait { update in
                    let account = try update.fetch(Bank.Account.self, %"number" == 0)
                    account.balance -= 1
                    try stranger.transfer(100, from: 0, to: 1)
                    try update.commit()
                }
            }
            #expect(error?.conflicts.count == 1)
            // What was found by a commit that failed is not lost.
            #expect(try account(0).balance == 900 && account(1).balance == 1_100)
        }

        @Test func `that a fault meets behind them are read as they are now`() async throws {
            let faults = try World.fetchAll(
                Bank.Account.self, orderBy: .Ascending("number"), options: .NoPropertyValues)
            await endTurn()
            try stranger.transfer(100, from: 0, to: 1)
            // Another context notices them.
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            #expect(try other.count(FetchRequest(entityName: "BankAccount")) == 6)
            #expect(faults.map(\.balance) == [900, 1_100, 1_000, 1_000, 1_000, 1_000])
        }

        @Test func `show in held objects that are read between two fetches`() async throws {
            let held = try (0..<6).map(account)
            await endTurn()
            try stranger.transfer(100, from: 0, to: 1)
            // Another context notices them, and the row of one object goes into the row cache.
            let id = held[0].objectID
            #expect(try await Context(stack: stack).read { try $0.use(id).balance } == 900)
            await endTurn()
            try stranger.transfer(100, from: 0, to: 1)
            #expect(held.map(\.balance).reduce(0, +) == 6 * Bank.deposit)
            #expect(held.map(\.balance) == [800, 1_200, 1_000, 1_000, 1_000, 1_000])
        }

        @Test func `show in all held objects when a fault meets them`() async throws {
            let held = try (0..<6).map(account)
            let branch = try World.fetch(Bank.Branch.self, options: .NoPropertyValues)
            World.managedObjectContext.processPendingChanges()
            await endTurn()
            try stranger.commit { update in
                let account = try update.fetch(Bank.Account.self, %"number" == 0)
                account.balance = 0
                try update.fetch(Bank.Branch.self).name = "poor"
            }
            // Read by a property, which no other context has.
            #expect(branch.name == "poor")
            #expect(held[0].balance == 0)
        }

        @Test func `are taken over in one turn, however many objects are held`() async throws {
            try stack.openAccounts(600)
            let held = try World.fetchAll(Bank.Account.self, %"branch.accounts.@count" == 600)
            #expect(held.count == 600)
            await endTurn()
            try stranger.commit { update in
                for account in try update.fetchAll(Bank.Account.self) { account.balance += 1 }
            }
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            #expect(try other.count(FetchRequest(entityName: "BankAccount")) == 606)
            await Task { @MainActor in }.value
            #expect(held.allSatisfy { $0.isFault })
            #expect(Set(held.map(\.balance)) == [Bank.deposit + 1])
        }

        // MARK: The first commit

        @Test func `are noticed by the first commit of this one`() async throws {
            let held = try account(0)
            let list = try World.fetchedResults(
                Bank.Account.self, %"balance" < Bank.deposit, orderBy: .Ascending("number"))
            await endTurn()
            try stranger.transfer(100, from: 0, to: 1)
            try stack.commit { try $0.create(Bank.Branch.self).name = "new" }
            await endTurn()
            #expect(held.balance == 900)
            #expect(list.objects == [held])
        }

        @Test func `come with a commit that says so`() async throws {
            var commits = World.commits.makeAsyncIterator()
            try stranger.transfer(100, from: 0, to: 1)
            try stack.commit { try $0.create(Bank.Branch.self).name = "new" }
            var first = try #require(await commits.next())
            #expect(first.isEverything)
            // The watch over the file may have been faster than the commit.
            if first.inserted.isEmpty { first = try #require(await commits.next()) }
            #expect(first.inserted.count == 1)
            try stack.commit { try $0.create(Bank.Branch.self).name = "newer" }
            let second = try #require(await commits.next())
            #expect(!second.isEverything && second.inserted.count == 1)
        }

        @Test func `that a fetch notices are told to observers of commits`() async throws {
            _ = try account(0)
            await endTurn()
            var commits = World.commits.makeAsyncIterator()
            try stranger.transfer(100, from: 0, to: 1)
            #expect(try account(0).balance == 900)
            let first = try #require(await commits.next())
            #expect(first.isEverything && first.inserted.isEmpty && first.updated.isEmpty && first.deleted.isEmpty)
        }

        // MARK: Lists

        @Test func `bring a list up to date with a refresh`() async throws {
            let list = try World.fetchedResults(
                Bank.Account.self, %"balance" < Bank.deposit, orderBy: .Ascending("number"))
            await endTurn()
            try stranger.transfer(100, from: 3, to: 1)
            try World.refreshAll()
            await endTurn()
            #expect(list.objects.map(\.number) == [3])
        }

        @Test func `bring a list up to date with any fetch`() async throws {
            let list = try World.fetchedResults(
                Bank.Account.self, orderBy: .Descending("balance") | .Ascending("number"))
            await endTurn()
            try stranger.transfer(100, from: 3, to: 1)
            _ = try World.count(Bank.Branch.self)
            await endTurn()
            #expect(list.objects.map(\.number) == [1, 0, 2, 4, 5, 3])
            #expect(list.objects.map(\.balance).reduce(0, +) == 6 * Bank.deposit)
        }

        @Test func `tell a list the objects that they have changed, and no others`() async throws {
            let list = try World.fetchedResults(Bank.Account.self, orderBy: .Ascending("number"))
            var told: [FetchedResultsChanges.ObjectChange.Kind] = []
            let observation = list.observeChanges { told += $0.objects.map(\.kind) }
            for _ in 0..<2 {
                await endTurn()
                try stranger.transfer(100, from: 3, to: 1)
                _ = try World.count(Bank.Branch.self)
                await endTurn()
                #expect(told == [.update([0, 1], [0, 1]), .update([0, 3], [0, 3])])
                told = []
            }
            // A list that was fetched between two commits has shown the first one.
            try stranger.transfer(100, from: 3, to: 1)
            try World.refreshAll()
            let between = list[[0, 3]].balance
            try list.reload()
            await endTurn()
            try stranger.transfer(100, from: 1, to: 3)
            _ = try World.count(Bank.Branch.self)
            await endTurn()
            #expect(told.contains(.update([0, 3], [0, 3])) && list[[0, 3]].balance == between + 100)
            _ = observation
        }

        @Test func `bring the list of a context that follows nothing up to date with a refresh`() async throws {
            let alone = try MainContext(stack: stack, updateTarget: .persistentStore)
            let list = try alone.fetchedResults(
                Bank.Account.self, %"balance" < Bank.deposit, orderBy: .Ascending("number"))
            await endTurn()
            try stranger.transfer(100, from: 3, to: 1)
            try alone.refreshAll()
            await endTurn()
            #expect(list.objects.map(\.number) == [3])
        }

        // MARK: Bare contexts

        @Test func `are seen by the next call of a bare context`() throws {
            let bare = ManagedObjectContext(coordinator: stack.coordinator)
            let request = FetchRequest(entityName: "BankAccount", condition: .compare("balance", .lessThan, 1_000))
            #expect(try bare.count(request) == 0)
            try stranger.transfer(100, from: 0, to: 1)
            #expect(try bare.count(request) == 1)
            try stranger.transfer(100, from: 2, to: 1)
            #expect(try bare.fetch(request).count == 2)
            try stranger.transfer(100, from: 3, to: 1)
            try bare.refreshAllObjects()
            #expect(try bare.objectIDs(request).count == 3)
        }

        @Test func `are told to a list whose objects were read between two of them in one event`() throws {
            let writer = ManagedObjectContext(coordinator: stranger.coordinator)
            let branch = try writer.insert(Bank.Branch.self)
            branch.name = "Nowhere"
            try writer.save()
            let bare = ManagedObjectContext(coordinator: stack.coordinator)
            var request = FetchRequest(entityName: "BankBranch")
            request.sortTerms = [SortTerm("name")]
            let controller = try FetchedResultsController<Bank.Branch>(context: bare, request: request)
            try controller.performFetch()
            var told: [AnyObjectID] = []
            let observation = controller.observeChanges { told += $0.objects.map(\.objectID) }
            let own = try #require(controller.fetchedObjects?.first { $0.name == "Nowhere" })
            #expect(own.accounts.isEmpty)
            let account = try writer.fetch(FetchRequest(entityName: "BankAccount")).first as? Bank.Account
            account?.branch = branch
            try writer.save()
            bare.endTurn()
            _ = try bare.fetch(request)
            try stranger.transfer(1, from: 0, to: 1)
            bare.endTurn()
            _ = try bare.fetch(request)
            bare.processPendingChanges()
            #expect(told.contains(own.anyObjectID))
            _ = observation
        }

        @Test(arguments: [false, true])
        func `are told to a list of objects with unsaved changes`(hasDraft: Bool) throws {
            let bare = ManagedObjectContext(coordinator: stack.coordinator)
            var request = FetchRequest(entityName: "BankBranch")
            request.sortTerms = [SortTerm("city")]
            let controller = try FetchedResultsController<Bank.Branch>(context: bare, request: request)
            try controller.performFetch()
            let branch = try #require(controller.fetchedObjects?.first)
            let account = try bare.insert(Bank.Account.self)
            account.branch = branch
            if hasDraft { branch.name = "mine" }
            #expect(branch.accounts.count == 7)
            bare.processPendingChanges()
            var told: [AnyObjectID] = []
            let observation = controller.observeChanges { told += $0.objects.map(\.objectID) }
            try stranger.commit { update in
                let branch = try update.fetch(Bank.Branch.self)
                if hasDraft { try update.create(Bank.Account.self).branch = branch } else { branch.name = "theirs" }
            }
            bare.endTurn()
            _ = try bare.fetch(request)
            bare.processPendingChanges()
            #expect(branch.name == (hasDraft ? "mine" : "theirs") && branch.accounts.count == (hasDraft ? 8 : 7))
            #expect(told == [branch.anyObjectID])
            _ = observation
        }

        @Test func `are met before a list reads what was inserted before them`() async throws {
            let list = try World.fetchedResults(Bank.Account.self, orderBy: .Ascending("number"))
            var sums: [Int] = []
            let observation = list.observeChanges { _ in sums.append(list.objects.map(\.balance).reduce(0, +)) }
            await endTurn()
            try stack.commit { update in
                let account = try update.create(Bank.Account.self)
                account.number = 6
            }
            try stranger.transfer(100, from: 0, to: 6)
            await endTurn()
            #expect(!sums.isEmpty && sums.allSatisfy { $0 == 6 * Bank.deposit }, "\(sums)")
            #expect(list.objects.map(\.balance) == [900, 1_000, 1_000, 1_000, 1_000, 1_000, 100])
            observation.cancel()
        }

        @Test func `are met before objects are filtered and sorted`() async throws {
            let accounts = try (0..<6).map(account)
            await endTurn()
            // Only the last one is a fault.
            try accounts[5].managedObjectContext?.refresh(accounts[5], mergeChanges: false)
            await endTurn()
            try stranger.transfer(500, from: 0, to: 5)
            #expect(try accounts.filtered(using: %"balance" != 1_000) == [accounts[0], accounts[5]])
            await endTurn()
            try accounts[5].managedObjectContext?.refresh(accounts[5], mergeChanges: false)
            await endTurn()
            try stranger.transfer(100, from: 0, to: 5)
            #expect(try accounts.sorted(using: [SortTerm("balance")]).map(\.balance).reduce(0, +) == 6_000)
            #expect(accounts[0].balance == 400)
        }

        @Test func `leave an object alone that was deleted before its first save`() throws {
            let bare = ManagedObjectContext(coordinator: stack.coordinator)
            let branch = try bare.insert(Bank.Branch.self)
            branch.name = "new"
            bare.delete(branch)
            try stranger.transfer(100, from: 0, to: 1)
            try bare.refreshAllObjects()
            try bare.checkInvariants()
            #expect(branch.name == "new")
            try bare.save()
            try bare.checkInvariants()
        }

        @Test func `find no snapshot of a bare context that idles`() throws {
            let bare = ManagedObjectContext(coordinator: stack.coordinator)
            let accounts = try bare.fetch(FetchRequest(entityName: "BankAccount"))
            _ = try accounts[0].value(forKey: "branch")
            let text = String(repeating: "x", count: 1_000)
            for _ in 0..<700 { try stack.commit { try $0.create(Bank.Branch.self).name = text } }
            let log = try FileManager.default.attributesOfItem(atPath: url.path + "-wal")[.size] as? Int ?? .max
            #expect(log < 6 << 20)
        }

        // MARK: Nobody else

        @Test func `are not seen where there are none`() async throws {
            // Its last connection begins the log anew: that cannot be told from a commit.
            try stranger.close()
            try stack.commit { try $0.create(Bank.Branch.self).name = "" }
            let before = stack.coordinator.publishedGeneration.rawValue
            let commits = World.commits
            let text = String(repeating: "x", count: 2_000)
            for number in 0..<700 {
                try stack.commit { try $0.create(Bank.Branch.self).name = text + "\(number)" }
                if number.isMultiple(of: 7) { _ = try account(0).balance }
                if number.isMultiple(of: 50) { await endTurn() }
            }
            #expect(stack.coordinator.publishedGeneration.rawValue == before + 700)
            var count = 0
            for await commit in commits {
                count += 1
                #expect(!commit.isEverything)
                if count == 700 { break }
            }
        }
    }
#endif
