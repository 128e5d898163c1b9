#if Postgres
    import DataMonk
    import Foundation
    import Synchronization

    /// **Value.** Updates of counters by tasks of one process, for some time.
    struct Load: Codable, Sendable {
        enum Kind: String, Codable {
            /// Each task adds to a counter of its own, which it has read once: commits alone.
            case own
            /// All tasks of all processes read some of the same counters, add to them, and try again after a conflict.
            case shared
            /// All tasks of all processes increment some of the same counters.
            case increments
        }

        /// **Value.** The updates of a process.
        struct Count: Codable, Sendable {
            /// Updates that were acknowledged before time was up.
            var inTime = 0
            /// All that were acknowledged.
            var made = 0
            /// Those that were acknowledged before the measurement.
            var early = 0
            /// The times that an update's body has run.
            var runs = 0
            var errors: [String] = []

            static func += (left: inout Count, right: Count) {
                left.inTime += right.inTime
                left.made += right.made
                left.early += right.early
                left.runs += right.runs
                left.errors += right.errors
            }
        }

        var shop: Shop
        var kind: Kind
        /// The number of the process among those that update at the same time.
        var seat = 0
        var seconds: Double
        static let tasks = 16
        static let sharedCounters = 100

        /// Updates each task's counter once, calls a closure, and then updates until time is up.
        func run(whenReady: () throws -> Void = {}) async throws -> Count {
            let stack = try await shop.openStack()
            let ids = try await Context(stack: stack).read { reader in
                try reader.fetchAll(Counter.self, orderBy: .Ascending("number")).map(\.objectID)
            }
            let early = await repeated(in: stack, ids, until: nil)
            try whenReady()
            var count = await repeated(in: stack, ids, until: .now + .seconds(seconds))
            count.early = early.made
            count.errors += early.errors
            try await stack.closeStores()
            return count
        }

        private func repeated(
            in stack: Stack, _ ids: [ObjectID<Counter>], until end: ContinuousClock.Instant?
        ) async -> Count {
            await withTaskGroup(of: Count.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask { await repeated(by: task, in: stack, ids, until: end) }
                }
                return await group.reduce(into: Count()) { $0 += $1 }
            }
        }

        /// Updates once, and then until a time.
        private func repeated(
            by task: Int, in stack: Stack, _ ids: [ObjectID<Counter>], until end: ContinuousClock.Instant?
        ) async -> Count {
            let tally = Tally(end: end)
            do {
                if kind == .own {
                    try await commit(ids[seat * Self.tasks + task], in: stack, tally)
                } else {
                    repeat {
                        let number = Int.random(in: 0..<Self.sharedCounters)
                        try await update(ids[number], numbered: number, in: stack, tally)
                        tally.noteMade()
                    } while !tally.isOver
                }
            } catch {
                tally.note(error)
            }
            return tally.count
        }

        /// Commits again and again in one update, which keeps its object.
        private func commit(_ id: ObjectID<Counter>, in stack: Stack, _ tally: Tally) async throws {
            try await Context(stack: stack).update { update in
                let counter = try update.use(id)
                repeat {
                    tally.noteRun()
                    counter.value += 1
                    try update.commit()
                    tally.noteMade()
                } while !tally.isOver
            }
        }

        private func update(
            _ id: ObjectID<Counter>, numbered number: Int, in stack: Stack, _ tally: Tally
        ) async throws {
            let context = try Context(stack: stack)
            if kind == .increments {
                try await context.update { update in
                    tally.noteRun()
                    try update.use(id).incrementValue(forKey: "value", by: 1)
                    try update.commit()
                }
            } else {
                try await context.update(retrying: 1_000) { update in
                    tally.noteRun()
                    try update.fetch(Counter.self, %"number" == number).value += 1
                    try update.commit()
                }
            }
        }
    }

    /// **Shared.** The count of one task, and the time at which it ends.
    private final class Tally: Sendable {
        private let end: ContinuousClock.Instant?
        private let state = Mutex(Load.Count())

        /// - Parameter end: The time; `nil` after the first update.
        init(end: ContinuousClock.Instant?) { self.end = end }

        var count: Load.Count { state.withLock { $0 } }
        var isOver: Bool { end.map { ContinuousClock.now >= $0 } ?? true }

        func noteRun() { state.withLock { $0.runs += 1 } }
        func note(_ error: any Error) { state.withLock { $0.errors.append("\(error)") } }

        func noteMade() {
            state.withLock { count in
                count.made += 1
                if !isOver { count.inTime += 1 }
            }
        }
    }
#endif
