#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Commits of another process reach held objects, lists and observers of a process that is idle: one that neither reads
    /// nor commits.
    @Suite(.serialized, .timeLimit(.minutes(60))) @MainActor struct `Commits of other processes beside an idle one` {
        private let folder: TemporaryFolder
        private let url: URL

        init() throws {
            folder = try TemporaryFolder()
            url = folder.file("bank.sqlite")
        }

        @Test func `reach held objects and lists`() async throws {
            let stack = try Bank.openStack(at: url)
            try stack.openAccounts(3)
            let World = try MainContext(stack: stack)
            let accounts = try World.fetchedResults(Bank.Account.self, orderBy: .Ascending("balance"))
            var changes = accounts.changes.makeAsyncIterator()
            let held = try #require(accounts.objects.first { $0.number == 0 })
            let stranger = try Bank.openStack(at: url)
            for step in 1...3 {
                try stranger.transfer(1, from: 0, to: 1)
                let change = await changes.next()
                #expect(change != nil)
                #expect(held.balance == Bank.deposit - step && accounts.objects.first === held)
            }
        }

        @Test func `reach a store that a link leads to`() async throws {
            let stranger = try Bank.openStack(at: url)
            try stranger.openAccounts(2)
            let link = folder.file("link.sqlite")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
            let World = try MainContext(stack: try Bank.openStack(at: link))
            var commits = World.commits.makeAsyncIterator()
            try stranger.transfer(1, from: 0, to: 1)
            let commit = await commits.next()
            #expect(commit?.isEverything == true)
            withExtendedLifetime(World) {}
        }

        @Test func `reach lists from a process of their own`() async throws {
            let stack = try Bank.openStack(at: url)
            try stack.openAccounts(3)
            let World = try MainContext(stack: stack)
            let accounts = try World.fetchedResults(
                Bank.Account.self, %"balance" < Bank.deposit, orderBy: .Ascending("number"))
            var changes = accounts.changes.makeAsyncIterator()
            let url = url
            async let exit = #expect(processExitsWith: .success) { [url = url as URL] in
                let stack = try Bank.openStack(at: url)
                try stack.transfer(5, from: 2, to: 1)
                try stack.close()
            }
            let change = await changes.next()
            #expect(change?.objects.count == 1)
            #expect(accounts.objects.map { $0.number } == [2])
            _ = await exit
        }

        @Test func `reach observers, in a store that was added later and in one that is read-only`() async throws {
            let model = try Bank.model.get()
            for isReadOnly in [false, true] {
                let stranger = try Bank.openStack(at: url)
                try stranger.openAccounts(2)
                let stack = Stack(model: model)
                let World = try MainContext(stack: stack)
                var commits = World.commits.makeAsyncIterator()
                try stack.addDatabaseStore(fileURL: url, readOnly: isReadOnly)
                try stranger.transfer(1, from: 0, to: 1)
                let commit = await commits.next()
                #expect(commit?.isEverything == true)
                withExtendedLifetime(World) {}
                try stack.close()
                try stranger.close()
            }
        }
    }
#endif
