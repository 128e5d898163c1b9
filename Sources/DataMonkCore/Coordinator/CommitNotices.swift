/// **Shared.** What contexts hear of commits: the notices, and the bells of those that want to be woken.
package final class CommitNotices: Sendable {
    private struct State {
        var run = NoticeRun<CommitNotice>(capacity: CommitNotices.capacity, weightLimit: 64 << 20)
        var bells: [ContextID: Bell] = [:]
    }

    private struct Bell {
        /// Called on the committing thread, outside of all locks.
        let ring: @Sendable () -> Void
        /// Whether it has been rung and the context has not taken everything in since.
        var isRung = false
    }

    private let state = Locked(State())

    /// How many commits the run goes back at most: those of a busy second. It keeps 64 MiB of them at most.
    package static let capacity = 1_024

    /// Adds the notice of a commit, before the ledger publishes it. Returns the bells to be rung afterwards.
    func append(_ notice: CommitNotice) -> [@Sendable () -> Void] {
        state.withLock { state in
            state.run.append(notice, at: notice.generation, weight: notice.weight)
            if state.bells.isEmpty { return [] }
            var rings: [@Sendable () -> Void] = []
            for (id, bell) in state.bells where !bell.isRung {
                state.bells[id]?.isRung = true
                rings.append(bell.ring)
            }
            return rings
        }
    }

    /// The notices after one generation through another; nil if some of them are no longer there.
    func notices(after place: Generation, through generation: Generation) -> [CommitNotice]? {
        state.withLock { $0.run.notices(after: place, through: generation) }
    }

    /// The same, for a context that moves: its bell is rung again if there is nothing newer.
    func take(_ id: ContextID, after place: Generation, through generation: Generation) -> [CommitNotice]? {
        state.withLock { state in
            if !state.bells.isEmpty { state.bells[id]?.isRung = state.run.end > generation }
            return state.run.notices(after: place, through: generation)
        }
    }

    /// The oldest generation that a context at `place` can move to by itself; nil if there is none newer.
    func next(after place: Generation) -> Generation? {
        state.withLock { state in
            if place >= state.run.end { return nil }
            return place < state.run.start ? state.run.end : place.next
        }
    }

    /// Lets go of the notices that every context has taken in.
    ///
    /// - Parameter id: a context that is gone, and its bell with it.
    func release(through generation: Generation, removing id: ContextID? = nil) {
        state.withLock { state in
            state.run.release(through: generation)
            if let id, !state.bells.isEmpty { state.bells[id] = nil }
        }
    }

    /// Sets who is called when a commit comes after the context has taken in all before it.
    func setBell(of id: ContextID, _ ring: @escaping @Sendable () -> Void) {
        state.withLock { $0.bells[id] = Bell(ring: ring) }
    }

    /// Checks the invariants of the run: for tests.
    func checkInvariants() throws(InvariantViolation) {
        try state.withLock { state throws(InvariantViolation) in try state.run.checkInvariants() }
    }
}
