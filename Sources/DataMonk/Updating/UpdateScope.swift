import DataMonkCore

/// **Shared.** The step that the running code belongs to, so that a call that would wait for the step itself is
/// recognized. A class, because every read of a task-local value copies it, and that of a structure takes far longer.
final class UpdateScope: Sendable {
    @TaskLocal static var current: UpdateScope?

    /// The step, or a part of one.
    let party: WaitParticipant
    /// The time at which its fetches end and its commits no longer wait; `nil` for no limit. A part of a step ends with the
    /// step at the latest.
    let deadline: ContinuousClock.Instant?
    private let flow = Flow.current

    init(_ party: WaitParticipant, until deadline: ContinuousClock.Instant?) {
        self.party = party
        self.deadline = deadline
    }

    /// Returns the earlier of two deadlines.
    static func earlier(
        _ left: ContinuousClock.Instant?, or right: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    /// The step whose own code is running, and which continues only when that code returns. A task started by a step also
    /// has a scope, but nothing can tell whether the step awaits that task.
    static var ofThisFlow: UpdateScope? {
        guard let current, current.isOfThisFlow else { return nil }
        return current
    }

    /// `false` in a task that the step has begun.
    var isOfThisFlow: Bool { flow == .current }

    static var partyOfThisFlow: WaitParticipant? { ofThisFlow?.party }

    /// Records, while a body runs, that this step waits for another one; or that it may, if a task of it does.
    nonisolated(nonsending) func whileWaiting<Result>(
        for party: WaitParticipant, _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let isCertain = isOfThisFlow
        WaitGraph.shared.add(self.party, waitingFor: .party(party), isCertain: isCertain)
        defer { WaitGraph.shared.remove(self.party, waitingFor: .party(party), isCertain: isCertain) }
        return try await body()
    }
}

/// **Value.** A sequence of execution: a task, or a thread outside of tasks.
private enum Flow: Sendable, Equatable {
    /// Identified by the task's hash, which is unique while the task lives. A task lives at least as long as the step
    /// that runs in it.
    case task(Int)
    case thread(ThreadID)

    static var current: Flow {
        if let task = withUnsafeCurrentTask(body: { $0?.hashValue }) { return .task(task) }
        return .thread(.current)
    }
}
