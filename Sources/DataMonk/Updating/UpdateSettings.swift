import DataMonkCore

/// **Shared.** The settings that all updates of one context share.
final class UpdateSettings: Sendable {
    let stack: Stack
    let mergePolicy: MergePolicy
    /// The gate that all updates pass in a serial order; `nil` otherwise.
    let order: UpdateGate?
    private let ownDeadline: Duration?

    init(stack: Stack, mergePolicy: MergePolicy, order: UpdateOrder?, deadline: Duration?) {
        self.stack = stack
        self.mergePolicy = mergePolicy
        self.order = (order ?? stack.updateOrder).gate
        ownDeadline = deadline
    }

    /// The longest time that a waiting call waits.
    var deadline: Duration { ownDeadline ?? stack.deadline }
}
