import DataMonkCore

/// **Value.** The step that the running code belongs to, so that a call that would wait for the step itself is
/// recognized.
struct UpdateScope: Sendable {
    @TaskLocal static var current: UpdateScope?

    /// The step, or a part of one.
    let party: WaitParticipant
    private let flow = Flow.current

    init(_ party: WaitParticipant) { self.party = party }

    /// The step whose own code is running, and which continues only when that code returns. A task started by a step also
    /// has a scope, but nothing can tell whether the step awaits that task.
    static var partyOfThisFlow: WaitParticipant? {
        guard let current, current.flow == .current else { return nil }
        return current.party
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
