import Foundation

/// **Confined.** Writes a chunk of a batch insert whose unique values other objects may have: those are updated.
///
/// The store is asked by writing: what its unique indexes refuse is written again as an update of the object that has the
/// values, or put into the earlier object of the chunk. A chunk without duplicates is written once, as without this.
struct BatchUpsert {
    /// **Value.** An object to be inserted, or an update of a stored one.
    struct Entry {
        var row: Row
        /// The slots that the request has given.
        var given: SlotSet
        /// The stored object that has the values of a uniqueness constraint.
        var holder: (key: ObjectKey, row: Row, constraint: [String])?
    }

    private let entity: Entity
    private let storeIndex: Int
    private let directory: ObjectDirectory
    private let date: Date
    private var entries: [ObjectKey: Entry] = [:]
    /// The keys of the entries in the order of the request.
    private var order: [ObjectKey] = []
    /// The keys of the entries by the stored objects that they update.
    private var keysByHolder: [ObjectKey: ObjectKey] = [:]
    private var arena = RowArena()

    init(_ entity: Entity, storeIndex: Int, directory: ObjectDirectory, date: Date) {
        self.entity = entity
        self.storeIndex = storeIndex
        self.directory = directory
        self.date = date
    }

    /// Writes a chunk.
    ///
    /// - Returns: The changes that were written.
    /// - Throws: ``SaveError`` with the code `constraintConflict` for an object whose values two stored objects have.
    mutating func write(
        _ chunk: [Entry], in transaction: any StoreTransaction, recording changes: inout BatchChanges
    ) throws -> ChangeSet {
        let first = try transaction.reservePrimaryKeys(chunk.count, for: entity.root)
        for (offset, entry) in chunk.enumerated() {
            let key = ObjectKey(store: storeIndex, entity: entity.index, primaryKey: first + Int64(offset))
            entries[key] = entry
            order.append(key)
        }
        while true {
            try transaction.beginSavepoint()
            let (set, unchanged) = try changeSet()
            let conflicts = try transaction.write(set)
            if conflicts.isEmpty {
                try transaction.releaseSavepoint()
                changes.noteUnchanged(unchanged)
                return set
            }
            try transaction.rollBackToSavepoint()
            try resolve(conflicts)
        }
    }

    private mutating func changeSet() throws -> (ChangeSet, unchanged: Int) {
        var set = ChangeSet()
        var unchanged = 0
        for key in order {
            guard let entry = entries[key] else { continue }
            if let holder = entry.holder {
                if let update = try update(of: holder.key, from: holder.row, to: entry) {
                    set.updated.append(update)
                } else {
                    unchanged += 1
                }
            } else {
                set.inserted.append(ChangeSet.ObjectChange(key: key, row: entry.row, base: nil, changed: SlotSet()))
            }
        }
        return (set, unchanged)
    }

    /// Returns the update of a stored object, or `nil` if it has all the values.
    private mutating func update(
        of key: ObjectKey, from base: Row, to entry: Entry
    ) throws -> ChangeSet.ObjectChange? {
        let layout = directory.layout(of: key)
        let draft = DraftRow(copying: base.pointer, of: layout, base: base)
        entry.given.forEach { layout.copy($0, from: entry.row.pointer, to: draft) }
        if layout.storedChanges(of: draft).isEmpty { return nil }
        let derived = layout.deriving(draft, savedAt: date)
        for draft in [draft, derived] { try draft.requireAllValues(of: layout.entity) }
        var changed = layout.storedChanges(of: draft)
        layout.addDerivedChanges(of: derived, to: &changed)
        let row = layout.sealForStores(derived, version: RowFormat.version(after: base.version), in: &arena)
        return ChangeSet.ObjectChange(key: key, row: row, base: base, changed: changed)
    }

    // MARK: Conflicts

    /// Makes updates of the entries whose values other objects have.
    private mutating func resolve(_ conflicts: [StoredVersion]) throws {
        var hasChanged = false
        for conflict in conflicts {
            guard let duplicate = conflict.duplicate else {
                if replaceHolder(by: conflict) { hasChanged = true }
                continue
            }
            // Another constraint may have put it into an earlier entry meanwhile.
            guard let key = entryKey(of: conflict.key), let entry = entries[key] else { continue }
            if let row = duplicate.row {
                if entry.holder?.key == duplicate.holder { continue }
                guard entry.holder == nil, directory.layout(of: duplicate.holder).entity.isKind(of: entity) else {
                    throw SaveError.duplicate(duplicate.constraint, of: entity)
                }
                entries[key]?.holder = (duplicate.holder, row, duplicate.constraint)
                if let other = keysByHolder[duplicate.holder] {
                    try join(key, with: other, by: duplicate.constraint)
                } else {
                    keysByHolder[duplicate.holder] = key
                }
                hasChanged = true
            } else if let other = entryKey(of: duplicate.holder), other != key {
                try join(key, with: other, by: duplicate.constraint)
                hasChanged = true
            }
        }
        if !hasChanged {
            throw SaveError.duplicate(conflicts.compactMap(\.duplicate).first?.constraint ?? [], of: entity)
        }
    }

    /// Goes on from the row of a holder that others have changed, as they may where they are not excluded, since it was read.
    /// An entry whose holder is gone, or has other unique values by now, is inserted again.
    ///
    /// - Returns: Whether there was an entry of it.
    private mutating func replaceHolder(by stored: StoredVersion) -> Bool {
        guard let key = keysByHolder[stored.key], let entry = entries[key], let holder = entry.holder else {
            return false
        }
        if let row = stored.row, hasValues(of: entry, row, in: holder.constraint) {
            entries[key]?.holder?.row = row
        } else {
            entries[key]?.holder = nil
            keysByHolder[stored.key] = nil
        }
        return true
    }

    private func hasValues(of entry: Entry, _ row: Row, in constraint: [String]) -> Bool {
        let layout = directory.layouts[entity.index]
        return entity.properties.filter { constraint.contains($0.name) }
            .allSatisfy { layout.isEqual($0.slot, in: row.pointer, and: entry.row.pointer) }
    }

    /// Returns the key of the entry that inserts or updates an object.
    private func entryKey(of key: ObjectKey) -> ObjectKey? {
        entries[key] != nil ? key : keysByHolder[key]
    }

    /// Puts the later one of two entries into the earlier one.
    private mutating func join(_ one: ObjectKey, with other: ObjectKey, by constraint: [String]) throws {
        // Keys are reserved in the order of the request.
        let (earlier, later) = (min(one, other), max(one, other))
        guard var target = entries[earlier], let entry = entries.removeValue(forKey: later) else { return }
        if let holder = entry.holder {
            if let known = target.holder, known.key != holder.key { throw SaveError.duplicate(constraint, of: entity) }
            target.holder = holder
            keysByHolder[holder.key] = earlier
        }
        let layout = directory.layouts[entity.index]
        let draft = DraftRow(copying: target.row.pointer, of: layout, base: nil)
        entry.given.forEach { layout.copy($0, from: entry.row.pointer, to: draft) }
        let derived = layout.deriving(draft, savedAt: date)
        for draft in [draft, derived] { try draft.requireAllValues(of: entity) }
        target.row = layout.sealForStores(derived, version: target.row.version, in: &arena)
        target.given = target.given.union(entry.given)
        entries[earlier] = target
    }
}

@available(*, unavailable)
extension BatchUpsert: Sendable {}
