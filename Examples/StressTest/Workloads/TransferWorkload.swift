import DataMonk
import DataMonkTesting
import Foundation

/// **Value.** Money moves between accounts; whoever reads must find the same total, and no transfer may be lost.
public struct TransferWorkload: Sendable {
    private static let accounts = 100
    private static let total = 100_000

    private let options: StressOptions
    private let race: PlantedRace?

    /// Makes a workload.
    public init(_ options: StressOptions) {
        self.options = options
        race = options.hasPlantedRace ? PlantedRace() : nil
    }

    /// A transfer, as its writer remembers it.
    private struct Transfer {
        let from: Int
        let to: Int
        let amount: Int
    }

    /// Runs the workload.
    ///
    /// - Parameter progress: called with the part that is done.
    /// - Throws: what an update or a read throws that is no conflict.
    public func run(progress: @escaping @Sendable (Double) -> Void = { _ in }) async throws -> StressReport {
        let arena = try await StressArena(options)
        let ids = try await open(arena)
        let run = StressRun(options.limit, progress: progress)
        let transfers = try await withThrowingTaskGroup(of: [Transfer].self) { group in
            for writer in 0..<options.writers {
                group.addTask {
                    try await write(arena, ids, run, SeededGenerator(seed: options.seed &+ UInt64(writer)))
                }
            }
            for reader in 0..<options.readers {
                group.addTask {
                    while await run.isRunning { try await read(arena, run, throughRelationship: reader % 2 == 1) }
                    return []
                }
            }
            group.addTask {
                while await run.isRunning { try await look(arena, run) }
                return []
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try await check(transfers, arena, ids, run)
        try arena.stack.close()
        return await run.end()
    }

    private func open(_ arena: StressArena) async throws -> [ObjectID<Account>] {
        try await arena.updater.update { update in
            let bank = try update.create(Bank.self)
            let accounts = try (0..<Self.accounts).map { number in
                let account = try update.create(Account.self)
                account.number = number
                account.balance = Self.total / Self.accounts
                account.bank = bank
                return account
            }
            try update.commit()
            return accounts.map(\.objectID)
        }
    }

    // MARK: Writing

    private func write(
        _ arena: StressArena, _ ids: [ObjectID<Account>], _ run: StressRun, _ random: SeededGenerator
    ) async throws -> [Transfer] {
        var random = random
        var transfers: [Transfer] = []
        while await run.begin() {
            let from = Int.random(in: 0..<ids.count, using: &random)
            let to = (from + Int.random(in: 1..<ids.count, using: &random)) % ids.count
            let transfer = Transfer(from: from, to: to, amount: Int.random(in: 1...10, using: &random))
            let (_, latency, conflicts) = try await arena.transact { update in
                let payer = try update.use(ids[transfer.from])
                let payee = try update.use(ids[transfer.to])
                payer.balance -= transfer.amount
                // The moment in which others would see half of it.
                await Task.yield()
                payee.balance += transfer.amount
                race?.raise()
                payer.transfers += 1
                payee.transfers += 1
                try update.commit()
            }
            transfers.append(transfer)
            await run.committed(after: latency, conflicts: conflicts)
        }
        return transfers
    }

    // MARK: Reading

    /// Sums off the main actor, with yields in between.
    private func read(_ arena: StressArena, _ run: StressRun, throughRelationship: Bool) async throws {
        let sum = try await arena.updater.read { reader in
            let accounts: [Account]
            if throughRelationship {
                accounts = Array(try reader.fetch(Bank.self).accounts)
            } else {
                accounts = try reader.fetchAll(Account.self)
            }
            var sum = 0
            for (place, account) in accounts.enumerated() {
                if place % 10 == 0 { await Task.yield() }
                sum += account.balance
            }
            return sum
        }
        await check(sum, throughRelationship ? "a reader, through the relationship" : "a reader", run)
    }

    /// Sums on the main actor: between two calls of the framework nothing changes there.
    @MainActor private func look(_ arena: StressArena, _ run: StressRun) async throws {
        let bank = try arena.world.fetch(Bank.self)
        await check(bank.accounts.reduce(0) { $0 + $1.balance }, "main, through the relationship", run)
        let accounts = try arena.world.fetchAll(Account.self)
        await check(accounts.reduce(0) { $0 + $1.balance }, "main", run)
        if options.setUp == .manualReload {
            // Here it keeps its state over turns as well.
            var sum = 0
            for account in accounts {
                if account.number % 10 == 0 { await Task.yield() }
                sum += account.balance
            }
            await check(sum, "main, over turns", run)
            try arena.world.refreshAll()
        }
    }

    private func check(_ sum: Int, _ reader: String, _ run: StressRun) async {
        await run.read()
        if sum != Self.total { await run.anomaly("\(reader) found \(sum) in all accounts instead of \(Self.total)") }
    }

    // MARK: The end

    /// Each account holds what its transfers say, and counted all of them.
    private func check(
        _ transfers: [Transfer], _ arena: StressArena, _ ids: [ObjectID<Account>], _ run: StressRun
    ) async throws {
        var expected = Array(repeating: (balance: Self.total / Self.accounts, transfers: 0), count: ids.count)
        for transfer in transfers {
            expected[transfer.from].balance -= transfer.amount
            expected[transfer.to].balance += transfer.amount
            expected[transfer.from].transfers += 1
            expected[transfer.to].transfers += 1
        }
        let found = try await arena.updater.read { reader in
            try reader.fetchAll(Account.self, orderBy: .Ascending("number")).map { ($0.balance, $0.transfers) }
        }
        for (number, (expected, found)) in zip(expected, found).enumerated() where expected != found {
            await run.anomaly(
                "account \(number) has \(found.0) after \(found.1) transfers; "
                    + "\(expected.transfers) transfers make \(expected.balance)")
        }
    }
}
