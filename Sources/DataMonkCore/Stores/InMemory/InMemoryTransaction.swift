/// **Confined.** A transaction of an in-memory store. It changes its own copy of the contents, which replaces the store's on
/// commit.
final class InMemoryTransaction: StoreTransaction {
    /// The number of objects up to which an incremental store is asked for those with the same values alone.
    static let narrowedCount = 100

    private let store: InMemoryStore
    var contents: InMemoryContents
    private var savepoint: InMemoryContents?
    /// The rows derived by the last `write`.
    private var derived: [ObjectKey: Row] = [:]
    let isStanding = true
    private(set) var isOutcomeUnknown = false
    let sawForeignChanges = false

    init(_ contents: InMemoryContents, store: InMemoryStore) {
        self.contents = contents
        self.store = store
        self.contents.history?.begin(HistorySignature())
    }

    func beginSavepoint() { savepoint = contents }
    func releaseSavepoint() { savepoint = nil }

    func rollBackToSavepoint() {
        if let savepoint { contents = savepoint }
        savepoint = nil
    }

    func setMetadata(_ metadata: [String: ManagedValue]) {
        contents.metadata = metadata.filter { !StoreMetadataKey.isStoresOwn($0.key) }
    }

    func reservePrimaryKeys(_ count: Int, for entity: Entity) throws -> Int64 {
        try contents.reservePrimaryKeys(count, root: entity.root.index)
    }

    func stored(_ key: ObjectKey) throws -> StoredVersion {
        let row = contents.stored(key, root: layout(key).entity.root.index)?.row
        try contents.requireReadable()
        return StoredVersion(key: key, row: row)
    }

    func write(_ changes: ChangeSet) throws -> [StoredVersion] {
        contents.base?.prepare(changes.updated.map(\.key) + changes.deleted.map(\.key))
        let conflicts = conflicts(of: changes)
        try contents.requireReadable()
        if !conflicts.isEmpty { return conflicts }
        if contents.history != nil { noteHistory(of: changes) }
        for deletion in changes.deleted { contents.remove(deletion.key, layout: layout(deletion.key)) }
        for change in changes.updated { contents.put(change.key, row: change.row, layout: layout(change.key)) }
        for change in changes.inserted { contents.put(change.key, row: change.row, layout: layout(change.key)) }
        for link in changes.links { contents.apply(link) }
        derived = try directory.hasRelatedDerivations ? derive(&contents) : [:]
        let duplicates = duplicates(in: changes)
        try contents.requireReadable()
        return duplicates
    }

    func rowsAsStored(after changes: ChangeSet) -> [StoredVersion] {
        derived.map { StoredVersion(key: $0.key, row: $0.value) }
    }

    var directory: ObjectDirectory { store.directory }

    func commit() throws {
        do {
            try store.replaceContents(contents)
        } catch let error as UnconfirmedSave {
            isOutcomeUnknown = true
            throw error.cause
        }
    }

    func rollBack() {}
    func end() { contents.base?.end() }

    func layout(_ key: ObjectKey) -> EntityLayout { store.directory.layout(of: key) }

    private func conflicts(of changes: ChangeSet) -> [StoredVersion] {
        func conflict(of key: ObjectKey, base: Row?) -> StoredVersion? {
            let stored = contents.stored(key, root: layout(key).entity.root.index)
            // Deleting an object that was never read deletes whatever is there.
            guard let base else { return nil }
            return stored?.row.version == base.version ? nil : StoredVersion(key: key, row: stored?.row)
        }
        return changes.updated.compactMap { conflict(of: $0.key, base: $0.base) }
            + changes.deleted.compactMap { conflict(of: $0.key, base: $0.base) }
    }

    // MARK: Uniqueness

    /// Returns the objects, in a change set that has been written, whose unique values belong to another object.
    private func duplicates(in changes: ChangeSet) -> [StoredVersion] {
        let all = changes.updated + changes.inserted
        var constraints: [UniquenessConstraint] = []
        for index in Set(all.map(\.key.entityIndex)).sorted() {
            for constraint in store.directory.layouts[index].uniqueness where !constraints.contains(constraint) {
                constraints.append(constraint)
            }
        }
        return constraints.flatMap { duplicates(of: $0, in: all) }
    }

    private func duplicates(
        of constraint: UniquenessConstraint, in changes: [ChangeSet.ObjectChange]
    ) -> [StoredVersion] {
        let changes = changes.filter { change in
            layout(change.key).entity.isKind(of: constraint.entity)
        }
        guard changes.contains(where: constraint.concerns) else { return [] }
        let changed = Set(changes.map(\.key))
        var holders: [[ManagedValue]: InMemoryContents.Stored] = [:]
        contents.forEach(of: constraint.entity, where: condition(on: constraint, changes)) { stored in
            guard !changed.contains(stored.key), layout(stored.key).entity.isKind(of: constraint.entity),
                let values = layout(stored.key).values(of: constraint, in: stored.row.pointer)
            else { return true }
            holders[values] = stored
            return true
        }
        return changes.compactMap { change in
            guard let values = layout(change.key).values(of: constraint, in: change.row.pointer) else { return nil }
            guard let holder = holders[values] else {
                holders[values] = InMemoryContents.Stored(key: change.key, row: change.row)
                return nil
            }
            return StoredVersion(
                key: change.key, row: nil,
                duplicate: StoredVersion.Duplicate(
                    constraint: constraint.names, holder: holder.key,
                    row: changed.contains(holder.key) ? nil : holder.row))
        }
    }

    /// Returns a condition that is true for the objects with the unique values of some changes; `nil` if it would be too long.
    private func condition(
        on constraint: UniquenessConstraint, _ changes: [ChangeSet.ObjectChange]
    ) -> Condition? {
        guard contents.base != nil, changes.count <= Self.narrowedCount else { return nil }
        return .or(
            changes.compactMap { change in
                guard let values = layout(change.key).values(of: constraint, in: change.row.pointer) else { return nil }
                let properties = zip(constraint.names, values)
                return .and(
                    properties.compactMap { name, value in
                        let isAttribute = constraint.entity.attribute(named: name) != nil
                        return isAttribute ? Condition.compare(name, .equal, value) : nil
                    })
            })
    }
}
