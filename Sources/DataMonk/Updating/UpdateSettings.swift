import DataMonkCore

/// **Shared.** The settings that all updates of one context share.
final class UpdateSettings: Sendable {
    let stack: Stack
    let mergePolicy: MergePolicy
    /// The gate that all updates pass in a serial order; `nil` otherwise.
    let order: UpdateGate?
    private let ownDeadline: Duration?
    private let observers = SharedObservers<Void>()

    init(stack: Stack, mergePolicy: MergePolicy, order: UpdateOrder?, deadline: Duration?) {
        self.stack = stack
        self.mergePolicy = mergePolicy
        self.order = (order ?? stack.updateOrder).gate
        ownDeadline = deadline
    }

    // MARK: Commits of the context

    /// Calls a block after each commit of the context's updates, on the committing thread.
    func observeCommit(_ block: @escaping @Sendable () -> Void) -> CommitObserver {
        let token = observers.add { block() }
        return CommitObserver { [observers] in observers.remove(token) }
    }

    /// Tells the observers that something of an update is in the store.
    func didCommit() {
        for block in observers.blocks { block(()) }
    }

    // MARK: Waiting

    /// The longest time that a waiting call waits.
    var deadline: Duration { ownDeadline ?? stack.deadline }
}
