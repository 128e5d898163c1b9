/// Records the history of an in-memory store.
extension InMemoryTransaction {
    func beginHistoryTransaction(_ signature: HistorySignature?) {
        contents.history?.begin(signature ?? HistorySignature())
    }

    /// Records changes before they are written, while the values of deleted objects still exist.
    func noteHistory(of changes: ChangeSet) {
        // Computed first: as an argument it would read the contents while they are being changed.
        let noted = changes.historyEntries.compactMap(change)
        contents.history?.note(noted)
    }

    func deleteHistory(before bound: HistoryBound) -> Int { contents.history?.purge(before: bound) ?? 0 }

    private func change(_ entry: HistoryEntry) -> HistoryRecord.Change? {
        let entity = layout(entry.key).entity
        var tombstone: [String: ManagedValue] = [:]
        var updatedProperties: Set<String>?
        switch entry.type {
        case .insert: break
        case .update:
            var names: Set<String> = []
            entry.slots.forEach { names.insert(entity.properties[$0].name) }
            updatedProperties = names
        case .delete:
            // An object deleted by another change set of the transaction is not deleted again.
            guard let stored = contents.stored(entry.key, root: entity.root.index) else { return nil }
            for attribute in entity.tombstoneAttributes {
                let value = attribute.value(in: stored.row.pointer)
                if !value.isNull { tombstone[attribute.name] = value }
            }
        }
        return HistoryRecord.Change(
            number: 0, type: entry.type, key: entry.key, updatedProperties: updatedProperties, tombstone: tombstone)
    }
}
