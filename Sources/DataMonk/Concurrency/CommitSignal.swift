import Dispatch
import Synchronization

/// **Shared.** Calls a block where its owner wants to be called, once for all signals that are sent before it is called.
final class CommitSignal: Sendable {
    /// Has a closure called there.
    private let deliver: @Sendable (CommitSignal) -> Void
    /// `true` from the first signal until the block is called.
    private let isSent = Atomic(false)

    // The tasks are detached, because the block is unrelated to the sending task and its task-local values.

    /// Calls a block on the main actor.
    init(_ block: @escaping @MainActor @Sendable () -> Void) {
        deliver = { signal in
            Task.detached { @MainActor in
                signal.arrive()
                block()
            }
        }
    }

    /// Calls a block on a queue.
    init(queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
        deliver = { signal in
            queue.async {
                signal.arrive()
                block()
            }
        }
    }

    /// Calls a block on an actor.
    init<Isolation: Actor>(on actor: Isolation, _ block: @escaping @Sendable (isolated Isolation) -> Void) {
        deliver = { signal in
            Task.detached { await signal.arrive(on: actor, block) }
        }
    }

    /// Sends a signal.
    func send() {
        if !isSent.exchange(true, ordering: .acquiringAndReleasing) { deliver(self) }
    }

    /// Lets the next signal be delivered. Before the block, which may look at the data before the next commit.
    private func arrive() { isSent.store(false, ordering: .sequentiallyConsistent) }

    private func arrive<Isolation: Actor>(
        on actor: isolated Isolation, _ block: @Sendable (isolated Isolation) -> Void
    ) {
        arrive()
        block(actor)
    }
}
