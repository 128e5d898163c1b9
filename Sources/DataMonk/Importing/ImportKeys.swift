import DataMonkCore
import Synchronization

/// **Shared.** The keys of the chunks that imports of one stack are working on: no two chunks have one at a time, so that each
/// finds what the other has committed, whether the model declares the keys unique or not.
///
/// For each of its keys, a chunk waits for the last one that has asked for it before, and has all its keys when these have
/// released theirs. Nobody waits for one that has asked later, and so nobody waits in a circle; one that works waits for
/// earlier chunks of its own import only, which work as well. A chunk that gives up keeps its place until it would have its
/// keys, since others wait behind it for those before it.
///
/// Few chunks work at a time, so that their sets are compared. A table with a line of chunks for each key was tried: it takes
/// longer, since each key is added to it and removed from it. With hundreds of imports at once, comparing takes about as long
/// as writing the chunk.
final class ImportKeys: Sendable {
    typealias Keys = [ImportTable: Set<ImportKey>]
    private typealias Waiter = CheckedContinuation<Void, any Error>

    /// **Value.** A chunk that has keys, or waits for some.
    private struct Holder {
        let number: Int
        let keys: Keys
        /// The number of chunks that it waits for.
        var missing = 0
        /// The chunks that wait for it.
        var followers: [Int] = []
        /// Resumed when it has all keys. `nil` from then on, and if it has given up.
        var waiter: Waiter?

        /// Returns `true` if there is a key in both.
        func shares(_ others: Keys) -> Bool {
            keys.contains { table, keys in
                guard let others = others[table] else { return false }
                return keys.count < others.count ? !others.isDisjoint(with: keys) : !keys.isDisjoint(with: others)
            }
        }
    }

    private struct State {
        /// In the order of asking.
        private var holders: [Holder] = []

        var count: Int { holders.count }

        /// Adds a chunk after those that are there. Returns `true` if it has all keys at once; otherwise ``remove(_:)``
        /// returns its waiter when it has.
        mutating func add(_ number: Int, _ keys: Keys, _ waiter: Waiter) -> Bool {
            var holder = Holder(number: number, keys: keys)
            var wanted = keys
            for place in holders.indices.reversed() where holders[place].shares(wanted) {
                holders[place].followers.append(number)
                holder.missing += 1
                for (table, keys) in holders[place].keys { wanted[table]?.subtract(keys) }
                if wanted.values.allSatisfy(\.isEmpty) { break }
            }
            if holder.missing > 0 { holder.waiter = waiter }
            holders.append(holder)
            return holder.missing == 0
        }

        /// Removes a chunk that has its keys. Returns the waiters of those that have all keys now.
        mutating func remove(_ number: Int) -> [Waiter] {
            var (ready, gone) = ([Waiter](), [number])
            while let number = gone.popLast() {
                guard let place = place(of: number) else { continue }
                for follower in holders.remove(at: place).followers {
                    guard let place = self.place(of: follower) else { continue }
                    holders[place].missing -= 1
                    if holders[place].missing > 0 { continue }
                    if let waiter = holders[place].waiter.take() { ready.append(waiter) } else { gone.append(follower) }
                }
            }
            return ready
        }

        /// Lets a chunk that waits give up. Returns its waiter; `nil` if it has all keys, or has not asked yet.
        mutating func giveUp(_ number: Int) -> Waiter? { place(of: number).flatMap { holders[$0].waiter.take() } }

        private func place(of number: Int) -> Int? { holders.firstIndex { $0.number == number } }
    }

    private let state = Locked(State())
    private let numbers = Atomic(0)

    /// The number of chunks that have keys or wait for some.
    var chunkCount: Int { state.withLock { $0.count } }

    /// **Value.** Keys that a chunk has.
    struct Claim: Sendable {
        fileprivate let number: Int
    }

    /// Takes keys, after those who have some of them or wait for them. ``release(_:)`` gives them back.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func take(_ keys: Keys) async throws -> Claim {
        let claim = Claim(number: numbers.add(1, ordering: .relaxed).newValue)
        if keys.isEmpty { return claim }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    return state.add(claim.number, keys, continuation) ? .success(()) : nil
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
        state.withLock { $0.giveUp(claim.number) }?.resume(throwing: CancellationError())
    }

    /// Releases keys that were taken.
    func release(_ claim: Claim) {
        let ready = state.withLock { $0.remove(claim.number) }
        for waiter in ready { waiter.resume() }
    }
}
