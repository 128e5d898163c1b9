import DataMonk
import Foundation
import Synchronization

/// **Value.** Many updates begin at the same moment, each with a commit that blocks, while many observe: all must end,
/// each commit must be there, and every observer must hear of the last one.
public struct CrowdWorkload: Sendable {
    private static let updatesInRound = 1_000
    private static let observers = 100

    private let options: StressOptions

    /// Makes a workload.
    public init(_ options: StressOptions) { self.options = options }

    /// Runs the workload, a crowd of 1,000 updates at a time.
    ///
    /// - Parameter progress: called with the part that is done.
    /// - Throws: what an update or a read throws.
    public func run(progress: @escaping @Sendable (Double) -> Void = { _ in }) async throws -> StressReport {
        let arena = try await StressArena(options)
        let run = StressRun(options.limit, progress: progress)
        let heard = (0..<Self.observers).map { _ in Heard() }
        let observers = heard.map { heard in arena.updater.observeCommit { heard.one() } }
        var begun = 0
        while await run.isRunning {
            begun += try await crowd(begun, arena, run)
            // Commits that come while the main actor is busy are told by one call: this one comes by itself.
            await MainActor.run {}
            let before = heard.map(\.count)
            begun += try await add(begun, arena)
            try await check(begun, heard, before, arena, run)
        }
        withExtendedLifetime(observers) {}
        try arena.stack.close()
        return await run.end()
    }

    /// Begins the updates of a round, all before the first is waited for, and returns how many.
    private func crowd(_ first: Int, _ arena: StressArena, _ run: StressRun) async throws -> Int {
        var handles: [(start: ContinuousClock.Instant, handle: UpdateHandle)] = []
        while handles.count < Self.updatesInRound, await run.begin() {
            let number = first + handles.count
            let handle = arena.updater.beginUpdate { update in
                try update.create(Account.self).number = number
                try update.commit()
            }
            handles.append((ContinuousClock.now, handle))
        }
        for (start, handle) in handles {
            try await handle.value
            await run.committed(after: ContinuousClock.now - start, conflicts: 0)
        }
        return handles.count
    }

    /// Commits one more, and returns how many.
    private func add(_ number: Int, _ arena: StressArena) async throws -> Int {
        try await arena.updater.update { update in
            try update.create(Account.self).number = number
            try update.commit()
        }
        return 1
    }

    private func check(
        _ count: Int, _ heard: [Heard], _ before: [Int], _ arena: StressArena, _ run: StressRun
    ) async throws {
        let numbers = try await arena.updater.read { reader in
            try reader.fetchAll(Account.self, orderBy: .Ascending("number")).map(\.number)
        }
        await run.read()
        if numbers != Array(0..<count) { await run.anomaly("\(numbers.count) accounts after \(count) updates") }
        // Observers are called on the main actor; what is waiting there runs first.
        func areBehind() -> Bool { zip(heard, before).contains { $0.count <= $1 } }
        for _ in 0..<100_000 where areBehind() { await MainActor.run {} }
        if areBehind() { await run.anomaly("an observer has not heard of the last of \(count) commits") }
        if let wrong = heard.first(where: { $0.count > count }) {
            await run.anomaly("an observer was called \(wrong.count) times for \(count) commits")
        }
    }

    /// **Shared.** The number of calls of an observer.
    private final class Heard: Sendable {
        private let calls = Atomic(0)

        var count: Int { calls.load(ordering: .relaxed) }

        func one() { calls.add(1, ordering: .relaxed) }
    }
}
