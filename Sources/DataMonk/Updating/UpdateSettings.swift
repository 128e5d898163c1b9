import DataMonkCore

/// **Shared.** What all updates of one context have in common.
final class UpdateSettings: Sendable {
    let stack: Stack
    let mergePolicy: MergePolicy
    /// What all updates pass in a serial order; nil otherwise.
    let order: UpdateGate?
    private let ownDeadline: Duration?

    init(stack: Stack, mergePolicy: MergePolicy, order: UpdateOrder?, deadline: Duration?) {
        self.stack = stack
        self.mergePolicy = mergePolicy
        self.order = (order ?? stack.updateOrder).gate
        ownDeadline = deadline
    }

    /// How long a call that waits does so.
    var deadline: Duration { ownDeadline ?? stack.deadline }
}
