/// **Confined.** A transaction of an in-memory store: its own copy of the contents, which replaces the store's at commit.
final class InMemoryTransaction: StoreTransaction {
    private let store: InMemoryStore
    private var contents: InMemoryContents
    private var savepoint: InMemoryContents?
    /// The rows that the last `write` derived.
    private var derived: [ObjectKey: Row] = [:]
    let isStanding = true
    let sawForeignChanges = false

    init(_ contents: InMemoryContents, store: InMemoryStore) {
        self.contents = contents
        self.store = store
    }

    func beginSavepoint() { savepoint = contents }
    func releaseSavepoint() { savepoint = nil }

    func rollBackToSavepoint() {
        if let savepoint { contents = savepoint }
        savepoint = nil
    }

    func reservePrimaryKeys(_ count: Int, for entity: Entity) -> Int64 {
        contents.reservePrimaryKeys(count, root: entity.root.index)
    }

    func write(_ changes: ChangeSet) throws -> [StoredVersion] {
        let conflicts = conflicts(of: changes)
        if !conflicts.isEmpty { return conflicts }
        for deletion in changes.deleted { contents.remove(deletion.key, layout: layout(deletion.key)) }
        for change in changes.updated { contents.put(change.key, change.row, layout: layout(change.key)) }
        for change in changes.inserted { contents.put(change.key, change.row, layout: layout(change.key)) }
        for link in changes.links { contents.apply(link) }
        derived = directory.hasRelatedDerivations ? derive(&contents) : [:]
        try checkUniqueness(of: changes)
        return []
    }

    func rowsAsStored(after changes: ChangeSet) -> [StoredVersion] {
        derived.map { StoredVersion(key: $0.key, row: $0.value) }
    }

    var directory: ObjectDirectory { store.directory }

    func commit() { store.replaceContents(contents) }
    func rollBack() {}
    func end() {}

    private func layout(_ key: ObjectKey) -> EntityLayout { store.directory.layout(of: key) }

    private func conflicts(of changes: ChangeSet) -> [StoredVersion] {
        func conflict(_ key: ObjectKey, _ base: Row?) -> StoredVersion? {
            let stored = contents.stored(key, root: layout(key).entity.root.index)
            // Whoever deletes an object without having read it deletes whatever is there.
            guard let base else { return nil }
            return stored?.row.version == base.version ? nil : StoredVersion(key: key, row: stored?.row)
        }
        return changes.updated.compactMap { conflict($0.key, $0.base) }
            + changes.deleted.compactMap { conflict($0.key, $0.base) }
    }

    // MARK: Uniqueness

    private func checkUniqueness(of changes: ChangeSet) throws {
        let changed = Set((changes.inserted + changes.updated).map(\.key.entityIndex))
        for index in changed {
            let entity = store.directory.model.entities[index]
            for ancestor in entity.ancestors + [entity] {
                for constraint in ancestor.description.uniquenessConstraints {
                    try checkUniqueness(constraint, of: ancestor)
                }
            }
        }
    }

    private func checkUniqueness(_ constraint: [String], of entity: Entity) throws {
        var seen: Set<[ManagedValue]> = []
        for case let stored? in contents.tables[entity.root.index] ?? [] {
            let layout = layout(stored.key)
            guard layout.entity.isKind(of: entity) else { continue }
            let values = constraint.map { value($0, stored, layout.entity) }
            // As in SQL, no value is equal to no value.
            if values.contains(.null) || seen.insert(values).inserted { continue }
            throw StoreError(
                .constraintViolation,
                """
                Two objects of \(entity.name) have the same \(constraint.joined(separator: ", ")), which must be unique. \
                Look for the other one first (fetchOrCreate), or change one of them.
                """, entityName: entity.name)
        }
    }

    private func value(_ name: String, _ stored: InMemoryContents.Stored, _ entity: Entity) -> ManagedValue {
        switch entity.propertiesByName[name] {
        case .attribute(let attribute): return attribute.value(in: stored.row.pointer)
        case .relationship(let relationship):
            let word = RowFormat.word(stored.row.pointer, relationship.slot)
            return word == 0 ? .null : .int(Int64(bitPattern: word))
        case nil: return .null
        }
    }
}
