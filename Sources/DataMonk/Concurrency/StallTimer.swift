import DataMonkCore

/// **Shared.** Calls once when one and the same step has held a gate for some time without doing anything: as one does
/// that waits, in a way that nobody sees, for whoever waits at the gate.
///
/// A step that works is waited for as long as it takes, and a long queue that moves as well.
final class StallTimer: Sendable {
    private struct Finding: Equatable {
        let holder: ObjectIdentifier
        let timesSuspended: Int
    }

    private struct State {
        var timer: DeadlineTimer?
        var last: Finding?
        var isCancelled = false
    }

    private let gate: UpdateGate
    private let interval: Duration
    private let body: @Sendable (WaitParty) -> Void
    private let state = Locked(State())

    init(_ gate: UpdateGate, interval: Duration, _ body: @escaping @Sendable (WaitParty) -> Void) {
        self.gate = gate
        self.interval = interval
        self.body = body
        look()
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func look() {
        let holder = gate.holder
        let finding = holder.flatMap { holder in
            holder.timesSuspended().map { Finding(holder: ObjectIdentifier(holder), timesSuspended: $0) }
        }
        let hasStalled = state.withLock { state in
            if state.isCancelled { return false }
            if let finding, finding == state.last { return true }
            state.last = finding
            state.timer = DeadlineTimer(at: .now + interval) { [weak self] in self?.look() }
            return false
        }
        if hasStalled, let holder { body(holder) }
    }
}
