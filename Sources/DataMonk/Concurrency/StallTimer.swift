import DataMonkCore

/// **Shared.** Calls a block once if the step that is waited for stays the same and makes no progress for some time. Such
/// a step may be waiting, in a way that cannot be observed, for the very code that waits for it.
///
/// A step that makes progress is waited for as long as it takes, and so is a long queue that moves.
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
    private let holder: @Sendable () -> WaitParticipant?
    private let onStall: @Sendable (WaitParticipant) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - interval: The time without progress after which the block is called.
    ///   - holder: Returns the step that is waited for.
    ///   - onStall: The block to call with that step.
    init(
        interval: Duration, holder: @escaping @Sendable () -> WaitParticipant?,
        onStall: @escaping @Sendable (WaitParticipant) -> Void
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

    /// Checks once all tasks that are ready now have had their turn. With many tasks and few threads, the work that the
    /// step waits for may be in that line and take more than one turn. The code that `onStall` informs is a task as well.
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
