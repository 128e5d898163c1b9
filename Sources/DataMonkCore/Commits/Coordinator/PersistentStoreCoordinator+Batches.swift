extension PersistentStoreCoordinator {
    /// Executes a batch request: alone in the commit queue, in one transaction per store, on the calling thread. Durable
    /// when it returns.
    ///
    /// - Parameters:
    ///   - indices: The indexes of the affected stores.
    ///   - listsAll: Whether every key is needed afterwards.
    ///   - signature: The origin of the request, for stores that keep a history.
    ///   - deadline: The time until which the request waits for the commits before it.
    ///   - mayRepeat: Whether the request is repeated if other processes are in the way.
    ///   - write: A closure that is called for each store. If it throws, everything is rolled back.
    func commitBatch(
        inStoresAt indices: [Int], listsAll: Bool, signature: HistorySignature?,
        until deadline: ContinuousClock.Instant?, mayRepeat: Bool,
        _ write: (any StoreTransaction, _ storeIndex: Int, inout BatchChanges) throws -> Void
    ) throws -> BatchChanges {
        var changes = BatchChanges(listsAll: listsAll)
        try writeAlone(until: deadline, mayRepeat: mayRepeat) { batch in
            changes = BatchChanges(listsAll: listsAll)
            for index in indices {
                let transaction = try batch.begin(index)
                transaction.beginHistoryTransaction(signature)
                try write(transaction, index, &changes)
            }
            if let newest = changes.newest {
                batch.otherProbe = .version(of: newest.key, newest.version)
            } else if let key = changes.deleted.first {
                try batch.reserveProbe(like: key)
            }
            return changes.isEmpty ? nil : ChangeSet(changes)
        }
        return changes
    }

    /// Writes to stores alone in the commit queue, on the calling thread. Durable when it returns.
    ///
    /// All contexts get the changes, including the one that has requested them, which has none of the new values.
    ///
    /// - Parameters:
    ///   - deadline: The time until which it waits for the commits before it.
    ///   - mayRepeat: Whether `write` is called again if other processes are in the way.
    ///   - write: Writes, and returns the changes, or `nil` if there are none. If it throws, everything is rolled back.
    func writeAlone(
        until deadline: ContinuousClock.Instant? = nil, mayRepeat: Bool = true,
        _ write: (inout CommitBatch) throws -> ChangeSet?
    ) throws {
        if stores.isEmpty { throw noStores }
        _ = try queue.commitAlone(until: deadline, mayRepeat: mayRepeat) { lockDeadline in
            var batch = CommitBatch(saveCount: nil, coordinator: self, lockDeadline: lockDeadline)
            return batch.run { _, batch in
                try write(&batch).map { CommitNotice.Commit(origin: nil, changes: $0, touchedRelations: []) }
            }
        }
    }
}
