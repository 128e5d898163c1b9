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

    /// Publishes the changes of a transaction to the notices, the cache and the ledger, in this order. Bells ring at the
    /// end.
    func publish(_ commits: [CommitNotice.Commit], at generation: Generation) {
        let isUnlisted = commits.contains { $0.changes.batch?.isListed == false }
        let notice = CommitNotice(generation: generation, commits: commits, isForeign: isUnlisted)
        let bells = notices.append(notice)
        let (observers, isForeign) = shared.withLock { shared in
            let capacity = shared.rows.capacity
            shared.rows.reserve(commits.reduce(0) { $0 + $1.changes.inserted.count })
            shared.rows.publish(at: generation, now: shared.now) { tell in
                for commit in commits { commit.changes.tellRowChanges(keeping: capacity, tell) }
            }
            if isUnlisted { shared.rows.removeAll() }
            shared.ledger.publish(generation)
            published.store(generation.rawValue, ordering: .releasing)
            let isForeign = shared.hasForeignChangesToTell && commits.contains { !$0.changes.isEmpty }
            if isForeign { shared.hasForeignChangesToTell = false }
            return (shared.observers.isEmpty ? [] : Array(shared.observers.values), isForeign)
        }
        // Outside the lock, because a woken context may call back at once.
        for ring in bells { ring() }
        for observer in observers {
            // Reserved keys are of no interest to observers.
            for commit in commits where !commit.changes.isEmpty {
                observer(isForeign ? commit.changes.withForeignChanges : commit.changes)
            }
        }
    }
}

extension ChangeSet {
    /// Reports the changes that the row cache needs.
    ///
    /// - Parameter capacity: The number of rows that the cache keeps. With more new rows than that, the first ones would
    ///   only be evicted by the others.
    fileprivate func tellRowChanges(keeping capacity: Int, _ tell: (RowChange<Row>) -> Void) {
        let surplus = max(0, inserted.count - capacity)
        for index in 0..<surplus { tell(RowChange(inserted[index].key, .unseen)) }
        for index in surplus..<inserted.count { tell(RowChange(inserted[index].key, .row(inserted[index].row))) }
        for change in updated { tell(RowChange(change.key, .row(change.row), preimage: change.base)) }
        for deletion in deleted { tell(RowChange(deletion.key, .deleted, preimage: deletion.base)) }
        for stored in consequences { tell(RowChange(stored.key, stored.row.map { .row($0) } ?? .unseen)) }
        batch?.tellRowChanges(tell)
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
