/// **Confined.** The work of the leader: several saves, with one transaction per store and a savepoint for each save.
///
/// `CommitTransaction` decides on the next step; this type performs it. A single member needs no savepoint of its own,
/// because there is nothing else to protect from its failure.
struct CommitBatch {
    private let members: [CommitMember]
    private let coordinator: PersistentStoreCoordinator
    private let stores: [any PersistentStore]
    /// Indicates whether there is a single store for all entities, so that no store has to be looked up.
    private let isLoneStore: Bool
    /// The transactions by store, ascending; begun when a member first writes to the store. Searched linearly, because
    /// there are few.
    private var begun: [(store: Int, transaction: any StoreTransaction)] = []
    private var outcomes: [Result<CommitResult, any Error>]
    /// The error after which the transaction no longer stands.
    private var fall: (any Error)?
    private var written: [(member: Int, commit: CommitNotice.Commit)] = []
    /// The probe for commits that write no row by which they could be recognized: a primary key that is reserved and
    /// never used.
    private var reserved: PersistentStoreCoordinator.CommitProbe?

    init(members: [CommitMember], coordinator: PersistentStoreCoordinator) {
        self.members = members
        self.coordinator = coordinator
        stores = coordinator.stores
        isLoneStore = stores.count == 1 && stores[0].configuration == nil
        outcomes = members.map { _ in .failure(Self.noStores) }
    }

    private static let noStores: any Error = StoreError.noStores

    /// Writes the batch. Returns an outcome for each member, unless a store gave up the transaction and it is unknown
    /// which member caused that.
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
                for (_, transaction) in begun { transaction.rollBack() }
                machine.rollBack()
            }
        }
        for (_, transaction) in begun { transaction.end() }
        // Unless they have already been notified with a commit.
        if begun.contains(where: { $0.transaction.sawForeignChanges }) { coordinator.tellForeignChanges() }
        if let fall { return .fell(fall) }
        return .finished(outcomes)
    }

    // MARK: Steps

    private mutating func write(_ index: Int, _ machine: inout CommitTransaction) {
        let usesSavepoints = members.count > 1
        do {
            var changes = members[index].changes
            let involved = try begin(for: changes)
            if usesSavepoints { for store in involved { try transaction(store)?.beginSavepoint() } }
            let conflicts = try write(&changes)
            if conflicts.isEmpty {
                if usesSavepoints { for store in involved { try transaction(store)?.releaseSavepoint() } }
                // Everything that takes time is done before the commit becomes visible, because a reader that sees it
                // waits until it is published.
                let touched = changes.touchedRelations(layouts: coordinator.directory.layouts)
                let origin = members[index].origin
                written.append(
                    (index, CommitNotice.Commit(origin: origin, changes: changes, touchedRelations: touched)))
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

    /// Handles an error. After any error, the first question is whether the transaction still stands.
    private mutating func fail(
        _ index: Int, _ error: any Error, _ usesSavepoints: Bool, _ machine: inout CommitTransaction
    ) {
        do {
            if isStanding {
                try undo(usesSavepoints)
                outcomes[index] = .failure(error)
                machine.undo()
                return
            }
        } catch {
            // The savepoint cannot be rolled back, so the transaction is of no use either.
        }
        for (_, transaction) in begun { transaction.rollBack() }
        machine.fall()
        fall = error
    }

    private var isStanding: Bool { begun.allSatisfy { $0.transaction.isStanding } }

    private func undo(_ usesSavepoints: Bool) throws {
        // Without savepoints, the transaction of the single member is rolled back as a whole when the machine says so.
        if !usesSavepoints { return }
        for (_, transaction) in begun { try transaction.rollBackToSavepoint() }
    }

    private mutating func commit(_ machine: inout CommitTransaction) {
        let metadata = coordinator.waitingMetadata
        do {
            if !metadata.isEmpty { try write(metadata) }
        } catch {
            giveUp(error, &machine)
            return
        }
        let probe = probe
        let generation = coordinator.shared.withLock { $0.ledger.announce(probe) }
        var committed: StoreSet = []
        var failure: (any Error)?
        for (store, transaction) in begun where failure == nil {
            do {
                try transaction.commit()
                committed.insert(store)
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
        publish(at: generation, committed, failure)
    }

    private mutating func write(_ metadata: [Int: [String: ManagedValue]]) throws {
        for (index, values) in metadata where index < stores.count {
            try begin(index)
            try transaction(index)?.setMetadata(values)
        }
    }

    /// Gives up the transaction, of which nothing was committed. If it no longer stands, each member runs once more,
    /// alone.
    private mutating func giveUp(_ error: any Error, _ machine: inout CommitTransaction) {
        let wasStanding = isStanding
        for (_, transaction) in begun { transaction.rollBack() }
        if wasStanding {
            machine.rollBack()
            for (member, _) in written { outcomes[member] = .failure(error) }
            // The changes that others conflict with may be those that were not committed.
            for member in outcomes.indices {
                if case .success(.conflicting) = outcomes[member] { outcomes[member] = .failure(error) }
            }
        } else {
            machine.fall()
            fall = error
        }
    }

    /// Publishes the changes that are in the stores. No transaction spans two files: if a later one failed, the contents
    /// of the earlier ones are published, and the members that wrote to the failed store get the error.
    private mutating func publish(at generation: Generation, _ committed: StoreSet, _ failure: (any Error)?) {
        var commits: [CommitNotice.Commit] = []
        for (member, commit) in written {
            if let failure, !commit.changes.storeIndices.isSubset(of: committed) {
                commits.append(commit.part(in: committed))
                outcomes[member] = .failure(StoreError.partlyCommitted(failure))
            } else {
                commits.append(commit)
                outcomes[member] = .success(.committed(CommitReceipt(generation: generation, changes: commit.changes)))
            }
        }
        for (store, transaction) in begun where !committed.contains(store) { transaction.rollBack() }
        coordinator.publish(commits, at: generation)
    }

    /// A fact that is true only from this commit on: a row with its new version that no other member deletes again.
    private var probe: PersistentStoreCoordinator.CommitProbe? {
        for (_, commit) in written.reversed() {
            if let change = commit.changes.updated.last, !isDeleted(change.key) {
                return .version(of: change.key, change.row.version)
            }
            if let change = commit.changes.inserted.last, !isDeleted(change.key) {
                return .version(of: change.key, change.row.version)
            }
        }
        return reserved
    }

    private func isDeleted(_ key: ObjectKey) -> Bool {
        written.contains { $0.commit.changes.deleted.contains { $0.key == key } }
    }

    // MARK: Into the stores

    /// Begins the transactions of all stores affected by the changes.
    private mutating func begin(for changes: ChangeSet) throws -> StoreSet {
        let involved = isLoneStore && !changes.isEmpty ? [0] : try storesInvolved(in: changes)
        for store in involved { try begin(store) }
        return involved
    }

    private func storesInvolved(in changes: ChangeSet) throws -> StoreSet {
        var involved: StoreSet = []
        for change in changes.inserted { involved.insert(try storeIndex(forNew: change.key, changes)) }
        for change in changes.updated { involved.insert(change.key.storeIndex) }
        for deletion in changes.deleted { involved.insert(deletion.key.storeIndex) }
        for link in changes.links where !link.owner.isTemporary { involved.insert(link.owner.storeIndex) }
        for key in changes.reserved { involved.insert(try storeIndex(forNew: key, changes)) }
        return involved
    }

    private mutating func begin(_ store: Int) throws {
        if transaction(store) != nil { return }
        guard store < stores.count else { throw StoreError.noStores }
        let transaction = try stores[store].beginTransaction()
        let place = begun.firstIndex { $0.store > store } ?? begun.count
        begun.insert((store, transaction), at: place)
    }

    private func transaction(_ store: Int) -> (any StoreTransaction)? {
        begun.first { $0.store == store }?.transaction
    }

    /// Returns the store for a new object: the store of its key, the store that it was assigned to, or else the first
    /// writable store that contains its entity.
    private func storeIndex(forNew key: ObjectKey, _ changes: ChangeSet) throws -> Int {
        if !key.isTemporary { return key.storeIndex }
        if isLoneStore { return 0 }
        if let index = changes.assigned[key] { return index }
        let entity = coordinator.model.entities[key.entityIndex]
        let indices = coordinator.storeIndices(of: entity)
        guard let index = indices.first(where: { !stores[$0].isReadOnly }) ?? indices.first else {
            throw SaveError.noStore(for: entity, isOpen: !coordinator.stores.isEmpty)
        }
        return index
    }

    private mutating func write(_ changes: inout ChangeSet) throws -> [StoredVersion] {
        changes.makePermanent(try newKeys(for: changes), layouts: coordinator.directory.layouts)
        if changes.inserted.isEmpty, changes.updated.isEmpty { try reserveProbe(for: changes) }
        if changes.hasIncrementsAlone {
            let refused = try changes.putIncrements(onto: stored, layouts: coordinator.directory.layouts)
            if !refused.isEmpty { return refused }
        }
        if begun.count == 1 {
            let transaction = begun[0].transaction
            let conflicts = try write(changes, to: transaction)
            if conflicts.isEmpty { changes.adopt(try transaction.rowsAsStored(after: changes)) }
            return conflicts
        }
        try changes.requireLinksWithinStores(model: coordinator.model, layouts: coordinator.directory.layouts)
        var conflicts: [StoredVersion] = []
        for (store, transaction) in begun {
            let part = changes.part(in: store)
            let found = try write(part, to: transaction)
            if found.isEmpty { changes.adopt(try transaction.rowsAsStored(after: part)) }
            conflicts += found
        }
        return conflicts
    }

    private func stored(_ key: ObjectKey) throws -> StoredVersion {
        guard let transaction = transaction(key.storeIndex) else { throw StoreError.noStores }
        return try transaction.stored(key)
    }

    private func write(_ part: ChangeSet, to transaction: any StoreTransaction) throws -> [StoredVersion] {
        transaction.beginHistoryTransaction(part.signature)
        // No one has committed since the changes began, so the objects that they refer to still exist.
        let isCurrent =
            part.basis == coordinator.publishedGeneration && written.isEmpty && !transaction.sawForeignChanges
        return isCurrent ? try transaction.write(part) : try writeChecked(part, to: transaction)
    }

    @inline(never)
    private func writeChecked(_ part: ChangeSet, to transaction: any StoreTransaction) throws -> [StoredVersion] {
        let deletedBefore = written.reduce(into: Set<ObjectKey>()) { keys, member in
            keys.formUnion(member.commit.changes.deleted.lazy.map(\.key))
        }
        var check = ReferenceCheck(
            part, in: transaction, of: coordinator,
            deletedBefore: transaction.sawForeignChanges ? nil : deletedBefore)
        try check.readLinksOfDeleted()
        let conflicts = try transaction.write(part)
        return conflicts.isEmpty ? try check.conflicts() : conflicts
    }

    /// Reserves a primary key as a probe. Deletions and changes of links leave nothing by which a reader could recognize
    /// them; a reserved primary key does.
    private mutating func reserveProbe(for changes: ChangeSet) throws {
        if let key = changes.reserved.last {
            let root = coordinator.model.entities[key.entityIndex].root
            reserved = .primaryKey(
                ObjectKey(store: key.storeIndex, entity: root.index, primaryKey: key.primaryKey))
            return
        }
        guard let key = changes.deleted.first?.key ?? changes.links.first?.owner,
            let transaction = transaction(key.storeIndex)
        else { return }
        let root = coordinator.model.entities[key.entityIndex].root
        let primaryKey = try transaction.reservePrimaryKeys(1, for: root)
        reserved = .primaryKey(ObjectKey(store: key.storeIndex, entity: root.index, primaryKey: primaryKey))
    }

    private func newKeys(for changes: ChangeSet) throws -> NewKeys {
        var keys = NewKeys()
        for index in changes.inserted.indices where changes.inserted[index].key.isTemporary {
            let key = changes.inserted[index].key
            keys.count(key, in: try storeIndex(forNew: key, changes), coordinator.model)
        }
        for key in changes.reserved where key.isTemporary {
            keys.count(key, in: try storeIndex(forNew: key, changes), coordinator.model)
        }
        try keys.reserve { store, root, count in
            guard let transaction = transaction(store) else { throw StoreError.noStores }
            return try transaction.reservePrimaryKeys(count, for: root)
        }
        return keys
    }
}
