import DataMonkCore

/// **Value.** The step that the running code belongs to, so that a call that would wait for it can say so.
struct UpdateScope: Sendable {
    @TaskLocal static var current: UpdateScope?

    /// The step, or the part of one.
    let party: WaitParty
    private let flow = Flow.current

    init(_ party: WaitParty) { self.party = party }

    /// The step whose very code runs, which goes on only when that returns. In a task that a step has begun there is a
    /// scope as well; but nobody can tell whether the step awaits that task.
    static var partyOfThisFlow: WaitParty? {
        guard let current, current.flow == .current else { return nil }
        return current.party
    }
}

/// **Value.** One thing after the other: a task, or a thread that runs none.
private enum Flow: Sendable, Equatable {
    /// By its hash: a task's identity, as long as it lives. That is as long as the step that compares runs in it.
    case task(Int)
    case thread(ThreadID)

    static var current: Flow {
        if let task = withUnsafeCurrentTask(body: { $0?.hashValue }) { return .task(task) }
        return .thread(.current)
    }
}
