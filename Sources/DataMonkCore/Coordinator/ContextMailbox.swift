/// **Shared.** A context's mailbox and the bell beside it: leaders of commits deliver, the context drains.
package final class ContextMailbox: Sendable {
    private struct State {
        var mailbox: Mailbox<CommitNotice>
        /// Rung when a delivery found the mailbox empty; called on the committing thread, outside all locks.
        var bell: (@Sendable () -> Void)?
    }

    package let id: ContextID
    private let state: Locked<State>

    init(id: ContextID) {
        self.id = id
        state = Locked(State(mailbox: Self.empty(at: .opened)))
    }

    /// How many commits wait at most: those of a busy second.
    package static let capacity = 1_024
    /// How many bytes of them wait at most. The mailboxes of all contexts share the notices.
    package static let weightLimit = 64 << 20

    private static func empty(at generation: Generation) -> Mailbox<CommitNotice> {
        Mailbox(standingAt: generation, capacity: capacity, weightLimit: weightLimit)
    }

    /// Begins to take notices after `generation`.
    func open(at generation: Generation) {
        state.withLock { $0.mailbox = Self.empty(at: generation) }
    }

    /// Sets who is called when notices wait to be drained.
    package func setBell(_ ring: (@Sendable () -> Void)?) {
        state.withLock { $0.bell = ring }
    }

    /// Returns whether the context has to be woken.
    func deliver(_ notice: CommitNotice, at generation: Generation) -> Bool {
        state.withLock { state in
            if case .scheduleTurn = state.mailbox.deliver(notice, at: generation, weight: notice.weight) { return true }
            return false
        }
    }

    func wake() { state.withLock { $0.bell }?() }

    func drain(through generation: Generation) -> Mailbox<CommitNotice>.Drained {
        state.withLock { $0.mailbox.drain(through: generation) }
    }

    /// The oldest generation that waits to be drained.
    var first: Generation? { state.withLock { $0.mailbox.first } }

    /// What waits to be drained, up to a generation; nil if that is not known any more.
    func notices(through generation: Generation) -> [CommitNotice]? {
        state.withLock { $0.mailbox.notices(through: generation) }
    }
}
