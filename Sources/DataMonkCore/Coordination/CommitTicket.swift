/// **Shared.** By which a commit is cancelled from elsewhere: from a task's cancellation handler, say.
///
/// A ticket is for one commit. Cancelling before the commit starts refuses it, cancelling after it was taken changes
/// nothing: a commit that is being written ends as it ends.
package final class CommitTicket: Sendable {
    private enum State {
        case fresh
        case enqueued(cancel: @Sendable () -> Void)
        case cancelled
    }

    private let state = Locked(State.fresh)

    package init() {}

    /// Gives the commit up, if its queue has not taken it yet.
    package func cancel() {
        let cancel: (@Sendable () -> Void)? = state.withLock { state in
            defer { state = .cancelled }
            if case .enqueued(let cancel) = state { return cancel }
            return nil
        }
        // Outside the lock: it takes the queue's.
        cancel?()
    }

    var isCancelled: Bool {
        state.withLock { if case .cancelled = $0 { true } else { false } }
    }

    /// The commit waits in a queue now. A ticket that was cancelled meanwhile cancels at once.
    func enqueued(cancel: @escaping @Sendable () -> Void) {
        let isLate: Bool = state.withLock { state in
            if case .cancelled = state { return true }
            state = .enqueued(cancel: cancel)
            return false
        }
        if isLate { cancel() }
    }
}

/// **Value.** Why a commit was given up before it was taken. Nothing of it was written.
package enum CommitNotTaken: Error, Hashable, Sendable {
    case cancelled
    case deadlinePassed
    /// The calling thread is inside a commit of the same queue.
    case insideCommit
}
