import DataMonk
import Foundation

/// **Value.** Imports run in the background while the main context shows objects: its thread must stay free, what it
/// shows must stay whole, and no imported row may be missing.
public struct ImportWorkload: Sendable {
    private static let shown = 1_000
    private static let rowsInTransaction = 500
    private static let balance = 7

    private let options: StressOptions

    /// Makes a workload.
    public init(_ options: StressOptions) { self.options = options }

    /// Runs the workload; a transaction imports 500 rows and touches one object that main shows.
    ///
    /// - Parameter progress: called with the part that is done.
    /// - Throws: what an update or a read throws that is no conflict.
    public func run(progress: @escaping @Sendable (Double) -> Void = { _ in }) async throws -> StressReport {
        let arena = try await StressArena(options)
        let ids = try await open(arena)
        let run = StressRun(options.limit, progress: progress)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<options.writers { group.addTask { try await write(writer, arena, ids, run) } }
            group.addTask { try await look(arena, run) }
            group.addTask { await beat(run) }
            try await group.waitForAll()
        }
        try await check(arena, run)
        try arena.stack.close()
        return await run.end()
    }

    private func open(_ arena: StressArena) async throws -> [ObjectID<Account>] {
        try await arena.updater.update { update in
            let accounts = try (0..<Self.shown).map { number in
                let account = try update.create(Account.self)
                (account.number, account.balance) = (number, Self.balance)
                return account
            }
            try update.commit()
            return accounts.map(\.objectID)
        }
    }

    private func write(_ writer: Int, _ arena: StressArena, _ ids: [ObjectID<Account>], _ run: StressRun) async throws {
        var count = 0
        while await run.begin() {
            // Each writer has accounts of its own, so none meets a conflict.
            let account = ids[(writer + options.writers * count) % ids.count]
            let round = count
            let (_, latency, conflicts) = try await arena.transact { update in
                for row in 0..<Self.rowsInTransaction {
                    let register = try update.create(Register.self)
                    (register.name, register.round) = ("\(writer) \(row)", round)
                }
                try update.use(account).transfers += 1
                try update.commit()
            }
            count += 1
            await run.committed(after: latency, conflicts: conflicts)
        }
    }

    /// Main holds its objects all the time, and finds each of them whole whenever it looks.
    @MainActor private func look(_ arena: StressArena, _ run: StressRun) async throws {
        let accounts = try arena.world.fetchAll(Account.self, orderBy: .Ascending("number"))
        var rows = 0
        while await run.isRunning {
            let balance = accounts.reduce(0) { $0 + $1.balance }
            if balance != Self.shown * Self.balance { await run.anomaly("main's objects hold \(balance) in all") }
            let found = try arena.world.count(Register.self)
            if found < rows || found % Self.rowsInTransaction != 0 {
                await run.anomaly("main counted \(found) rows after \(rows)")
            }
            rows = found
            await run.read()
            if options.setUp == .manualReload { try arena.world.refreshAll() }
            await Task.yield()
        }
    }

    /// Beats every millisecond on the main actor, and keeps the longest time between two beats.
    @MainActor private func beat(_ run: StressRun) async {
        while await run.isRunning {
            let start = ContinuousClock.now
            // A cancelled sleep ends at once; the run is over then.
            guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { return }
            await run.paused(for: ContinuousClock.now - start)
        }
    }

    private func check(_ arena: StressArena, _ run: StressRun) async throws {
        let (rows, touched) = try await arena.updater.read { reader in
            (try reader.count(Register.self), try reader.fetchAll(Account.self).reduce(0) { $0 + $1.transfers })
        }
        let committed = await run.committed
        if rows != committed * Self.rowsInTransaction {
            await run.anomaly("\(rows) rows are there after \(committed) imports of \(Self.rowsInTransaction)")
        }
        if touched != committed { await run.anomaly("accounts count \(touched) imports instead of \(committed)") }
    }
}
