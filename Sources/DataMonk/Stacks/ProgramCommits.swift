import DataMonkCore

/// **Shared.** The stacks of the program, for those who observe the commits of all of them.
///
/// A new stack and a new observation look for each other after both are listed, so that neither misses the other.
/// Whatever may be the last reference to a stack or an observer is released outside of the locks: it runs the
/// application's code.
final class ProgramCommits: Sendable {
    static let shared = ProgramCommits()

    private struct State {
        var stacks: [WeakStack] = []
        var observations: [WeakObservation] = []

        /// Removes what is gone, and returns the rest.
        mutating func prune() -> (stacks: [Stack], observations: [Observation]) {
            let stacks = stacks.compactMap(\.stack)
            let observations = observations.compactMap(\.observation)
            self.stacks = stacks.map { WeakStack(stack: $0) }
            self.observations = observations.map { WeakObservation(observation: $0) }
            return (stacks, observations)
        }
    }

    private let state = Locked(State())

    /// Adds a new stack.
    func add(_ stack: Stack) {
        let present = state.withLock { state in
            state.stacks.append(WeakStack(stack: stack))
            return state.prune()
        }
        for each in present.observations { each.follow(stack) }
    }

    /// Calls a block after each commit, on the committing thread.
    func observe(_ block: @escaping @Sendable () -> Void) -> CommitObserver {
        let observation = Observation(block)
        let present = state.withLock { state in
            state.observations.append(WeakObservation(observation: observation))
            return state.prune()
        }
        for stack in present.stacks { observation.follow(stack) }
        return CommitObserver { observation.cancel() }
    }

    /// **Shared.** One observation, with its token of each stack.
    private final class Observation: Sendable {
        private struct Followed {
            let stack: WeakStack
            let token: CommitObserver
        }

        private let block: @Sendable () -> Void
        /// `nil` once it is cancelled.
        private let followed = Locked<[Followed]?>([])

        init(_ block: @escaping @Sendable () -> Void) { self.block = block }

        func follow(_ stack: Stack) {
            let new = Followed(stack: WeakStack(stack: stack), token: stack.observeKnownCommits(block))
            let former = followed.withLock { followed -> [Followed] in
                guard let present = followed else { return [new] }
                // The stack and the observation may have found each other.
                let isKnown = present.contains { $0.stack.stack === stack }
                followed = present.filter { $0.stack.stack != nil } + (isKnown ? [] : [new])
                return present + [new]
            }
            _ = consume former
        }

        func cancel() {
            let former = followed.withLock { followed in
                defer { followed = nil }
                return followed
            }
            _ = consume former
        }
    }

    private struct WeakStack: Sendable { weak let stack: Stack? }

    private struct WeakObservation: Sendable { weak let observation: Observation? }
}
