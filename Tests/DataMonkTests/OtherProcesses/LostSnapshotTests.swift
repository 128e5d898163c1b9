#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// SQLite rolls a read transaction back if a statement gets no memory. What is read next would be of another commit.
    ///
    /// Memory that fails does so for a whole process, so each test runs in one of its own.
    @Suite(.serialized) struct `A snapshot that SQLite has rolled back` {
        /// A bank with branches to sort, and another process that uses it.
        struct Town {
            private let folder: TemporaryFolder
            let stack: Stack
            let stranger: Stack

            init() throws {
                folder = try TemporaryFolder()
                let url = folder.file("bank.sqlite")
                stack = try Bank.openStack(at: url)
                try stack.openAccounts(3)
                try stack.commit { update in
                    for number in 0..<400 {
                        let branch = try update.create(Bank.Branch.self)
                        branch.name = String(repeating: "\(number)", count: 50)
                        branch.city = "\(number % 7)"
                    }
                }
                stranger = try Bank.openStack(at: url)
            }

            /// Runs a body in which each allocation from a number on fails.
            ///
            /// - Returns: Whether the body threw.
            func withoutMemory(fromAllocation number: Int, _ body: () throws -> Void) -> Bool {
                SQLiteMemory.fail(atAllocation: number, times: .max)
                defer { SQLiteMemory.heal() }
                do { try body() } catch { return true }
                return false
            }

            /// Sorts the branches: once to prepare the statement, and then without memory.
            func sort(for reader: Reader, failingFromAllocation number: Int) throws {
                func sort() throws {
                    _ = try reader.fetchAll(Bank.Branch.self, orderBy: .Ascending("city") | .Descending("name"))
                }
                try sort()
                _ = withoutMemory(fromAllocation: number, sort)
            }
        }

        @Test func `is replaced, and the objects of a fetch agree with its condition`() async throws {
            await #expect(processExitsWith: .success) {
                try #require(SQLiteMemory.install())
                let town = try Town()
                var moves = 0
                for number in 1...60 {
                    moves += try await Context(stack: town.stack).read { reader in
                        let held = try reader.fetchAll(Bank.Account.self, orderBy: .Ascending("number"))
                        let balance = held[0].balance
                        try town.sort(for: reader, failingFromAllocation: number)
                        try town.stranger.transfer(1, from: 0, to: 1)
                        let poorer = try reader.fetchAll(Bank.Account.self, %"balance" < balance)
                        #expect(poorer == held.filter { $0.balance < balance }, "allocation \(number)")
                        #expect(held.map(\.balance).reduce(0, +) == 3 * Bank.deposit, "allocation \(number)")
                        return poorer.count
                    }
                }
                #expect(moves > 0)
            }
        }

        @Test func `is replaced, and a fault agrees with the objects that were read before`() async throws {
            await #expect(processExitsWith: .success) {
                try #require(SQLiteMemory.install())
                let town = try Town()
                var moves = 0
                for number in 1...60 {
                    // So that no row is in the row cache.
                    try town.stranger.transfer(1, from: 2, to: 1)
                    moves += try await Context(stack: town.stack).read { reader in
                        let fault = try reader.fetchAll(
                            Bank.Account.self, %"number" == 1, options: .NoPropertyValues)[0]
                        let held = try [0, 2].map { try reader.fetch(Bank.Account.self, %"number" == $0) }
                        let balance = held[0].balance
                        // The first fault of the snapshot.
                        _ = held[0].branch?.name
                        try town.sort(for: reader, failingFromAllocation: number)
                        try town.stranger.transfer(1, from: 0, to: 1)
                        let sum = ([fault] + held).map(\.balance).reduce(0, +)
                        #expect(sum == 3 * Bank.deposit, "allocation \(number)")
                        return held[0].balance < balance ? 1 : 0
                    }
                }
                #expect(moves > 0)
            }
        }

        @Test func `lets every further statement of a read fail`() async throws {
            await #expect(processExitsWith: .success) {
                try #require(SQLiteMemory.install())
                let town = try Town()
                let balances = "SELECT group_concat(ZBALANCE) FROM ZBANKACCOUNT"
                var losses = 0
                for number in 1...60 {
                    losses += try await town.stack.read { database in
                        let before = try database.value(balances, as: String.self)
                        let isRefused = town.withoutMemory(fromAllocation: number) {
                            _ = try database.rows("SELECT ZNAME FROM ZBANKBRANCH ORDER BY ZCITY, ZNAME DESC")
                        }
                        try town.stranger.transfer(1, from: 0, to: 1)
                        do {
                            let after = try database.value(balances, as: String.self)
                            #expect(after == before, "allocation \(number)")
                            return 0
                        } catch let error as StoreError {
                            #expect(isRefused, "allocation \(number): \(error)")
                            return 1
                        }
                    }
                }
                #expect(losses > 0)
            }
        }
    }
#endif
