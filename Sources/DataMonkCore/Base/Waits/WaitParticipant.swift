import Synchronization

/// **Shared.** A participant in waits: one step of an update, from its request to its end.
package final class WaitParticipant: Sendable {
    /// The call that began the step.
    package let call: UpdateCall
    /// Indicates whether its code can suspend, and then depends on others to continue, such as the main actor.
    package let canSuspend: Bool
    /// The step whose code began this one and which continues only after it.
    package let outer: WaitParticipant?
    private let suspensions: @Sendable () -> Int?
    private let hasBegun = Atomic(false)
    private let isReported = Atomic(false)

    package init(
        _ call: UpdateCall, canSuspend: Bool, outer: WaitParticipant? = nil,
        suspensions: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.call = call
        self.canSuspend = canSuspend
        self.outer = outer
        self.suspensions = suspensions
    }

    /// Records that its turn has come and its code begins to run.
    package func begin() { hasBegun.store(true, ordering: .releasing) }

    /// The number of times that its code has resumed and suspended again; `nil` before it begins, while it runs, and if
    /// the suspensions are not counted.
    package var timesSuspended: Int? { hasBegun.load(ordering: .acquiring) ? suspensions() : nil }

    /// Returns `true` once: whoever asks first reports that it keeps others waiting.
    package func beginReport() -> Bool { !isReported.exchange(true, ordering: .relaxed) }

    /// Returns `true` if this is `other`, or was begun inside of it.
    func isInside(_ other: WaitParticipant) -> Bool {
        if self === other { return true }
        var step = outer
        while let inner = step {
            if inner === other { return true }
            step = inner.outer
        }
        return false
    }
}
