import DataMonkCore

/// **Shared.** What all updates of one context have in common.
final class UpdateSettings: Sendable {
    let stack: Stack
    let mergePolicy: MergePolicy
    /// The one gate of all updates under `.serial`; nil otherwise.
    let order: UpdateGate?
    /// How long a call that waits does so.
    let deadline: Duration

    init(stack: Stack, mergePolicy: MergePolicy, order: UpdateOrder, deadline: Duration) {
        self.stack = stack
        self.mergePolicy = mergePolicy
        self.order = order == .serial ? UpdateGate() : nil
        self.deadline = deadline
    }
}

/// **Value.** The update that the running code belongs to, so that a call that would wait for it can say so.
struct UpdateScope: Sendable {
    @TaskLocal static var current: UpdateScope?

    let gate: ObjectIdentifier
    let ticket: UpdateGate.Ticket
    let order: ObjectIdentifier?
    let orderTicket: UpdateGate.Ticket?

    /// The ticket of a gate that the running code holds.
    static func ticket(of gate: UpdateGate) -> UpdateGate.Ticket? {
        guard let current else { return nil }
        if current.gate == ObjectIdentifier(gate) { return current.ticket }
        if current.order == ObjectIdentifier(gate) { return current.orderTicket }
        return nil
    }
}
