import DataMonkCore
import Synchronization

/// **Shared.** The keys of the chunks that imports of one stack are working on: no two chunks have one at a time, so that each
/// finds what the other has committed, whether the model declares the keys unique or not.
///
/// A chunk waits for those that have asked before it and share a key with it, and has all its keys when these have released
/// theirs. Nobody waits for one that has asked later, and so nobody waits in a circle; one that works waits for earlier chunks
/// of its own import only, which work as well.
///
/// Few chunks work at a time, so that their sets are compared. A table with a line of chunks for each key was tried: it takes
/// longer, since each key is added to it and removed from it.
final class ImportKeys: Sendable {
    typealias Keys = [ImportTable: Set<ImportKey>]
    private typealias Waiter = CheckedContinuation<Void, any Error>

    /// **Value.** A chunk that has keys, or waits for some.
    private struct Holder {
        let keys: Keys
        /// The number of chunks that it waits for.
        var missing = 0
        /// The chunks that wait for it, and perhaps some that have given up.
        var followers: [Int] = []
        /// Resumed when it has all keys; `nil` from then on.
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
        private var holders: [Int: Holder] = [:]

        /// Adds a chunk after those that are there. Returns `true` if it has all keys at once; otherwise ``remove(_:)``
        /// returns its waiter when it has.
        mutating func add(_ number: Int, _ keys: Keys, _ waiter: Waiter) -> Bool {
            var holder = Holder(keys: keys)
            for (other, present) in holders where present.shares(keys) {
                holders[other]?.followers.append(number)
                holder.missing += 1
            }
            if holder.missing > 0 { holder.waiter = waiter }
            holders[number] = holder
            return holder.missing == 0
        }

        /// Removes a chunk. Returns the waiters of those that have all keys now.
        mutating func remove(_ number: Int) -> [Waiter] {
            let followers = holders.removeValue(forKey: number)?.followers ?? []
            return followers.compactMap { follower in
                holders[follower]?.missing -= 1
                return holders[follower]?.missing == 0 ? takeWaiter(of: follower) : nil
            }
        }

        /// Returns the waiter of a chunk that waits, and which it has no longer then.
        mutating func takeWaiter(of number: Int) -> Waiter? {
            defer { holders[number]?.waiter = nil }
            return holders[number]?.waiter
        }
    }

    private let state = Locked(State())
    private let numbers = Atomic(0)

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
        let (waiter, ready) = state.withLock { state -> (Waiter?, [Waiter]) in
            guard let waiter = state.takeWaiter(of: claim.number) else { return (nil, []) }
            return (waiter, state.remove(claim.number))
        }
        waiter?.resume(throwing: CancellationError())
        for waiter in ready { waiter.resume() }
    }

    /// Releases keys that were taken.
    func release(_ claim: Claim) {
        let ready = state.withLock { $0.remove(claim.number) }
        for waiter in ready { waiter.resume() }
    }
}
