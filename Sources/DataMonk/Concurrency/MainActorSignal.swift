import Synchronization

/// **Shared.** Calls a block on the main actor, once for all that happens before it is called.
final class MainActorSignal: Sendable {
    private let block: @MainActor @Sendable () -> Void
    /// True from the sending until the block is called.
    private let isSent = Atomic(false)

    init(_ block: @escaping @MainActor @Sendable () -> Void) { self.block = block }

    /// Something has happened.
    func send() {
        if isSent.exchange(true, ordering: .acquiringAndReleasing) { return }
        // Detached: what is called has nothing to do with the task in which it happened, nor with its task-local values.
        Task.detached { @MainActor [self] in
            isSent.store(false, ordering: .sequentiallyConsistent)
            block()
        }
    }
}
