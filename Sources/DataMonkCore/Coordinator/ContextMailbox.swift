/// **Shared.** A context's mailbox and the bell beside it: leaders of commits deliver, the context drains.
package final class ContextMailbox: Sendable {
    package let id: ContextID
    private let mailbox: Locked<Mailbox<CommitNotice>>
    /// Rung when a delivery found the mailbox empty; called on the committing thread, outside all locks.
    private let bell = Locked(Bell())

    private struct Bell: Sendable {
        var ring: (@Sendable () -> Void)?
    }

    init(id: ContextID) {
        self.id = id
        mailbox = Locked(Self.empty(at: .opened))
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
        mailbox.withLock { $0 = Self.empty(at: generation) }
    }

    /// Sets who is called when notices wait to be drained.
    package func setBell(_ ring: (@Sendable () -> Void)?) {
        bell.withLock { $0.ring = ring }
    }

    /// Returns whether the context has to be woken.
    func deliver(_ notice: CommitNotice, at generation: Generation) -> Bool {
        mailbox.withLock { mailbox in
            if case .scheduleTurn = mailbox.deliver(notice, at: generation, weight: notice.weight) { return true }
            return false
        }
    }

    func wake() { bell.withLock { $0.ring }?() }

    func drain(through generation: Generation) -> Mailbox<CommitNotice>.Drained {
        mailbox.withLock { $0.drain(through: generation) }
    }

    /// The oldest generation that waits to be drained.
    var first: Generation? { mailbox.withLock { $0.first } }

    /// What waits to be drained, up to a generation; nil if that is not known any more.
    func notices(through generation: Generation) -> [CommitNotice]? {
        mailbox.withLock { $0.notices(through: generation) }
    }
}
