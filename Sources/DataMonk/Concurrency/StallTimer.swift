import DataMonkCore

/// **Shared.** Watches a wait that has no deadline, for the step that is waited for to stay the same and make no progress for
/// some time. Then, if that step waits for this very wait through a task that it has begun, neither will ever end, and the
/// wait is given up. Otherwise it awaits something that takes long: that is reported once, and waited for.
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

    private let party: WaitParticipant
    private let interval: Duration
    private let stack: Stack
    private let holder: @Sendable () -> WaitParticipant?
    private let giveUp: @Sendable (WaitParticipant) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - party: The step that waits.
    ///   - interval: The time without progress after which the wait is given up or reported.
    ///   - stack: Receives the report.
    ///   - holder: Returns the step that is waited for.
    ///   - giveUp: A block that ends the wait for that step.
    init(
        of party: WaitParticipant, interval: Duration, stack: Stack,
        holder: @escaping @Sendable () -> WaitParticipant?, giveUp: @escaping @Sendable (WaitParticipant) -> Void
    ) {
        self.party = party
        self.interval = interval
        self.stack = stack
        self.holder = holder
        self.giveUp = giveUp
        look()
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Checks once all tasks that are ready now have had their turn. With many tasks and few threads, the work that the
    /// step waits for may be in that line and take more than one turn. The code that is given up is a task as well.
    private func lookInTurn() async {
        for _ in 0..<Self.turns { await Task.yield() }
        look()
    }

    private static let turns = 8

    private func look() {
        let holder = holder()
        let finding = holder.flatMap { holder in
            holder.timesSuspended.map { Finding(holder: ObjectIdentifier(holder), timesSuspended: $0) }
        }
        let hasStalled = state.withLock { state in
            if state.isCancelled { return false }
            defer { state.last = finding }
            return finding != nil && finding == state.last
        }
        if hasStalled, let holder {
            if WaitGraph.shared.mayNeverEnd(party) { return giveUp(holder) }
            if holder.beginReport() {
                stack.warn(Self.report(waiter: party.call, holder: holder.call, interval: interval))
            }
        }
        state.withLock { state in
            if state.isCancelled { return }
            state.timer = DeadlineTimer(at: .now + interval) { [weak self] in
                Task.detached { await self?.lookInTurn() }
            }
        }
    }

    private static func report(waiter: UpdateCall, holder: UpdateCall, interval: Duration) -> String {
        """
        \(waiter) waits for \(holder), which has suspended and done nothing for \(interval). It is waited for on. If what it \
        awaits is long, do that before or after the update; if it is \(waiter) (in a detached task, or through a callback), \
        neither will end: give a deadline.
        """
    }
}
