import DataMonkCore
import DequeModule
import Synchronization

/// **Shared.** The keys of the chunks that imports of one stack are working on: no two chunks have one at a time, so that each
/// finds what the other has committed, whether the model declares the keys unique or not.
///
/// Each key has a line of chunks, and the first in it has the key. A chunk joins the lines of all its keys at once, and works
/// when it is the first in each. So chunks that share a key have the same order in all lines, and nobody waits in a circle;
/// one that works waits for earlier chunks of its own import only, which work as well.
final class ImportKeys: Sendable {
    typealias Keys = [ImportTable: Set<ImportKey>]

    /// **Value.** The chunks that want a key, by their numbers.
    private struct Line {
        var first: Int
        var others: Deque<Int> = []

        /// Joins the line, or begins it. Returns `false` if there is somebody else in it. Nobody joins twice.
        mutating func join(_ number: Int) -> Bool {
            if first == number { return true }
            others.append(number)
            return false
        }
    }

    /// **Value.** The lines of one table's keys. Each is changed in place, with one look-up for a key.
    private struct Lines {
        private var lines: [ImportKey: Line] = [:]

        var isEmpty: Bool { lines.isEmpty }

        /// Joins the lines of keys. Returns the number of those in which there is somebody.
        mutating func join(_ number: Int, at keys: Set<ImportKey>) -> Int {
            var missing = 0
            for key in keys where !lines[key, default: Line(first: number)].join(number) { missing += 1 }
            return missing
        }

        /// Leaves the lines of keys. Returns those who are the first in one thereby, as often as they are.
        mutating func leave(_ number: Int, at keys: Set<ImportKey>) -> [Int] {
            keys.compactMap { leave(number, at: $0) }
        }

        private mutating func leave(_ number: Int, at key: ImportKey) -> Int? {
            guard let index = lines.index(forKey: key) else { return nil }
            if lines.values[index].first != number {
                lines.values[index].others.removeAll { $0 == number }
                return nil
            }
            guard let next = lines.values[index].others.popFirst() else {
                lines.remove(at: index)
                return nil
            }
            lines.values[index].first = next
            return next
        }
    }

    private struct Waiter {
        /// The number of its keys that another chunk has.
        var missing: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        private var lines: [ImportTable: Lines] = [:]
        private var waiting: [Int: Waiter] = [:]

        /// Joins the lines of keys. Returns the number of those in which there is somebody.
        mutating func join(_ number: Int, _ keys: Keys) -> Int {
            var missing = 0
            for (table, keys) in keys { missing += lines[table, default: Lines()].join(number, at: keys) }
            return missing
        }

        mutating func wait(_ number: Int, _ waiter: Waiter) { waiting[number] = waiter }

        mutating func removeWaiter(_ number: Int) -> Waiter? { waiting.removeValue(forKey: number) }

        /// Leaves the lines of keys. Returns those that have all their keys now.
        mutating func leave(_ number: Int, _ keys: Keys) -> [Waiter] {
            var ready: [Waiter] = []
            for (table, keys) in keys {
                for next in lines[table]?.leave(number, at: keys) ?? [] {
                    waiting[next]?.missing -= 1
                    if waiting[next]?.missing == 0, let waiter = waiting.removeValue(forKey: next) {
                        ready.append(waiter)
                    }
                }
                if lines[table]?.isEmpty == true { lines[table] = nil }
            }
            return ready
        }
    }

    private let state = Locked(State())
    private let numbers = Atomic(0)

    /// **Value.** Keys that a chunk has, or waits for.
    struct Claim: Sendable {
        fileprivate let number: Int
        fileprivate let keys: Keys
    }

    /// Takes keys, after those who have some of them or wait for them. ``release(_:)`` gives them back.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func take(_ keys: Keys) async throws -> Claim {
        let claim = Claim(number: numbers.add(1, ordering: .relaxed).newValue, keys: keys)
        if keys.isEmpty { return claim }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    let missing = state.join(claim.number, keys)
                    if missing == 0 { return .success(()) }
                    state.wait(claim.number, Waiter(missing: missing, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel(claim)
        }
        return claim
    }

    /// Ends a wait. Who has all keys already keeps them.
    private func cancel(_ claim: Claim) {
        let (waiter, ready) = state.withLock { state -> (Waiter?, [Waiter]) in
            guard let waiter = state.removeWaiter(claim.number) else { return (nil, []) }
            return (waiter, state.leave(claim.number, claim.keys))
        }
        waiter?.continuation.resume(throwing: CancellationError())
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Releases keys that were taken.
    func release(_ claim: Claim) {
        let ready = state.withLock { $0.leave(claim.number, claim.keys) }
        for waiter in ready { waiter.continuation.resume() }
    }
}
