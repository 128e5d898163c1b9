/// **Confined.** The work of the leader: several saves, or work that shares no transaction with others, such as a batch
/// request. Has one transaction per store, and a savepoint for each of several members.
///
/// `StoreCommit` decides on the next step; this type performs it. A single member needs no savepoint of its own, because
/// there is nothing else to protect from its failure.
struct CommitBatch {
    /// Writes a member. Returns its changes, or `nil` if there is nothing to commit.
    typealias Writer = (_ member: Int, inout CommitBatch) throws -> CommitNotice.Commit?

    private let coordinator: PersistentStoreCoordinator
    private let stores: [any PersistentStore]
    /// Indicates whether there is a single store for all entities, so that no store has to be looked up.
    private let isLoneStore: Bool
    /// The time until which transactions wait for locks of other processes; `nil` for as long as their store does.
    private let lockDeadline: ContinuousClock.Instant?
    private var machine: StoreCommit
    /// The transactions in the order in which they are committed; begun when a member first writes to the store. Searched
    /// linearly, because there are few.
    private var begun: [(store: Int, transaction: any StoreTransaction)] = []
    /// The errors of stores that have begun no transaction, which nobody waits for twice.
    private(set) var failedOpenings: [Int: any Error]
    /// Indicates whether others were in the way of one, so that the whole batch is repeated.
    private var isOpeningContended = false
    /// The stores that the open member writes to.
    private var involved: StoreSet = []
    private var written: [(member: Int, stores: StoreSet, commit: CommitNotice.Commit)] = []
    private var outcomes: [Result<CommitResult, any Error>]
    /// The metadata that is written along, by store; `nil` if it waits for another commit.
    private var metadata: [Int: [String: ManagedValue]]?
    /// The probe if no member writes a row by which the commit could be recognized.
    var otherProbe: PersistentStoreCoordinator.CommitProbe?

    /// Writes the batch. Returns an outcome for each member, unless a store gave up the transaction and it is unknown
    /// which member caused that.
    mutating func run(_ write: Writer) -> CommitQueue<CommitMember, CommitResult>.Written {
        var visible: [CommitNotice.Commit] = []
        var audience: PersistentStoreCoordinator.Audience = ([], [], false)
        while let step = machine.next {
            switch step {
            case .write(let member): self.write(member, with: write)
            case .announce: announce()
            case .commit(let position): commit(begun[position])
            case .rollBack: rollBack()
            case .note:
                visible = settle()
                coordinator.note(visible, of: &machine)
            case .addRows(let part): coordinator.addRows(part, of: visible, commit: &machine)
            case .publish: audience = coordinator.publish(visible, of: &machine)
            }
        }
        // All rows are in the cache; without late ones, the publication has woken the readers.
        if machine.addsRowsLate { coordinator.shared.withLock { $0.wakeReaders() } }
        if let generation = machine.generation { coordinator.tell(audience, of: visible, at: generation) }
        for (_, transaction) in begun { transaction.end() }
        // Unless they have already been notified with a commit.
        if machine.isOfUnknownChanges || begun.contains(where: { $0.transaction.sawForeignChanges }) {
            coordinator.tellForeignChanges()
        }
        if machine.hasFallen, let failure = machine.failure {
            return .fell(failure, repeatedFor: stores.compactMap(\.contentionTime).max() ?? .zero)
        }
        return .finished(outcomes)
    }

    // MARK: Steps

    private mutating func write(_ index: Int, with write: Writer) {
        machine.beginMember()
        involved = []
        let probe = otherProbe
        do {
            if let commit = try write(index, &self) {
                if usesSavepoints { for store in involved { try transaction(store)?.releaseSavepoint() } }
                written.append((index, involved, commit))
                machine.keep()
            } else {
                otherProbe = probe
                try undo()
                machine.undo()
            }
        } catch {
            otherProbe = probe
            fail(index, with: error)
        }
    }

    /// Handles an error. After any error, the first question is whether the transaction still stands.
    private mutating func fail(_ index: Int, with error: any Error) {
        do {
            if isStanding {
                try undo()
                outcomes[index] = .failure(error)
                return machine.undo()
            }
        } catch {
            // The savepoint cannot be rolled back, so the transaction is of no use either.
        }
        machine.fail(error, leaving: .nothing)
    }

    private var isStanding: Bool { !isOpeningContended && begun.allSatisfy { $0.transaction.isStanding } }

    private var usesSavepoints: Bool { outcomes.count > 1 }

    private func undo() throws {
        // Without savepoints, the transaction of the single member is rolled back as a whole when the machine says so.
        if !usesSavepoints { return }
        // Others may be open without a savepoint: rows of all members are locked at once.
        for (store, transaction) in begun where involved.contains(store) { try transaction.rollBackToSavepoint() }
    }

    private mutating func announce() {
        do {
            if metadata != nil { try writeMetadata(coordinator.waitingMetadata) }
            // As long as all of it can be repeated, and before readers wait for it. A lone store does so with its commit.
            if stores.count > 1 { for (_, transaction) in begun { try transaction.sendWrites() } }
        } catch {
            return machine.fail(error, leaving: isStanding ? .transaction : .nothing)
        }
        let probe = probe
        coordinator.shared.withLock { machine.announce(probe, stores: begun.count, in: &$0.ledger) }
    }

    private mutating func writeMetadata(_ waiting: [Int: [String: ManagedValue]]) throws {
        for (store, values) in waiting where store < stores.count {
            try openTransaction(store).setMetadata(values)
            metadata?[store] = values
        }
    }

    private mutating func commit(_ next: (store: Int, transaction: any StoreTransaction)) {
        do {
            try next.transaction.commit()
            if let values = metadata?[next.store] { coordinator.metadataWasSaved(values, in: next.store) }
            machine.didCommit(behindOthers: next.transaction.isBehindOthers)
        } catch {
            let isUnknown = next.transaction.isOutcomeUnknown
            machine.fail(error, leaving: isUnknown ? .unknown : isStanding ? .transaction : .nothing)
        }
    }

    private mutating func rollBack() {
        for (_, transaction) in begun { transaction.rollBack() }
        coordinator.shared.withLock { shared in
            machine.rollBack(in: &shared.ledger)
            shared.wakeReaders()
        }
        guard case .failed(let error) = machine.outcome else { return }
        // Also the members with conflicts: the changes in their way may be those that were not committed.
        for member in outcomes.indices {
            if case .success = outcomes[member] { outcomes[member] = .failure(error) }
        }
    }

    /// Determines the outcomes of the members that were written, and returns the changes that are in the stores.
    private mutating func settle() -> [CommitNotice.Commit] {
        guard let generation = machine.generation else { return [] }
        var committed: StoreSet = []
        if machine.failure != nil {
            for (store, _) in begun.prefix(machine.committedCount) { committed.insert(store) }
            for (_, transaction) in begun.dropFirst(machine.committedCount) { transaction.rollBack() }
        }
        return written.map { member, stores, commit in
            if let failure = machine.failure, !stores.isSubset(of: committed) {
                outcomes[member] = .failure(error(ofMemberIn: stores, committed: committed, failure))
                return commit.part(in: committed)
            }
            outcomes[member] = .success(.committed(commit, at: generation))
            return commit
        }
    }

    /// Returns the error of a member that wrote to a store which failed, or to one behind it, which was rolled back.
    ///
    /// - Parameter committed: The stores before it, in which the member may be in part.
    private func error(ofMemberIn stores: StoreSet, committed: StoreSet, _ failure: any Error) -> any Error {
        if machine.isUnanswered, stores.contains(begun[machine.committedCount].store) {
            return StoreError.unanswered(failure)
        }
        if !stores.isDisjoint(with: committed) { return StoreError.partlyCommitted(failure) }
        return machine.isUnanswered ? StoreError.rolledBack(behind: failure) : failure
    }

    /// A fact that is true only from this commit on: a row with its new version that no other member deletes again.
    private var probe: PersistentStoreCoordinator.CommitProbe? {
        for (_, _, commit) in written.reversed() {
            // The number after the last one is the first: a damaged file may have it.
            if let change = commit.changes.updated.last, !isDeleted(change.key),
                change.row.version > change.base?.version ?? 0
            {
                return .version(of: change.key, change.row.version)
            }
            if let change = commit.changes.inserted.last, !isDeleted(change.key) {
                return .version(of: change.key, change.row.version)
            }
        }
        return otherProbe
    }

    private func isDeleted(_ key: ObjectKey) -> Bool {
        written.contains { $0.commit.changes.deleted.contains { $0.key == key } }
    }

    // MARK: Into the stores

    /// Begins the open member's part in a store.
    ///
    /// - Parameter changes: Those of the member, if they are known.
    mutating func begin(_ store: Int, for changes: ChangeSet? = nil) throws -> any StoreTransaction {
        let transaction = try openTransaction(store, for: changes)
        involved.insert(store)
        if usesSavepoints { try transaction.beginSavepoint() }
        return transaction
    }

    private mutating func openTransaction(
        _ store: Int, for changes: ChangeSet? = nil
    ) throws -> any StoreTransaction {
        if let transaction = transaction(store) { return transaction }
        guard store < stores.count else { throw coordinator.noStores }
        if let failure = failedOpenings[store] { throw failure }
        let transaction: any StoreTransaction
        do {
            // The others lock no rows.
            let isContended = stores[store].contentionTime != nil
            transaction = try stores[store].beginTransaction(
                for: isContended ? changes?.part(in: store) : nil, lockingUntil: lockDeadline)
        } catch {
            noteFailedOpening(of: store, error)
            throw error
        }
        let place = begun.firstIndex { isCommitted(store, before: $0.store) } ?? begun.count
        begun.insert((store, transaction), at: place)
        return transaction
    }

    /// Returns whether a store is committed before another one: first those that other processes may be in the way of, even of
    /// COMMIT. Nothing is committed when the first of them fails, so the batch is repeated as a whole.
    private func isCommitted(_ store: Int, before other: Int) -> Bool {
        let isContended = stores[store].contentionTime != nil
        return isContended == (stores[other].contentionTime != nil) ? store < other : isContended
    }

    private mutating func noteFailedOpening(of store: Int, _ error: any Error) {
        if (error as? StoreError)?.isContention == true {
            isOpeningContended = true
        } else {
            failedOpenings[store] = error
        }
    }

    private func transaction(_ store: Int) -> (any StoreTransaction)? {
        begun.first { $0.store == store }?.transaction
    }

    /// Locks the rows of all members at once where others write at the same time: member by member, groups of two processes
    /// would wait for each other.
    mutating func lockRows(of members: [CommitMember]) throws {
        if members.count == 1 { return }
        for store in stores.indices where stores[store].contentionTime != nil {
            var changes = ChangeSet()
            for member in members {
                changes.updated += member.changes.updated.filter { $0.key.storeIndex == store }
                changes.deleted += member.changes.deleted.filter { $0.key.storeIndex == store }
            }
            if changes.isEmpty { continue }
            let transaction: any StoreTransaction
            do {
                transaction = try openTransaction(store, for: changes)
            } catch {
                if isOpeningContended { throw error }
                // Each member that writes to the store meets it. The one that is being written may not.
                continue
            }
            try transaction.lockRows(of: changes)
        }
    }

    mutating func write(_ save: CommitMember, at index: Int) throws -> CommitNotice.Commit? {
        var changes = save.changes
        for store in isLoneStore && !changes.isEmpty ? [0] : try storesInvolved(in: changes) {
            _ = try begin(store, for: changes)
        }
        let conflicts = try write(&changes)
        if !conflicts.isEmpty {
            let known = changes.temporaryKeys(like: save.changes)
            outcomes[index] = .success(.conflicting(conflicts.map { $0.renamed(known) }))
            return nil
        }
        // Everything that takes time is done before the commit becomes visible, because a reader that sees it waits until
        // it is published.
        let touched = changes.touchedRelations(layouts: coordinator.directory.layouts)
        return CommitNotice.Commit(origin: save.origin, changes: consume changes, touchedRelations: touched)
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

    /// Returns the store for a new object: the store of its key, the store that it was assigned to, or else the first
    /// writable store that contains its entity.
    private func storeIndex(forNew key: ObjectKey, _ changes: ChangeSet) throws -> Int {
        if !key.isTemporary { return key.storeIndex }
        if isLoneStore { return 0 }
        if let index = changes.assigned[key] { return index }
        let entity = coordinator.model.entities[key.entityIndex]
        let indices = coordinator.storeIndices(of: entity)
        guard let index = indices.first(where: { !stores[$0].isReadOnly }) ?? indices.first else {
            throw !coordinator.hasStores
                ? SaveError.noStore(for: entity, coordinator.noStores) : SaveError.noStore(for: entity)
        }
        return index
    }

    private mutating func write(_ changes: inout ChangeSet) throws -> [StoredVersion] {
        changes.makePermanent(try newKeys(for: changes), layouts: coordinator.directory.layouts)
        if changes.inserted.isEmpty, changes.updated.isEmpty { try reserveProbe(for: changes) }
        let areLocked = changes.hasIncrementsAlone
        if areLocked {
            let refused = try putIncrements(of: &changes)
            if !refused.isEmpty { return refused }
        }
        if begun.count == 1 {
            let transaction = begun[0].transaction
            let conflicts = try write(changes, to: transaction, areLocked: areLocked)
            if conflicts.isEmpty { changes.adopt(try transaction.rowsAsStored(after: changes)) }
            return conflicts
        }
        try changes.requireLinksWithinStores(model: coordinator.model, layouts: coordinator.directory.layouts)
        var conflicts: [StoredVersion] = []
        for (store, transaction) in begun {
            let part = changes.part(in: store)
            let found = try write(part, to: transaction, areLocked: areLocked)
            if found.isEmpty { changes.adopt(try transaction.rowsAsStored(after: part)) }
            conflicts += found
        }
        return conflicts
    }

    /// Locks the rows of changes, and puts the increments among these onto what others have written there.
    private func putIncrements(of changes: inout ChangeSet) throws -> [StoredVersion] {
        // `nil` for an object that nobody has changed.
        var locked: [ObjectKey: StoredVersion?] = [:]
        for (store, transaction) in begun where !transaction.excludesOthers {
            let versions = try transaction.lockRows(of: begun.count == 1 ? changes : changes.part(in: store))
            var changed: [ObjectKey] = []
            for change in changes.incrementsAlone(in: store) {
                if let base = change.base, versions[change.key] == base.version, !transaction.mayRepeatVersions {
                    locked.updateValue(nil, forKey: change.key)
                } else {
                    changed.append(change.key)
                }
            }
            // Read together: others wait for the rows meanwhile.
            for version in try transaction.stored(changed) { locked.updateValue(version, forKey: version.key) }
        }
        return try changes.putIncrements(
            onto: { key in
                if let known = locked[key] { return known }
                return try stored(key)
            }, layouts: coordinator.directory.layouts,
            comparesValues: begun.contains { $0.transaction.mayRepeatVersions })
    }

    private func stored(_ key: ObjectKey) throws -> StoredVersion {
        guard let transaction = transaction(key.storeIndex) else { throw coordinator.noStores }
        return try transaction.stored(key)
    }

    /// - Parameter areLocked: Whether the rows are locked, if the transaction does not exclude others.
    private func write(
        _ part: ChangeSet, to transaction: any StoreTransaction, areLocked: Bool
    ) throws -> [StoredVersion] {
        transaction.beginHistoryTransaction(part.signature)
        // No one has committed since the changes began, so the objects that they refer to still exist. A commit of another
        // process has a generation of its own, published when the transaction began.
        let isCurrent = part.basis == coordinator.publishedGeneration && written.isEmpty
        let excludesOthers = transaction.excludesOthers
        if isCurrent, excludesOthers { return try transaction.write(part) }
        return try writeChecked(part, to: transaction, locks: !excludesOthers && !areLocked)
    }

    @inline(never)
    private func writeChecked(
        _ part: ChangeSet, to transaction: any StoreTransaction, locks: Bool
    ) throws -> [StoredVersion] {
        let deletedBefore = written.reduce(into: Set<ObjectKey>()) { keys, member in
            keys.formUnion(member.commit.changes.deleted.lazy.map(\.key))
        }
        // Others may have committed since the transaction began, of which the row cache knows nothing.
        if locks { try transaction.lockRows(of: part) }
        var check = ReferenceCheck(
            part, in: transaction, of: coordinator,
            deletedBefore: !transaction.excludesOthers || transaction.sawForeignChanges ? nil : deletedBefore)
        try check.readLinksOfDeleted()
        let conflicts = try transaction.write(part)
        return conflicts.isEmpty ? try check.conflicts() : conflicts
    }

    private mutating func reserveProbe(for changes: ChangeSet) throws {
        if let key = changes.reserved.last {
            setProbe(key.primaryKey, like: key)
        } else if let key = changes.deleted.first?.key ?? changes.links.first?.owner {
            try reserveProbe(like: key)
        }
    }

    /// Reserves a primary key, which is never used, as a probe. Deletions and changes of links leave nothing by which a
    /// reader could recognize them; a reserved primary key does.
    mutating func reserveProbe(like key: ObjectKey) throws {
        guard let transaction = transaction(key.storeIndex) else { return }
        let entity = coordinator.model.entities[key.entityIndex]
        setProbe(try transaction.reservePrimaryKeys(1, for: entity.root), like: key)
    }

    private mutating func setProbe(_ primaryKey: Int64, like key: ObjectKey) {
        let root = coordinator.model.entities[key.entityIndex].root
        otherProbe = .primaryKey(ObjectKey(store: key.storeIndex, entity: root.index, primaryKey: primaryKey))
    }

    private func newKeys(for changes: ChangeSet) throws -> NewKeys {
        var keys = NewKeys()
        for index in changes.inserted.indices where changes.inserted[index].key.isTemporary {
            let key = changes.inserted[index].key
            keys.count(key, in: try storeIndex(forNew: key, changes), model: coordinator.model)
        }
        for key in changes.reserved where key.isTemporary {
            keys.count(key, in: try storeIndex(forNew: key, changes), model: coordinator.model)
        }
        // Captures the transactions alone: a closure that names `self` copies the whole batch.
        try keys.reserve { [begun, coordinator] store, root, count in
            guard let transaction = begun.first(where: { $0.store == store })?.transaction else {
                throw coordinator.noStores
            }
            return try transaction.reservePrimaryKeys(count, for: root)
        }
        return keys
    }
}

extension CommitBatch {
    // In an extension, for the memberwise initializer: one that assigns the properties makes a copy of the batch.
    /// - Parameters:
    ///   - saveCount: The number of saves, which write the stores' metadata along; `nil` for other work.
    ///   - lockDeadline: The time until which transactions wait for locks of other processes; `nil` for as long as their
    ///     store does.
    ///   - failedOpenings: The errors of stores that could begin no transaction for the batch of which this is a part.
    init(
        saveCount: Int?, coordinator: PersistentStoreCoordinator, lockDeadline: ContinuousClock.Instant? = nil,
        failedOpenings: [Int: any Error] = [:]
    ) {
        let stores = coordinator.stores
        let count = saveCount ?? 1
        self.init(
            coordinator: coordinator, stores: stores, isLoneStore: stores.count == 1 && stores[0].configuration == nil,
            lockDeadline: lockDeadline, machine: StoreCommit(memberCount: count), failedOpenings: failedOpenings,
            // The compiler specializes this, but not Array(repeating:count:), which each commit would pay for.
            outcomes: (0..<count).map { _ in .success(.conflicting([])) },
            metadata: saveCount == nil ? nil : [:])
    }
}
