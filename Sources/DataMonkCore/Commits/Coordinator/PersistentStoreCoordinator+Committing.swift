import Synchronization

extension PersistentStoreCoordinator {
    /// Commits a change set together with others: the first thread to arrive writes for all that wait. Durable when it
    /// returns.
    ///
    /// - Parameter deadline: The time until which the change set waits to be taken. Once it is being written, the call
    ///   waits for the end.
    /// - Throws: ``StoreError`` if the store failed; ``SaveError`` if the deadline passed. In both cases, nothing of the
    ///   set was written.
    package func commit(
        _ changes: consuming ChangeSet, from origin: ContextID, until deadline: ContinuousClock.Instant? = nil
    ) throws -> CommitResult {
        let member = CommitMember(origin: origin, changes: changes)
        if let deadline, deadline <= .now { throw SaveError.deadlinePassed }
        do {
            return try queue.commit(member, deadline: deadline) { members in
                var batch = CommitBatch(members: members, coordinator: self)
                return batch.run()
            }
        } catch CommitNotTaken.deadlinePassed {
            throw SaveError.deadlinePassed
        } catch CommitNotTaken.insideCommit {
            throw StoreError.insideCommit
        }
    }

    /// Runs work while no commit is running, in its turn, on the calling thread.
    ///
    /// - Throws: ``StoreError`` with the code `wouldDeadlock` inside a commit; the errors of the work.
    func commitAlone<Outcome>(_ work: () throws -> Outcome) throws -> Outcome {
        do {
            return try queue.commitAlone(work)
        } catch CommitNotTaken.insideCommit {
            throw StoreError.insideCommit
        } catch CommitNotTaken.deadlinePassed {
            throw SaveError.deadlinePassed
        }
    }

    /// - Throws: ``StoreError`` with the code `wouldDeadlock` if the calling code runs inside a commit.
    package func requireOutsideCommit() throws {
        if queue.isLedByCaller { throw StoreError.insideCommit }
    }

    /// - Throws: ``StoreError`` with the code `wouldDeadlock` if the calling code runs inside a commit of any stack.
    package static func requireOutsideAnyCommit() throws {
        if CommitLeader.isCaller { throw StoreError.insideCommit }
    }

    /// The number of commits that wait for the running one.
    package var waitingCommits: Int { queue.waitingCount }

    /// The number of changes that are added to the row cache while its lock is held.
    private static var partSize: Int { 4_096 }

    /// Publishes the changes of a transaction to the notices, the cache and the ledger, in this order. Bells ring at the
    /// end.
    ///
    /// The rows of a large commit enter the cache after the ledger has published it, in parts. Readers that find the
    /// commit in their snapshots wait until it is published, and readers of the cache wait for its lock; neither wait
    /// depends on the size of the commit.
    func publish(_ commits: [CommitNotice.Commit], at generation: Generation) {
        let isUnlisted = commits.contains { $0.changes.batch?.isListed == false }
        let notice = CommitNotice(generation: generation, commits: commits, isForeign: isUnlisted)
        notices.append(notice)
        let isLarge = commits.reduce(0) { $0 + $1.changes.rowCount } > Self.partSize
        let capacity = rows.withLock { rows in
            rows.cache.beginPublishing(at: generation)
            let capacity = rows.cache.capacity
            rows.cache.reserve(commits.reduce(0) { $0 + $1.changes.inserted.count })
            if isLarge { return capacity }
            rows.cache.publishPart(now: rows.now) { tell in
                for commit in commits { commit.changes.tellRowChanges(keeping: capacity, tell) }
            }
            rows.cache.endPublishing()
            if isUnlisted { rows.cache.removeAll() }
            return capacity
        }
        let (observers, isForeign) = shared.withLock { shared in
            shared.ledger.publish(generation)
            published.store(generation.rawValue, ordering: .releasing)
            let isForeign = shared.hasForeignChangesToTell && commits.contains { !$0.changes.isEmpty }
            if isForeign { shared.hasForeignChangesToTell = false }
            return (shared.observers.isEmpty ? [] : Array(shared.observers.values), isForeign)
        }
        if isLarge { addRowsInParts(of: commits, keeping: capacity) }
        // Outside the lock, because a woken context may call back at once.
        for ring in notices.bells(at: generation) { ring() }
        for observer in observers {
            // Reserved keys are of no interest to observers.
            for commit in commits where !commit.changes.isEmpty {
                observer(isForeign ? commit.changes.withForeignChanges : commit.changes)
            }
        }
    }
}

extension PersistentStoreCoordinator {
    private func addRowsInParts(of commits: [CommitNotice.Commit], keeping capacity: Int) {
        for commit in commits {
            let count = commit.changes.rowCount
            for start in stride(from: 0, to: count, by: Self.partSize) {
                let part = start..<min(start + Self.partSize, count)
                rows.withLock { rows in
                    rows.cache.publishPart(now: rows.now) { tell in
                        commit.changes.tellRowChanges(at: part, keeping: capacity, tell)
                    }
                }
            }
        }
        rows.withLock { $0.cache.endPublishing() }
    }
}

extension ChangeSet {
    /// The number of changes that the row cache needs, except for those of a batch request.
    fileprivate var rowCount: Int { inserted.count + updated.count + deleted.count + consequences.count }

    /// Reports the changes that the row cache needs.
    fileprivate func tellRowChanges(keeping capacity: Int, _ tell: (RowChange<Row>) -> Void) {
        tellRowChanges(at: 0..<rowCount, keeping: capacity, tell)
        batch?.tellRowChanges(tell)
    }

    /// Reports the changes at some positions, counted in the order in which they are reported.
    ///
    /// - Parameter capacity: The number of rows that the cache keeps. With more new rows than that, the first ones would
    ///   only be evicted by the others.
    fileprivate func tellRowChanges(
        at positions: Range<Int>, keeping capacity: Int, _ tell: (RowChange<Row>) -> Void
    ) {
        var rest = PartsInOrder(positions)
        let surplus = max(0, inserted.count - capacity)
        for index in rest.next(inserted.count) {
            tell(RowChange(inserted[index].key, index < surplus ? .unseen : .row(inserted[index].row)))
        }
        for index in rest.next(updated.count) {
            tell(RowChange(updated[index].key, .row(updated[index].row), preimage: updated[index].base))
        }
        for index in rest.next(deleted.count) {
            tell(RowChange(deleted[index].key, .deleted, preimage: deleted[index].base))
        }
        for index in rest.next(consequences.count) {
            let stored = consequences[index]
            tell(RowChange(stored.key, stored.row.map { .row($0) } ?? .unseen))
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
        for keys in [inserted, updated, followers] { for key in keys { tell(RowChange(key, .unseen)) } }
        for key in deleted { tell(RowChange(key, .deleted)) }
    }
}
