import Synchronization

/// **Shared.** Calls a block on the main actor, once for all signals that are sent before it is called.
final class MainActorSignal: Sendable {
    private let block: @MainActor @Sendable () -> Void
    /// `true` from the first signal until the block is called.
    private let isSent = Atomic(false)

    init(_ block: @escaping @MainActor @Sendable () -> Void) { self.block = block }

    /// Sends a signal.
    func send() {
        if isSent.exchange(true, ordering: .acquiringAndReleasing) { return }
        // Detached, because the block is unrelated to the sending task and its task-local values.
        Task.detached { @MainActor [self] in
            isSent.store(false, ordering: .sequentiallyConsistent)
            block()
        }
    }
}
