import Dispatch
import Synchronization

/// **Shared.** Calls a block where its owner wants to be called, once for all signals that are sent before it is
/// called.
///
///     idle --send--> sent --the block is called--> idle
///       +-------------+---- end ---> ended: the block is not called any more
final class CommitSignal: Sendable {
    private enum State: UInt8, AtomicRepresentable {
        case idle, sent, ended
    }

    /// Has the block called there.
    private let deliver: @Sendable (CommitSignal) -> Void
    private let state = Atomic(State.idle)

    // The tasks are detached, because the block is unrelated to the sending task and its task-local values.

    /// Calls a block on the main actor.
    init(_ block: @escaping @MainActor @Sendable () -> Void) {
        deliver = { signal in
            Task.detached { @MainActor in
                if signal.begin() { block() }
            }
        }
    }

    /// Calls a block on a queue.
    init(queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
        deliver = { signal in
            queue.async {
                if signal.begin() { block() }
            }
        }
    }

    /// Calls a block on an actor, which it does not keep: the actor may keep the observation.
    init<Isolation: Actor>(on actor: Isolation, _ block: @escaping @Sendable (isolated Isolation) -> Void) {
        deliver = { [weak actor] signal in
            guard let actor else { return }
            Task.detached { await signal.call(block, on: actor) }
        }
    }

    /// Sends a signal.
    func send() {
        let (isFirst, _) = state.compareExchange(expected: .idle, desired: .sent, ordering: .acquiringAndReleasing)
        if isFirst { deliver(self) }
    }

    /// Ends the calls. If the caller is where the block is called, the block is not called after this.
    func end() { state.store(.ended, ordering: .releasing) }

    /// Returns whether the block is to be called. The next signal is delivered anew, because the block may look at the
    /// data before the next commit.
    private func begin() -> Bool {
        state.compareExchange(expected: .sent, desired: .idle, ordering: .acquiringAndReleasing).exchanged
    }

    private func call<Isolation: Actor>(
        _ block: @Sendable (isolated Isolation) -> Void, on actor: isolated Isolation
    ) {
        if begin() { block(actor) }
    }
}
