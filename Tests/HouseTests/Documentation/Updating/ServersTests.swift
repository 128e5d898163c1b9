#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Entity final class Wallet: ManagedObject {
        @Attribute(.unique) var owner: String = ""
        @Attribute(.minimum(0)) var coins: Int = 0
    }

    struct WalletInfo: Sendable, Codable {
        let owner: String
        let coins: Int

        init(_ wallet: Wallet) {
            owner = wallet.owner
            coins = wallet.coins
        }
    }

    struct NotEnough: Error {
        let coins: Int
    }

    struct Treasury: Sendable {
        let context: Context

        func wallet(of owner: String) async throws -> WalletInfo {
            try await context.read { reader in
                WalletInfo(try reader.fetch(Wallet.self, %"owner" == owner))
            }
        }

        func pay(_ coins: Int, to owner: String) async throws -> WalletInfo {
            try await context.update { update in
                let wallet = try update.fetch(Wallet.self, %"owner" == owner)
                try update.increment(\.coins, by: coins, of: wallet)
                try update.commit()
                return WalletInfo(wallet)
            }
        }
    }

    extension Treasury {
        func move(_ coins: Int, from payer: String, to payee: String) async throws {
            try await context.update(retrying: 100) { update in
                let from = try update.fetch(Wallet.self, %"owner" == payer)
                guard from.coins >= coins else { throw NotEnough(coins: from.coins) }
                from.coins -= coins
                try update.fetch(Wallet.self, %"owner" == payee).coins += coins
                try update.commit()
            }
        }
    }

    actor Door {
        private let capacity: Int
        private var inside = 0

        init(capacity: Int) { self.capacity = capacity }

        func enter() -> Bool {
            guard inside < capacity else { return false }
            inside += 1
            return true
        }

        func leave() { inside -= 1 }
    }

    @Suite struct ServersTests {
        private func fill(_ context: Context) async throws {
            try await context.update { update in
                for owner in ["Monk", "Abbot"] {
                    let wallet = try update.create(Wallet.self)
                    (wallet.owner, wallet.coins) = (owner, 100)
                }
                try update.commit()
            }
        }

        @Test func `a treasury whose payments and moves lose nothing`() async throws {
            try await withTemporaryStore { url in
                let stack = try Stack(Wallet.self)
                try await stack.addStore(.database(fileURL: url))
                let treasury = Treasury(context: try Context(stack: stack))
                try await fill(treasury.context)
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for number in 0..<40 {
                        tasks.addTask {
                            if number % 2 == 0 {
                                _ = try await treasury.pay(1, to: "Monk")
                            } else {
                                try await treasury.move(1, from: "Abbot", to: "Monk")
                            }
                        }
                    }
                    try await tasks.waitForAll()
                }
                #expect(try await treasury.wallet(of: "Monk").coins == 140)
                #expect(try await treasury.wallet(of: "Abbot").coins == 80)
                await #expect(throws: NotEnough.self) { try await treasury.move(81, from: "Abbot", to: "Monk") }
                await #expect(throws: SaveError.self) { try await treasury.pay(-1_000, to: "Monk") }
                let door = Door(capacity: 1)
                #expect(await [door.enter(), door.enter()] == [true, false])
                try await stack.closeStores()
                await #expect(throws: StoreError.self) { try await treasury.pay(1, to: "Monk") }
            }
        }

        @Test func `a deadline, and what clients are told`() async throws {
            let context = try Context(stack: .inMemory(Wallet.self))
            try await fill(context)
            let info = try await context.update(deadline: .seconds(20)) { update in
                let wallet = try update.fetch(Wallet.self, %"owner" == "Monk")
                try update.increment(\.coins, by: 1, of: wallet)
                try update.commit()
                return WalletInfo(wallet)
            }
            #expect(info.coins == 101)
            let totals = context.observeValue { reader in
                try reader.queryValue(Wallet.self, .Sum("coins"), as: Int.self)
            }
            for try await total in totals {
                print(total ?? 0)
                break
            }
        }

        @Test func `commits are told with their ids`() async throws {
            let context = try Context(stack: .inMemory(Wallet.self))
            let listening = Task {
                for await commit in context.commits {
                    print(commit.inserted.count, commit.updated.count, commit.deleted.count)
                    break
                }
            }
            // Commits until one is heard.
            let commits = Task {
                while !Task.isCancelled {
                    try await context.update { update in
                        try update.create(Wallet.self).owner = UUID().uuidString
                        try update.commit()
                    }
                }
            }
            await listening.value
            commits.cancel()
            _ = await commits.result
        }
    }
#endif
