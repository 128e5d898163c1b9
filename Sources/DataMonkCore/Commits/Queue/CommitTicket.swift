/// **Shared.** A ticket with which a commit can be cancelled from elsewhere, such as from a task's cancellation handler.
///
/// A ticket is for a single commit. Cancelling it before the commit starts prevents the commit; cancelling it after the
/// commit was taken has no effect.
package final class CommitTicket: Sendable {
    private enum State {
        case fresh
        case enqueued(cancel: @Sendable () -> Void)
        case cancelled
    }

    private let state = Locked(State.fresh)

    package init() {}

    /// Cancels the commit, if its queue has not taken it yet.
    package func cancel() {
        let cancel: (@Sendable () -> Void)? = state.withLock { state in
            defer { state = .cancelled }
            if case .enqueued(let cancel) = state { return cancel }
            return nil
        }
        // Outside the lock, because it takes the lock of the queue.
        cancel?()
    }

    var isCancelled: Bool {
        state.withLock { if case .cancelled = $0 { true } else { false } }
    }

    /// Records that the commit now waits in a queue. If the ticket has been cancelled meanwhile, it cancels at once.
    func enqueued(cancel: @escaping @Sendable () -> Void) {
        let isLate: Bool = state.withLock { state in
            if case .cancelled = state { return true }
            state = .enqueued(cancel: cancel)
            return false
        }
        if isLate { cancel() }
    }
}

/// **Value.** The reason why a commit was given up before it was taken. Nothing of it was written.
package enum CommitNotTaken: Error, Hashable, Sendable {
    case cancelled
    case deadlinePassed
    /// The calling thread is inside a commit of the same queue.
    case insideCommit
}
