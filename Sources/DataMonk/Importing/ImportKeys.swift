import DataMonkCore
import Foundation

/// **Shared.** The keys of the chunks that imports of one stack are working on: no two chunks have one at a time, so that each
/// finds what the other has committed, whether the model declares the keys unique or not.
///
/// A chunk takes all its keys at once, or waits and has none; one that has its keys waits for earlier chunks of its own import
/// only, which have theirs. So nobody waits in a circle.
final class ImportKeys: Sendable {
    typealias Keys = [ImportTable: Set<ImportKey>]

    private struct Waiter {
        let id: UUID
        let keys: Keys
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var held: Keys = [:]
        /// Those that wait, the longest first.
        var waiting: [Waiter] = []

        /// Indicates whether nobody has one of the keys, or has waited for one for longer.
        func isFree(_ keys: Keys) -> Bool {
            ([held] + waiting.map(\.keys)).allSatisfy { others in
                keys.allSatisfy { table, keys in others[table]?.isDisjoint(with: keys) ?? true }
            }
        }

        mutating func hold(_ keys: Keys) { held.merge(keys) { $0.union($1) } }

        mutating func release(_ keys: Keys) {
            for (table, keys) in keys {
                held[table]?.subtract(keys)
                if held[table]?.isEmpty == true { held[table] = nil }
            }
        }

        /// Gives their keys to those that wait for none that is held, or that an earlier one waits for.
        mutating func takeReady() -> [Waiter] {
            var ready: [Waiter] = []
            let all = waiting
            waiting = []
            for waiter in all {
                if isFree(waiter.keys) {
                    hold(waiter.keys)
                    ready.append(waiter)
                } else {
                    waiting.append(waiter)
                }
            }
            return ready
        }

        mutating func removeWaiter(_ id: UUID) -> Waiter? {
            waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0) }
        }
    }

    private let state = Locked(State())

    /// Takes keys, after those who have some of them.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func take(_ keys: Keys) async throws {
        if keys.isEmpty { return }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if !state.isFree(keys) {
                        state.waiting.append(Waiter(id: id, keys: keys, continuation: continuation))
                        return nil
                    }
                    state.hold(keys)
                    return .success(())
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let (waiter, ready) = state.withLock { state in
                let waiter = state.removeWaiter(id)
                return (waiter, state.takeReady())
            }
            waiter?.continuation.resume(throwing: CancellationError())
            for waiter in ready { waiter.continuation.resume() }
        }
    }

    /// Releases keys that were taken.
    func release(_ keys: Keys) {
        if keys.isEmpty { return }
        let ready = state.withLock { state in
            state.release(keys)
            return state.takeReady()
        }
        for waiter in ready { waiter.continuation.resume() }
    }
}
