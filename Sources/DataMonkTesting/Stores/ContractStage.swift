import DataMonkCore

/// **Confined.** A coordinator with one empty store of the contract's model, for one rule.
final class ContractStage {
    let coordinator: PersistentStoreCoordinator
    let store: any PersistentStore
    /// Keeps the contexts alive, because objects do not outlive their context and rules access them within one expression.
    private var contexts: [ManagedObjectContext] = []

    init(makeStore: StoreContract.Factory) throws {
        coordinator = PersistentStoreCoordinator(model: try ContractModel.make())
        store = try makeStore(coordinator.directory, 0)
        try coordinator.add(store)
    }

    /// Creates a context without registered objects: everything it fetches comes from the store.
    ///
    /// Earlier contexts release their snapshots, because a store has a limited number of them.
    func newContext(_ mergePolicy: MergePolicy = .error) -> ManagedObjectContext {
        for context in contexts { context.endTurn() }
        let context = ManagedObjectContext(coordinator: coordinator, mergePolicy: mergePolicy)
        contexts.append(context)
        return context
    }

    func entity(_ name: String) throws -> Entity {
        guard let entity = coordinator.model.entitiesByName[name] else {
            throw StoreContractViolation(description: "The contract's model has no \(name)")
        }
        return entity
    }

    // MARK: Rows, as written by a coordinator

    /// Returns the change that inserts an object with the next primary key of a transaction.
    func insertion(
        of name: String, values: [String: ManagedValue] = [:], in transaction: any StoreTransaction
    ) throws -> ChangeSet.ObjectChange {
        let entity = try entity(name)
        let primaryKey = try transaction.reservePrimaryKeys(1, for: entity)
        let layout = coordinator.directory.layouts[entity.index]
        let draft = DraftRow(copying: layout.initialRow.pointer, of: layout, base: nil)
        write(values, into: draft, of: entity)
        var arena = RowArena()
        return ChangeSet.ObjectChange(
            key: ObjectKey(store: 0, entity: entity.index, primaryKey: primaryKey),
            row: layout.seal(draft, version: 1, in: &arena), base: nil, changed: SlotSet())
    }

    func update(
        of object: ChangeSet.ObjectChange, _ values: [String: ManagedValue]
    ) -> ChangeSet.ObjectChange {
        let (key, base) = (object.key, object.row)
        let layout = coordinator.directory.layout(of: key)
        let draft = DraftRow(copying: base.pointer, of: layout, base: base)
        write(values, into: draft, of: layout.entity)
        var arena = RowArena()
        return ChangeSet.ObjectChange(
            key: key, row: layout.seal(draft, version: base.version + 1, in: &arena), base: base,
            changed: layout.changedSlots(of: draft))
    }

    private func write(_ values: [String: ManagedValue], into draft: DraftRow, of entity: Entity) {
        var editor = RowEditor(draft)
        for (name, value) in values { entity.attribute(named: name)?.write(value, to: &editor) }
    }

    /// Writes changes in a transaction of their own.
    ///
    /// - Returns: The conflicts. If there are any, nothing was written.
    @discardableResult
    func commit(_ fill: (inout ChangeSet, any StoreTransaction) throws -> Void) throws -> [StoredVersion] {
        let transaction = try store.beginTransaction()
        defer { transaction.end() }
        do {
            var changes = ChangeSet()
            try fill(&changes, transaction)
            let conflicts = try transaction.write(changes)
            if conflicts.isEmpty { try transaction.commit() } else { transaction.rollBack() }
            return conflicts
        } catch {
            transaction.rollBack()
            throw error
        }
    }

    func commitObject(_ name: String, values: [String: ManagedValue] = [:]) throws -> ChangeSet.ObjectChange {
        var inserted: [ChangeSet.ObjectChange] = []
        try commit { changes, transaction in
            changes.inserted = [try insertion(of: name, values: values, in: transaction)]
            inserted = changes.inserted
        }
        return inserted[0]
    }

    @discardableResult
    func commitUpdate(
        of object: ChangeSet.ObjectChange, _ values: [String: ManagedValue]
    ) throws -> [StoredVersion] {
        try commit { changes, _ in changes.updated = [update(of: object, values)] }
    }

    /// Commits the deletion of one object, as it was committed.
    @discardableResult
    func commitDeletion(of object: ChangeSet.ObjectChange) throws -> [StoredVersion] {
        try commit { changes, _ in changes.deleted = [.init(key: object.key, base: object.row)] }
    }

    /// Writes one new object in a transaction, and returns its key.
    @discardableResult
    func write(
        _ name: String, values: [String: ManagedValue] = [:], in transaction: any StoreTransaction
    ) throws -> ObjectKey {
        var changes = ChangeSet()
        changes.inserted = [try insertion(of: name, values: values, in: transaction)]
        _ = try transaction.write(changes)
        return changes.inserted[0].key
    }

    // MARK: Reading

    /// Reads what is committed now.
    func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        let reader = try store.openReader()
        defer { reader.end() }
        return try body(reader)
    }

    func row(of key: ObjectKey, in reader: any StoreReader) throws -> Row? {
        var arena = RowArena()
        return try reader.row(of: key, in: &arena)
    }

    func value(_ name: String, of row: Row?, entityName: String) throws -> ManagedValue {
        guard let row else { throw StoreContractViolation(description: "\(entityName) has no row") }
        return try entity(entityName).attribute(named: name)?.value(in: row.pointer) ?? .null
    }

    func count(of name: String, in reader: any StoreReader) throws -> Int {
        try reader.count(ResolvedFetch(FetchRequest(entityName: name), model: coordinator.model))
    }
}

@available(*, unavailable)
extension ContractStage: Sendable {}
