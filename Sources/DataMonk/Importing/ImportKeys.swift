import DataMonkCore

/// **Shared.** The keys of the chunks that imports of one stack are working on: no two chunks have one at a time, so that each
/// finds what the other has committed, whether the model declares the keys unique or not.
///
/// A chunk takes all its keys at once, or waits and has none; one that has its keys waits for earlier chunks of its own import
/// only, which have theirs. So nobody waits in a circle.
final class ImportKeys: Sendable {
    typealias Keys = [ImportTable: Set<ImportKey>]

    private struct State {
        var held: Keys = [:]
        /// Those that wait, the longest first.
        var waiting: [(keys: Keys, continuation: CheckedContinuation<Void, Never>)] = []

        func isFree(_ keys: Keys) -> Bool {
            keys.allSatisfy { table, keys in held[table]?.isDisjoint(with: keys) ?? true }
        }

        mutating func hold(_ keys: Keys) { held.merge(keys) { $0.union($1) } }

        mutating func release(_ keys: Keys) {
            for (table, keys) in keys {
                held[table]?.subtract(keys)
                if held[table]?.isEmpty == true { held[table] = nil }
            }
        }

        /// Gives their keys to those that wait for none that is held.
        mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
            var ready: [CheckedContinuation<Void, Never>] = []
            let all = waiting
            waiting = []
            for waiter in all {
                if isFree(waiter.keys) {
                    hold(waiter.keys)
                    ready.append(waiter.continuation)
                } else {
                    waiting.append(waiter)
                }
            }
            return ready
        }
    }

    private let state = Locked(State())

    /// Takes keys, after those who have some of them.
    func take(_ keys: Keys) async {
        if keys.isEmpty { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isFree(keys) {
                    state.hold(keys)
                    return true
                }
                state.waiting.append((keys, continuation))
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Releases keys that were taken.
    func release(_ keys: Keys) {
        if keys.isEmpty { return }
        let ready = state.withLock { state in
            state.release(keys)
            return state.takeReady()
        }
        for continuation in ready { continuation.resume() }
    }
}
