import DataMonkCore

/// **Shared.** Keeps the chunks of one import in their order: each begins after the one before it has begun, and is committed
/// after that is.
///
///     waiting --its turn to begin--> begun --its turn to commit--> committed
///        +---------------+-------------an earlier one has failed--> refused
///
/// 1. Chunk n begins only if all before it have begun: under a serial order of updates they get their places in this order,
///    so that no chunk holds a place that an earlier one needs.
/// 2. Chunk n is committed only if all before it are. A chunk that fails refuses those after it, never one before it.
final class ImportLane: Sendable {
    private struct State {
        /// The number of the next chunk to begin, and to be committed.
        var (begun, ended) = (0, 0)
        /// The first chunk that has failed.
        var failed: Int?
        var waiting: [(isForBeginning: Bool, number: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Indicates whether a chunk before this one has failed.
        func isRefused(_ number: Int) -> Bool { failed.map { number > $0 } ?? false }

        /// Removes those whose turn has come, and those that are refused.
        mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
            let all = waiting
            waiting = []
            return all.compactMap { waiter in
                let isReady = waiter.number <= (waiter.isForBeginning ? begun : ended) || isRefused(waiter.number)
                if !isReady { waiting.append(waiter) }
                return isReady ? waiter.continuation : nil
            }
        }
    }

    private let state = Locked(State())

    /// Waits for a chunk's turn to begin.
    ///
    /// - Throws: `CancellationError` if an earlier one has failed.
    func waitToBegin(_ number: Int) async throws { try await wait(number, isForBeginning: true) }

    /// Waits for a chunk's turn to be committed.
    ///
    /// - Throws: `CancellationError` if an earlier one has failed.
    func waitToCommit(_ number: Int) async throws { try await wait(number, isForBeginning: false) }

    /// Lets the next chunk begin.
    func didBegin(_ number: Int) { change { $0.begun = max($0.begun, number + 1) } }

    /// Lets the next chunk be committed.
    func didCommit(_ number: Int) { change { $0.ended = number + 1 } }

    /// Refuses the chunks after this one. Those before it are committed.
    func didFail(_ number: Int) { change { $0.failed = min($0.failed ?? number, number) } }

    private func wait(_ number: Int, isForBeginning: Bool) async throws {
        await withCheckedContinuation { continuation in
            change { $0.waiting.append((isForBeginning, number, continuation)) }
        }
        if state.withLock({ $0.isRefused(number) }) { throw CancellationError() }
    }

    private func change(_ body: (inout State) -> Void) {
        let ready = state.withLock { state in
            body(&state)
            return state.takeReady()
        }
        for continuation in ready { continuation.resume() }
    }
}
