/// **Shared.** The notices of commits, and the bells that wake contexts.
package final class CommitNotices: Sendable {
    private struct State {
        var run = NoticeRun<CommitNotice>(capacity: CommitNotices.capacity, weightLimit: 64 << 20)
        var bells: [ContextID: Bell] = [:]
        /// The last generation for which bells have rung.
        var rung: Generation = .opened
        /// The last generation of a batch request that changed objects of an entity, by the entity's index.
        var lastBatches: [Int: Generation] = [:]

        mutating func resetBell(of id: ContextID, at generation: Generation) {
            if !bells.isEmpty { bells[id]?.isRung = rung > generation }
        }
    }

    private struct Bell {
        /// Called on the committing thread, outside of all locks.
        let ring: @Sendable () -> Void
        /// Indicates whether the bell has rung and the context has yet to find out what for.
        var isRung = false
    }

    private let state = Locked(State())

    /// The maximum number of commits in the run: those of a busy second. The run also keeps at most 64 MiB of them.
    package static let capacity = 1_024

    /// Adds the notice of a commit, before the ledger publishes it.
    func append(_ notice: CommitNotice) {
        let batchedEntities = notice.batchedEntities
        state.withLock { state in
            state.run.append(notice, at: notice.generation, weight: notice.weight)
            for entity in batchedEntities { state.lastBatches[entity] = notice.generation }
        }
    }

    /// Returns `true` if a batch request later than a generation has changed objects of one of some entities. It may be one
    /// that is about to be published.
    func hasBatch(ofEntitiesAt indices: Set<Int>, after generation: Generation) -> Bool {
        if indices.isEmpty { return false }
        return state.withLock { state in
            state.lastBatches.contains { $0.value > generation && indices.contains($0.key) }
        }
    }

    /// Returns the bells to ring, after the ledger has published a generation.
    ///
    /// A context that has merged everything before compares its generation with the ledger's, which is this one by now; or
    /// it has not yet, and its bell rings here.
    func bells(at generation: Generation) -> [@Sendable () -> Void] {
        state.withLock { state in
            state.rung = max(state.rung, generation)
            if state.bells.isEmpty { return [] }
            var rings: [@Sendable () -> Void] = []
            for (id, bell) in state.bells where !bell.isRung {
                state.bells[id]?.isRung = true
                rings.append(bell.ring)
            }
            return rings
        }
    }

    /// Returns the notices after one generation through another, or `nil` if some of them have been released.
    func notices(after place: Generation, through generation: Generation) -> [CommitNotice]? {
        state.withLock { $0.run.notices(after: place, through: generation) }
    }

    /// Returns the notices for a context that moves. Its bell will ring again if there is nothing newer.
    func take(_ id: ContextID, after place: Generation, through generation: Generation) -> [CommitNotice]? {
        state.withLock { state in
            state.resetBell(of: id, at: generation)
            return state.run.notices(after: place, through: generation)
        }
    }

    /// Lets the bell of a context ring again, unless it has rung for a generation that the context has not reached.
    ///
    /// A bell also rings for a commit that the context has merged between its publication and the ring. Nothing moves the
    /// context then.
    func resetBell(of id: ContextID, at generation: Generation) {
        state.withLock { $0.resetBell(of: id, at: generation) }
    }

    /// Returns the oldest generation that a context at `place` can move to by itself, or `nil` if there is none newer.
    func next(after place: Generation) -> Generation? {
        state.withLock { state in
            if place >= state.run.end { return nil }
            return place < state.run.start ? state.run.end : place.next
        }
    }

    /// Releases the notices that every context has merged.
    func release(through generation: Generation) {
        state.withLock { $0.run.release(through: generation) }
    }

    /// Sets the bell of a context, which rings when a commit follows after the context has merged all earlier ones.
    func setBell(of id: ContextID, _ ring: @escaping @Sendable () -> Void) {
        state.withLock { $0.bells[id] = Bell(ring: ring) }
    }

    /// Removes the bell of a context that has been released.
    func removeBell(of id: ContextID) {
        state.withLock { _ = $0.bells.removeValue(forKey: id) }
    }

    /// Checks the invariants of the run: for tests.
    func checkInvariants() throws(InvariantViolation) {
        try state.withLock { state throws(InvariantViolation) in try state.run.checkInvariants() }
    }
}
