import Synchronization

extension PersistentStoreCoordinator {
    /// Commits a change set together with others: the first thread to arrive writes for all that wait. Durable when it
    /// returns.
    ///
    /// - Parameter deadline: The time until which the change set waits to be taken. Once it is being written, the call
    ///   waits for the end, but it is not repeated any more if other processes are in its way.
    /// - Throws: ``StoreError`` if the store failed; ``SaveError`` if the deadline passed. Nothing of the set was
    ///   written, unless the code is `outcomeUnknown` or `savedInPart`.
    package func commit(
        _ changes: consuming ChangeSet, from origin: ContextID, until deadline: ContinuousClock.Instant? = nil
    ) throws -> CommitResult {
        let member = CommitMember(origin: origin, changes: changes)
        if let deadline, deadline <= .now { throw SaveError.deadlinePassed }
        // Kept for the saves of a batch that fell: they do not wait one after the other for a server that does not answer.
        var failedOpenings: [Int: any Error] = [:]
        return try queue.commit(member, deadline: deadline) { members, lockDeadline in
            var batch = CommitBatch(
                saveCount: members.count, coordinator: self, lockDeadline: lockDeadline, failedOpenings: failedOpenings)
            defer { failedOpenings = batch.failedOpenings }
            return batch.run { index, batch in
                if index == 0 { try batch.lockRows(of: members) }
                return try batch.write(members[index], at: index)
            }
        }
    }

    /// - Throws: ``StoreError`` with the code `wouldDeadlock` if the calling code runs inside a commit.
    package func requireOutsideCommit() throws { try queue.requireOutside() }

    /// Runs work while nobody commits, after the commits that wait. Blocks.
    ///
    /// - Throws: ``StoreError`` with the code `wouldDeadlock` inside a commit, and the error of the work.
    package func betweenCommits(_ work: () throws -> Void) throws { try queue.commitAlone(work) }

    /// - Throws: ``StoreError`` with the code `wouldDeadlock` if the calling code runs inside a commit of any stack.
    package static func requireOutsideAnyCommit() throws {
        if CommitLeader.isCaller { throw StoreError.insideCommit }
    }

    /// The number of commits that wait for the running one.
    package var waitingCommits: Int { queue.waitingCount }

    // MARK: The steps of publishing a commit

    /// Adds a commit's notice to the run.
    func note(_ commits: [CommitNotice.Commit], of commit: inout StoreCommit) {
        guard let generation = commit.generation else { return }
        let isListed = !commit.isOfUnknownChanges && commits.allSatisfy { $0.changes.batch?.isListed ?? true }
        notices.append(CommitNotice(generation: generation, commits: commits, isForeign: !isListed))
        commit.note(rowCount: commits.reduce(0) { $0 + $1.changes.rowCount }, isListed: isListed)
    }

    /// Adds rows of a commit to the cache. Readers of the cache wait for its lock, for a time that does not depend on the
    /// size of the commit.
    func addRows(_ part: Range<Int>, of commits: [CommitNotice.Commit], commit: inout StoreCommit) {
        rows.withLock { rows in
            if part.lowerBound == 0 { rows.cache.reserve(commits.reduce(0) { $0 + $1.changes.inserted.count }) }
            let capacity = rows.cache.capacity
            commit.addRows(to: &rows.cache, now: rows.now) { tell in
                var rest = PartsInOrder(part)
                for commit in commits { commit.changes.tellRowChanges(at: &rest, keeping: capacity, tell) }
            }
        }
    }

    /// **Value.** The observers of a commit, and whether they are told of other processes' commits along with it.
    typealias Audience = (
        observers: [@Sendable (ChangeSet) -> Void], summaryObservers: [@Sendable (ChangeSummary) -> Void],
        isForeign: Bool
    )

    /// Publishes a commit in the ledger. Readers that find it in their snapshots have waited for this.
    func publish(_ commits: [CommitNotice.Commit], of commit: inout StoreCommit) -> Audience {
        let isForeign = shared.withLock { shared in
            publish(&commit, in: &shared)
            let isForeign = shared.hasForeignChangesToTell && commits.contains { !$0.changes.isEmpty }
            if isForeign { shared.hasForeignChangesToTell = false }
            return isForeign
        }
        return (commitObservers.blocks, summaryObservers.blocks, isForeign)
    }

    func publish(_ commit: inout StoreCommit, in shared: inout Shared) {
        commit.publish(in: &shared.ledger)
        shared.wakeReaders()
        published.store(shared.ledger.published.rawValue, ordering: .releasing)
        if commit.isOfUnknownChanges { shared.hasForeignChangesToTell = true }
    }

    /// Rings the bells and calls the observers, outside of all locks, because a woken context may call back at once.
    func tell(_ audience: Audience, of commits: [CommitNotice.Commit], at generation: Generation) {
        for ring in notices.bells(at: generation) { ring() }
        for observer in audience.observers {
            // Reserved keys are of no interest to observers.
            for commit in commits where !commit.changes.isEmpty {
                observer(audience.isForeign ? commit.changes.withForeignChanges : commit.changes)
            }
        }
        if audience.summaryObservers.isEmpty { return }
        var summary = audience.isForeign ? ChangeSummary.everything : ChangeSummary()
        for commit in commits { summary.add(commit.changes) }
        if summary.isEmpty { return }
        for observer in audience.summaryObservers { observer(summary) }
    }
}

extension ChangeSet {
    /// The number of changes that the row cache needs, except for those of a batch request.
    fileprivate var rowCount: Int { inserted.count + updated.count + deleted.count + consequences.count }

    /// Reports the changes at some positions, counted in the order in which they are reported. Those of a batch request
    /// have none. Inlined, so that the change set is not copied.
    ///
    /// - Parameter capacity: The number of rows that the cache keeps. With more new rows than that, the first ones would
    ///   only be evicted by the others.
    @inline(__always)
    fileprivate func tellRowChanges(
        at rest: inout PartsInOrder, keeping capacity: Int, _ tell: (RowChange<Row>) -> Void
    ) {
        batch?.tellRowChanges(tell)
        let surplus = max(0, inserted.count - capacity)
        for index in rest.next(inserted.count) {
            if index < surplus {
                tell(RowChange(inserted[index].key, outcome: .unseen))
            } else {
                tell(RowChange(inserted[index].key, outcome: .row(inserted[index].row)))
            }
        }
        for index in rest.next(updated.count) {
            tell(RowChange(updated[index].key, outcome: .row(updated[index].row), preimage: updated[index].base))
        }
        for index in rest.next(deleted.count) {
            tell(RowChange(deleted[index].key, outcome: .deleted, preimage: deleted[index].base))
        }
        for index in rest.next(consequences.count) {
            let stored = consequences[index]
            tell(RowChange(stored.key, outcome: stored.row.map { .row($0) } ?? .unseen))
        }
    }
}

/// **Value.** The indexes in successive lists that correspond to positions in all of them together.
private struct PartsInOrder {
    private let positions: Range<Int>
    private var start = 0

    init(_ positions: Range<Int>) { self.positions = positions }

    /// Returns the indexes in the next list.
    mutating func next(_ count: Int) -> Range<Int> {
        defer { start += count }
        return (positions.lowerBound - start..<positions.upperBound - start).clamped(to: 0..<count)
    }
}

extension BatchChanges {
    /// Reports the changes that the row cache needs, unless it is emptied anyway.
    fileprivate func tellRowChanges(_ tell: (RowChange<Row>) -> Void) {
        if !isListed { return }
        for keys in [inserted, updated, followers] { for key in keys { tell(RowChange(key, outcome: .unseen)) } }
        for key in deleted { tell(RowChange(key, outcome: .deleted)) }
    }
}
