/// **Confined.** The leader's work: some saves, one transaction a store, a savepoint each.
///
/// `CommitTransaction` says what to do next; this does it. With a single member there is nothing to protect from its
/// failure, so it gets no savepoint of its own in the store.
struct CommitBatch {
    private let members: [CommitMember]
    private let coordinator: PersistentStoreCoordinator
    private let stores: [any PersistentStore]
    /// By store index; begun when a member first writes to the store.
    private var transactions: [Int: any StoreTransaction] = [:]
    private var outcomes: [Result<CommitResult, any Error>?]
    /// Why the transaction no longer stands.
    private var fall: (any Error)?
    private var written: [(member: Int, changes: ChangeSet)] = []

    init(members: [CommitMember], coordinator: PersistentStoreCoordinator) {
        self.members = members
        self.coordinator = coordinator
        stores = coordinator.stores
        outcomes = Array(repeating: nil, count: members.count)
    }

    /// Writes the batch: an outcome for each member, unless a store gave the transaction up and nobody knows whose fault
    /// it was.
    mutating func run() -> CommitQueue<CommitMember, CommitResult>.Written {
        var machine = CommitTransaction(memberCount: members.count)
        while let step = machine.next {
            switch step {
            case .write(let index):
                machine.beginMember()
                write(index, &machine)
            case .commit:
                commit(&machine)
            case .rollBack:
                for transaction in transactions.values { transaction.rollBack() }
                machine.rollBack()
            }
        }
        for transaction in transactions.values { transaction.end() }
        if let fall { return .fell(fall) }
        return .finished(outcomes.map { $0 ?? .failure(StoreError.noStores) })
    }

    // MARK: Steps

    private mutating func write(_ index: Int, _ machine: inout CommitTransaction) {
        let usesSavepoints = members.count > 1
        do {
            var changes = members[index].changes
            let involved = try begin(for: changes)
            if usesSavepoints { for store in involved { try transactions[store]?.beginSavepoint() } }
            let conflicts = try write(&changes)
            if conflicts.isEmpty {
                if usesSavepoints { for store in involved { try transactions[store]?.releaseSavepoint() } }
                written.append((index, changes))
                machine.keep()
                return
            }
            try undo(usesSavepoints)
            outcomes[index] = .success(.conflicting(conflicts))
            machine.undo()
        } catch {
            fail(index, error, usesSavepoints, &machine)
        }
    }

    /// After any error the first question is whether the transaction still stands.
    private mutating func fail(
        _ index: Int, _ error: any Error, _ usesSavepoints: Bool, _ machine: inout CommitTransaction
    ) {
        do {
            if transactions.values.allSatisfy(\.isStanding) {
                try undo(usesSavepoints)
                outcomes[index] = .failure(error)
                machine.undo()
                return
            }
        } catch {
            // The savepoint cannot be rolled back: the transaction is of no use either.
        }
        for transaction in transactions.values { transaction.rollBack() }
        machine.fall()
        fall = error
    }

    private func undo(_ usesSavepoints: Bool) throws {
        // Without savepoints the one member's transaction is rolled back as a whole when the machine says so.
        if !usesSavepoints { return }
        for transaction in transactions.values { try transaction.rollBackToSavepoint() }
    }

    private mutating func commit(_ machine: inout CommitTransaction) {
        let generation = coordinator.shared.withLock { $0.ledger.announce(probe) }
        do {
            for index in transactions.keys.sorted() { try transactions[index]?.commit() }
        } catch {
            for transaction in transactions.values { transaction.rollBack() }
            coordinator.shared.withLock { $0.ledger.abandon(generation) }
            machine.rollBack()
            for (member, _) in written { outcomes[member] = .failure(error) }
            return
        }
        machine.commit()
        let layouts = coordinator.directory.layouts
        coordinator.publish(
            written.map { member, changes in
                CommitNotice.Commit(
                    origin: members[member].origin, changes: changes,
                    touchedRelations: changes.touchedRelations(layouts: layouts))
            }, at: generation)
        for (member, changes) in written {
            outcomes[member] = .success(.committed(CommitReceipt(generation: generation, changes: changes)))
        }
    }

    /// The newest row that the transaction wrote, with its new version: true only from this commit on.
    private var probe: PersistentStoreCoordinator.CommitProbe? {
        for (_, changes) in written.reversed() {
            guard let change = changes.updated.last ?? changes.inserted.last else { continue }
            return .init(key: change.key, version: change.row.version)
        }
        return nil
    }

    // MARK: Into the stores

    /// Begins the transactions of all stores that the changes concern.
    private mutating func begin(for changes: ChangeSet) throws -> [Int] {
        var indices: Set<Int> = []
        for change in changes.inserted { indices.insert(try storeIndex(forNew: change.key)) }
        for change in changes.updated { indices.insert(change.key.storeIndex) }
        for deletion in changes.deleted { indices.insert(deletion.key.storeIndex) }
        for link in changes.links where !link.owner.isTemporary { indices.insert(link.owner.storeIndex) }
        for index in indices where transactions[index] == nil {
            guard index < stores.count else { throw StoreError.noStores }
            transactions[index] = try stores[index].beginTransaction()
        }
        return indices.sorted()
    }

    /// The store that a new object goes into: the first that holds its entity.
    private func storeIndex(forNew key: ObjectKey) throws -> Int {
        if stores.count == 1, stores[0].configuration == nil { return 0 }
        let entity = coordinator.model.entities[key.entityIndex]
        guard let index = coordinator.storeIndices(of: entity).first else {
            throw SaveError(
                .noStoreForEntity,
                "No store holds \(entity.name). Add a store with a configuration that has it.", entityName: entity.name)
        }
        return index
    }

    private mutating func write(_ changes: inout ChangeSet) throws -> [StoredVersion] {
        changes.makePermanent(try permanentKeys(for: changes.inserted), layouts: coordinator.directory.layouts)
        if transactions.count == 1, let transaction = transactions.values.first {
            return try transaction.write(changes)
        }
        try changes.requireLinksWithinStores(model: coordinator.model, layouts: coordinator.directory.layouts)
        return try transactions.flatMap { index, transaction in try transaction.write(changes.part(in: index)) }
    }

    private func permanentKeys(for inserted: [ChangeSet.ObjectChange]) throws -> [ObjectKey: ObjectKey] {
        if inserted.isEmpty { return [:] }
        var keys: [ObjectKey: ObjectKey] = [:]
        keys.reserveCapacity(inserted.count)
        // Consecutive keys for all new objects of one inheritance tree in one store, in the order of insertion.
        let groups = try Dictionary(grouping: inserted.indices) { index in
            let key = inserted[index].key
            let root = coordinator.model.entities[key.entityIndex].root
            return KeyGroup(store: try storeIndex(forNew: key), root: root.index)
        }
        for (group, indices) in groups {
            guard let transaction = transactions[group.store] else { continue }
            var next = try transaction.reservePrimaryKeys(indices.count, for: coordinator.model.entities[group.root])
            for index in indices {
                let temporary = inserted[index].key
                keys[temporary] = ObjectKey(store: group.store, entity: temporary.entityIndex, primaryKey: next)
                next += 1
            }
        }
        return keys
    }

    private struct KeyGroup: Hashable {
        let store: Int
        let root: Int
    }
}
