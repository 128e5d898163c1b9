import DataMonkCore

/// **Shared.** Calls once when one and the same step is waited for and has done nothing for some time: as one does that
/// waits, in a way that nobody sees, for whoever waits for it.
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

    private let interval: Duration
    private let holder: @Sendable () -> WaitParty?
    private let onStall: @Sendable (WaitParty) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - interval: how long the step has to have done nothing.
    ///   - holder: who is waited for.
    ///   - onStall: is told who it is.
    init(
        interval: Duration, holder: @escaping @Sendable () -> WaitParty?,
        onStall: @escaping @Sendable (WaitParty) -> Void
    ) {
        self.interval = interval
        self.holder = holder
        self.onStall = onStall
        look()
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Looks when the tasks that are ready now have had their turns: where they are many and threads are few, whatever the
    /// step waits for may stand in that line, and does more than one thing. Who is to be told is a task as well.
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
            if let finding, finding == state.last { return true }
            state.last = finding
            state.timer = DeadlineTimer(at: .now + interval) { [weak self] in
                Task.detached { await self?.lookInTurn() }
            }
            return false
        }
        if hasStalled, let holder { onStall(holder) }
    }
}
