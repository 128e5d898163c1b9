extension PersistentStoreCoordinator {
    /// Executes a batch request: alone in the commit queue, in one transaction per store, on the calling thread. Durable
    /// when it returns.
    ///
    /// - Parameters:
    ///   - indices: The indexes of the affected stores.
    ///   - listsAll: Whether every key is needed afterwards.
    ///   - signature: The origin of the request, for stores that keep a history.
    ///   - write: A closure that is called for each store. If it throws, everything is rolled back.
    func commitBatch(
        inStoresAt indices: [Int], listsAll: Bool, signature: HistorySignature?,
        _ write: (any StoreTransaction, _ storeIndex: Int, inout BatchChanges) throws -> Void
    ) throws -> BatchChanges {
        let stores = stores
        if stores.isEmpty { throw StoreError.noStores }
        return try commitAlone {
            var transactions: [(index: Int, transaction: any StoreTransaction)] = []
            defer {
                for (_, transaction) in transactions { transaction.end() }
                if transactions.contains(where: { $0.transaction.sawForeignChanges }) { tellForeignChanges() }
            }
            var changes = BatchChanges(listsAll: listsAll)
            do {
                for index in indices {
                    let transaction = try stores[index].beginTransaction()
                    transactions.append((index, transaction))
                    transaction.beginHistoryTransaction(signature)
                    try write(transaction, index, &changes)
                }
                return try commit(changes, transactions)
            } catch {
                for (_, transaction) in transactions where transaction.isStanding { transaction.rollBack() }
                throw error
            }
        }
    }

    private func commit(
        _ changes: BatchChanges, _ transactions: [(index: Int, transaction: any StoreTransaction)]
    ) throws -> BatchChanges {
        if changes.isEmpty {
            for (_, transaction) in transactions { transaction.rollBack() }
            return changes
        }
        let probe = try probe(of: changes, transactions)
        let generation = shared.withLock { $0.ledger.announce(probe) }
        var committed: StoreSet = []
        do {
            for (index, transaction) in transactions {
                try transaction.commit()
                committed.insert(index)
            }
        } catch {
            if committed.isEmpty {
                shared.withLock { $0.ledger.abandon(generation) }
                throw error
            }
            // No transaction spans two files.
            var visible = changes
            visible.keepOnly(stores: committed)
            publish(visible, at: generation)
            throw StoreError.partlyCommitted(error)
        }
        publish(changes, at: generation)
        return changes
    }

    /// Publishes the changes to all contexts, including the one that executes the request, which has none of the new
    /// values.
    private func publish(_ changes: BatchChanges, at generation: Generation) {
        publish(
            [CommitNotice.Commit(origin: nil, changes: ChangeSet(changes), touchedRelations: [])], at: generation)
    }

    /// Returns a row with its new version, or a primary key that is reserved and never used if rows were only deleted.
    private func probe(
        of changes: BatchChanges, _ transactions: [(index: Int, transaction: any StoreTransaction)]
    ) throws -> CommitProbe? {
        if let newest = changes.newest { return .version(of: newest.key, newest.version) }
        guard let key = changes.deleted.first,
            let transaction = transactions.first(where: { $0.index == key.storeIndex })?.transaction
        else { return nil }
        let root = model.entities[key.entityIndex].root
        let primaryKey = try transaction.reservePrimaryKeys(1, for: root)
        return .primaryKey(ObjectKey(store: key.storeIndex, entity: root.index, primaryKey: primaryKey))
    }
}
