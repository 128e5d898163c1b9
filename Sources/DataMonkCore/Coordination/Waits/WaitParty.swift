import Synchronization

/// **Shared.** Somebody who waits and is waited for: one step of an update, from its request to its end.
package final class WaitParty: Sendable {
    /// The call that began it.
    package let call: UpdateCall
    /// Whether its code can suspend, and so go on only when others let it: the main actor, say.
    package let canSuspend: Bool
    /// The step whose code began this one and goes on only after it.
    package let outer: WaitParty?
    private let suspensions: @Sendable () -> Int?
    private let hasBegun = Atomic(false)

    package init(
        _ call: UpdateCall, canSuspend: Bool, outer: WaitParty? = nil,
        suspensions: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.call = call
        self.canSuspend = canSuspend
        self.outer = outer
        self.suspensions = suspensions
    }

    /// Its turn has come, and its code begins to run.
    package func begin() { hasBegun.store(true, ordering: .releasing) }

    /// How often its code has run on and suspended again; nil before it begins, while it runs, and where nobody counts.
    package var timesSuspended: Int? { hasBegun.load(ordering: .acquiring) ? suspensions() : nil }

    /// Whether this is `other`, or was begun inside of it.
    func isInside(_ other: WaitParty) -> Bool {
        if self === other { return true }
        var step = outer
        while let inner = step {
            if inner === other { return true }
            step = inner.outer
        }
        return false
    }
}
