import DataMonk
import DataMonkTesting
import Foundation

/// **Value.** Transactions read some registers and append to some: an order of them must explain what all have read.
public struct HistoryWorkload: Sendable {
    private static let registers = 8
    private static let transactionsInRound = 400

    private let options: StressOptions

    /// Makes a workload.
    public init(_ options: StressOptions) { self.options = options }

    /// Runs the workload, round by round: each has registers of its own, so that lists stay short.
    ///
    /// - Parameter progress: called with the part that is done.
    /// - Throws: what an update or a read throws that is no conflict.
    public func run(progress: @escaping @Sendable (Double) -> Void = { _ in }) async throws -> StressReport {
        let arena = try await StressArena(options)
        let run = StressRun(options.limit, progress: progress)
        var round = 0
        while await run.beginRound(of: Self.transactionsInRound) {
            var history = ListAppendHistory()
            for transaction in try await transactions(round, arena, run) { history.append(transaction) }
            history.append(try await read(round, arena, run))
            for anomaly in history.anomalies(under: options.order == .serial ? .serializable : .snapshot) {
                await run.anomaly("round \(round): \(anomaly)")
            }
            round += 1
        }
        try arena.stack.close()
        return await run.end()
    }

    private func transactions(
        _ round: Int, _ arena: StressArena, _ run: StressRun
    ) async throws -> [ListAppendHistory.Transaction] {
        let names = (0..<Self.registers).map { "register \($0)" }
        try await arena.updater.update { update in
            for name in names {
                let register = try update.create(Register.self)
                register.name = name
                register.round = round
            }
            try update.commit()
        }
        return try await withThrowingTaskGroup(of: [ListAppendHistory.Transaction].self) { group in
            for writer in 0..<options.writers {
                group.addTask { try await write(writer, round, names, arena, run) }
            }
            for reader in 0...options.readers {
                group.addTask {
                    var found: [ListAppendHistory.Transaction] = []
                    while await run.isRunning {
                        // One of them is the main context.
                        found.append(
                            reader == 0 ? try await look(round, arena, run) : try await read(round, arena, run))
                    }
                    return found
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func write(
        _ writer: Int, _ round: Int, _ names: [String], _ arena: StressArena, _ run: StressRun
    ) async throws -> [ListAppendHistory.Transaction] {
        var random = SeededGenerator(seed: options.seed &+ UInt64(writer &+ options.writers * round))
        var transactions: [ListAppendHistory.Transaction] = []
        while await run.begin() {
            let chosen = names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            let value = writer + options.writers * transactions.count
            let (transaction, latency, conflicts) = try await arena.transact { update in
                // One fetch, so one state. Half of what is read is written.
                let registers = try update.fetchAll(Register.self, %"round" == round)
                var transaction = ListAppendHistory.Transaction(reads: [:], appends: [:])
                for register in registers { transaction.reads[register.name] = register.values }
                await Task.yield()
                for register in registers where chosen.contains(register.name) {
                    register.text += " \(value)"
                    transaction.appends[register.name] = value
                }
                try update.commit()
                return transaction
            }
            transactions.append(transaction)
            await run.committed(after: latency, conflicts: conflicts)
        }
        return transactions
    }

    private func read(
        _ round: Int, _ arena: StressArena, _ run: StressRun
    ) async throws -> ListAppendHistory.Transaction {
        let reads = try await arena.updater.read { reader in
            let registers = try reader.fetchAll(Register.self, %"round" == round)
            var reads: [String: [Int]] = [:]
            for register in registers {
                await Task.yield()
                reads[register.name] = register.values
            }
            return reads
        }
        await run.read()
        return ListAppendHistory.Transaction(reads: reads, appends: [:])
    }

    @MainActor private func look(
        _ round: Int, _ arena: StressArena, _ run: StressRun
    ) async throws -> ListAppendHistory.Transaction {
        if options.setUp == .manualReload { try arena.world.refreshAll() }
        var reads: [String: [Int]] = [:]
        for register in try arena.world.fetchAll(Register.self, %"round" == round) {
            reads[register.name] = register.values
        }
        await run.read()
        await Task.yield()
        return ListAppendHistory.Transaction(reads: reads, appends: [:])
    }
}
