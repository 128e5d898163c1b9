extension PersistentStoreCoordinator {
    /// What a context asks for: its changes, durable when this returns.
    enum CommitResult {
        case committed(CommitReceipt)
        case conflicting([StoredVersion])
    }

    /// Commits a change set in company: the first thread that comes writes for all that wait.
    ///
    /// - Throws: ``StoreError`` if the store failed; nothing of the set was written then.
    func commit(_ changes: ChangeSet, from context: ManagedObjectContext) throws -> CommitResult {
        let member = CommitMember(origin: context.id, changes: changes)
        let outcome = try queue.commit(member) { [self] members in write(members) }
        switch outcome {
        case .committed(let receipt): return .committed(receipt)
        case .conflicting(let stored): return .conflicting(stored)
        case .failed(let error): throw error
        }
    }

    /// Writes a batch into one transaction a store. Called by the leader alone.
    private func write(_ members: [CommitMember]) -> CommitQueue<CommitMember, CommitOutcome>.BatchResult {
        var batch = CommitBatch(members: members, coordinator: self)
        return batch.run()
    }

    /// Makes a transaction's changes known: cache, mailboxes, ledger, in this order and under the one lock.
    func publish(_ commits: [CommitNotice.Commit], at generation: Generation) {
        let notice = CommitNotice(generation: generation, commits: commits)
        let woken = shared.withLock { shared in
            shared.rows.publish(commits.lazy.flatMap { $0.changes.rowChanges }, at: generation)
            let woken = shared.mailboxes.values.filter { $0.deliver(notice, at: generation) }
            shared.ledger.publish(generation)
            return woken
        }
        // Outside the lock: whoever is woken may call back at once.
        for mailbox in woken { mailbox.wake() }
    }
}

extension ChangeSet {
    /// What the row cache has to know.
    var rowChanges: [RowChange<Row>] {
        inserted.map { DataMonkCore.RowChange($0.key, .row($0.row)) }
            + updated.map { DataMonkCore.RowChange($0.key, .row($0.row), preimage: $0.base) }
            + deleted.map { DataMonkCore.RowChange($0.key, .deleted, preimage: $0.base) }
    }
}
