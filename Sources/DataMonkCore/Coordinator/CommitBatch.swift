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
    /// For commits that write no row by which they could be told: a primary key taken and never used.
    private var reserved: PersistentStoreCoordinator.CommitProbe?

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
            let known = changes.temporaryKeys(like: members[index].changes)
            outcomes[index] = .success(.conflicting(conflicts.map { $0.renamed(known) }))
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
        let metadata = coordinator.waitingMetadata
        do {
            if !metadata.isEmpty { try write(metadata) }
        } catch {
            giveUp(error, &machine)
            return
        }
        for transaction in transactions.values where transaction.sawForeignChanges { coordinator.noteForeignChanges() }
        // Whatever takes time is done before the commit can be seen: a reader that sees it waits until it is published.
        let layouts = coordinator.directory.layouts
        let touched = written.map { $0.changes.touchedRelations(layouts: layouts) }
        let probe = probe
        let generation = coordinator.shared.withLock { $0.ledger.announce(probe) }
        var committed: Set<Int> = []
        var failure: (any Error)?
        for index in transactions.keys.sorted() where failure == nil {
            do {
                try transactions[index]?.commit()
                committed.insert(index)
            } catch {
                failure = error
            }
        }
        if let failure, committed.isEmpty {
            coordinator.shared.withLock { $0.ledger.abandon(generation) }
            giveUp(failure, &machine)
            return
        }
        if !metadata.isEmpty { coordinator.metadataWereSaved(metadata.filter { committed.contains($0.key) }) }
        machine.commit()
        publish(at: generation, committed, touched, failure)
    }

    private mutating func write(_ metadata: [Int: [String: ManagedValue]]) throws {
        for (index, values) in metadata where index < stores.count {
            let transaction = try transactions[index] ?? stores[index].beginTransaction()
            transactions[index] = transaction
            try transaction.setMetadata(values)
        }
    }

    /// Nothing was committed. Where the transaction no longer stands each member runs once more alone.
    private mutating func giveUp(_ error: any Error, _ machine: inout CommitTransaction) {
        let isStanding = transactions.values.allSatisfy(\.isStanding)
        for transaction in transactions.values { transaction.rollBack() }
        if isStanding {
            machine.rollBack()
            for (member, _) in written { outcomes[member] = .failure(error) }
            // What others conflict with may be what was not committed.
            for member in outcomes.indices {
                if case .success(.conflicting) = outcomes[member] { outcomes[member] = .failure(error) }
            }
        } else {
            machine.fall()
            fall = error
        }
    }

    /// Makes known what is in the stores. No transaction spans two files: if a later one failed, what the earlier ones hold
    /// is published, and the members that wrote to the failed one get the error.
    private mutating func publish(
        at generation: Generation, _ committed: Set<Int>, _ touched: [[CommitNotice.TouchedRelation]],
        _ failure: (any Error)?
    ) {
        var commits: [CommitNotice.Commit] = []
        for (offset, (member, changes)) in written.enumerated() {
            let isWhole = failure == nil || changes.storeIndices.isSubset(of: committed)
            var visible = changes
            if !isWhole { visible.keepOnly(stores: committed) }
            commits.append(
                CommitNotice.Commit(
                    origin: isWhole ? members[member].origin : nil, changes: visible,
                    touchedRelations: touched[offset]))
            if isWhole {
                outcomes[member] = .success(.committed(CommitReceipt(generation: generation, changes: changes)))
            } else if let failure {
                outcomes[member] = .failure(StoreError.partlyCommitted(failure))
            }
        }
        for index in transactions.keys where !committed.contains(index) { transactions[index]?.rollBack() }
        coordinator.publish(commits, at: generation)
    }

    /// A fact that is true only from this commit on: a row with its new version, which no other member deletes again.
    private var probe: PersistentStoreCoordinator.CommitProbe? {
        let deleted = Set(written.flatMap { $0.changes.deleted.map(\.key) })
        for (_, changes) in written.reversed() {
            for change in [changes.updated.last, changes.inserted.last].compactMap(\.self)
            where !deleted.contains(change.key) {
                return .version(of: change.key, change.row.version)
            }
        }
        return reserved
    }

    // MARK: Into the stores

    /// Begins the transactions of all stores that the changes concern.
    private mutating func begin(for changes: ChangeSet) throws -> [Int] {
        var indices: Set<Int> = []
        var last = -1
        func involve(_ index: Int) {
            // Neighbours mostly lie in one store.
            if index == last { return }
            last = index
            indices.insert(index)
        }
        for change in changes.inserted { involve(try storeIndex(forNew: change.key, changes)) }
        for change in changes.updated { involve(change.key.storeIndex) }
        for deletion in changes.deleted { involve(deletion.key.storeIndex) }
        for link in changes.links where !link.owner.isTemporary { involve(link.owner.storeIndex) }
        for key in changes.reserved { involve(try storeIndex(forNew: key, changes)) }
        for index in indices where transactions[index] == nil {
            guard index < stores.count else { throw StoreError.noStores }
            transactions[index] = try stores[index].beginTransaction()
        }
        return indices.sorted()
    }

    /// The store that a new object goes into: the one it has a key of, the one it was assigned to, or else the first that
    /// holds its entity.
    private func storeIndex(forNew key: ObjectKey, _ changes: ChangeSet) throws -> Int {
        if !key.isTemporary { return key.storeIndex }
        if stores.count == 1, stores[0].configuration == nil { return 0 }
        if let index = changes.assigned[key] { return index }
        let entity = coordinator.model.entities[key.entityIndex]
        guard let index = coordinator.storeIndices(of: entity).first else {
            throw SaveError.noStore(for: entity)
        }
        return index
    }

    private mutating func write(_ changes: inout ChangeSet) throws -> [StoredVersion] {
        changes.makePermanent(try newKeys(for: changes), layouts: coordinator.directory.layouts)
        if changes.inserted.isEmpty, changes.updated.isEmpty { try reserveProbe(for: changes) }
        if transactions.count == 1, let transaction = transactions.values.first {
            return try write(changes, transaction, adoptingInto: &changes)
        }
        try changes.requireLinksWithinStores(model: coordinator.model, layouts: coordinator.directory.layouts)
        var conflicts: [StoredVersion] = []
        for (index, transaction) in transactions {
            conflicts += try write(changes.part(in: index), transaction, adoptingInto: &changes)
        }
        return conflicts
    }

    private func write(
        _ part: ChangeSet, _ transaction: any StoreTransaction, adoptingInto changes: inout ChangeSet
    ) throws -> [StoredVersion] {
        transaction.beginHistoryTransaction(part.signature)
        let conflicts = try transaction.write(part)
        if conflicts.isEmpty { changes.adopt(try transaction.rowsAsStored(after: part)) }
        return conflicts
    }

    /// Deletions and links leave nothing by which a reader could tell that it sees them; a primary key that is taken
    /// does.
    private mutating func reserveProbe(for changes: ChangeSet) throws {
        if let key = changes.reserved.last {
            let root = coordinator.model.entities[key.entityIndex].root
            reserved = .primaryKey(
                ObjectKey(store: key.storeIndex, entity: root.index, primaryKey: key.primaryKey))
            return
        }
        guard let key = changes.deleted.first?.key ?? changes.links.first?.owner,
            let transaction = transactions[key.storeIndex]
        else { return }
        let root = coordinator.model.entities[key.entityIndex].root
        let primaryKey = try transaction.reservePrimaryKeys(1, for: root)
        reserved = .primaryKey(ObjectKey(store: key.storeIndex, entity: root.index, primaryKey: primaryKey))
    }

    private func newKeys(for changes: ChangeSet) throws -> NewKeys {
        var keys = NewKeys()
        for change in changes.inserted where change.key.isTemporary {
            keys.count(change.key, in: try storeIndex(forNew: change.key, changes), coordinator.model)
        }
        for key in changes.reserved where key.isTemporary {
            keys.count(key, in: try storeIndex(forNew: key, changes), coordinator.model)
        }
        try keys.reserve { store, root, count in
            guard let transaction = transactions[store] else { throw StoreError.noStores }
            return try transaction.reservePrimaryKeys(count, for: root)
        }
        return keys
    }
}
