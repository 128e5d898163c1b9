import DataMonkCore

/// **Shared.** The stacks of the program, for those who observe the commits of all of them.
///
/// Invariant: every living observation has a token of every living stack.
final class ProgramCommits: Sendable {
    static let shared = ProgramCommits()

    private struct State {
        var stacks: [WeakStack] = []
        var observations: [WeakObservation] = []
    }

    private let state = Locked(State())

    /// Adds a new stack.
    func add(_ stack: Stack) {
        state.withLock { state in
            state.stacks.removeAll { $0.stack == nil }
            state.observations.removeAll { $0.observation == nil }
            state.stacks.append(WeakStack(stack: stack))
            for each in state.observations { each.observation?.follow(stack) }
        }
    }

    /// Calls a block after each commit, on the committing thread.
    func observe(_ block: @escaping @Sendable () -> Void) -> CommitObserver {
        let observation = Observation(block)
        state.withLock { state in
            state.observations.append(WeakObservation(observation: observation))
            for each in state.stacks { if let stack = each.stack { observation.follow(stack) } }
        }
        return CommitObserver { observation.cancel() }
    }

    /// **Shared.** One observation, with its token of each stack.
    private final class Observation: Sendable {
        private let block: @Sendable () -> Void
        /// `nil` once it is cancelled.
        private let tokens = Locked<[CommitObserver]?>([])

        init(_ block: @escaping @Sendable () -> Void) { self.block = block }

        func follow(_ stack: Stack) {
            let token = stack.observeEachCommit(block)
            tokens.withLock { $0?.append(token) }
        }

        func cancel() { tokens.withLock { $0 = nil } }
    }

    private struct WeakStack: Sendable { weak var stack: Stack? }

    private struct WeakObservation: Sendable { weak var observation: Observation? }
}
