/// **Shared.** A context's mailbox and the bell beside it: leaders of commits deliver, the context drains.
package final class ContextMailbox: Sendable {
    package let id: ContextID
    private let mailbox: Locked<Mailbox<CommitNotice>>
    /// Rung when a delivery found the mailbox empty; called on the committing thread, outside all locks.
    private let bell = Locked<(@Sendable () -> Void)?>(nil)

    init(id: ContextID) {
        self.id = id
        mailbox = Locked(Mailbox(standingAt: .opened))
    }

    /// Begins to take notices after `generation`.
    func open(at generation: Generation) {
        mailbox.withLock { $0 = Mailbox(standingAt: generation) }
    }

    /// Sets who is called when notices wait to be drained.
    package func setBell(_ ring: (@Sendable () -> Void)?) {
        bell.withLock { $0 = ring }
    }

    /// Returns whether the context has to be woken.
    func deliver(_ notice: CommitNotice, at generation: Generation) -> Bool {
        mailbox.withLock { mailbox in
            if case .scheduleTurn = mailbox.deliver(notice, at: generation) { return true }
            return false
        }
    }

    func wake() { bell.withLock { $0 }?() }

    func drain(through generation: Generation) -> Mailbox<CommitNotice>.Drained {
        mailbox.withLock { $0.drain(through: generation) }
    }
}
