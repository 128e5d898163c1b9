extension ChangeSet {
    /// Gives every new object its permanent key, and replaces temporary keys wherever the set refers to new objects.
    ///
    /// Sealed rows are never modified: a row that refers to a new object is replaced by a copy. Thus a set that could not
    /// be committed is unchanged and can be tried again. References to objects that were never saved and are not in the
    /// set either, because they were deleted again, become null.
    ///
    /// - Parameter newKeys: The keys, for each inserted object that has none yet, then for each reserved one.
    mutating func makePermanent(_ newKeys: consuming NewKeys, layouts: [EntityLayout]) {
        let pointing = pointingAtNew(layouts)
        if pointing.isEmpty, links.isEmpty {
            for index in inserted.indices where inserted[index].key.isTemporary { inserted[index].key = newKeys.next() }
            for index in reserved.indices where reserved[index].isTemporary { reserved[index] = newKeys.next() }
            return
        }
        // Rows that refer to new objects must find them by their temporary keys.
        var known = KeyTable(minimumCapacity: inserted.count + reserved.count)
        defer { known.deallocate() }
        func take(_ key: inout ObjectKey) {
            if !key.isTemporary { return }
            let permanent = newKeys.next()
            known.set(key.rawValue, to: UInt(permanent.rawValue))
            key = permanent
        }
        for index in inserted.indices { take(&inserted[index].key) }
        for index in reserved.indices { take(&reserved[index]) }
        redirect(pointing, to: known, layouts: layouts)
    }

    /// Returns the rows with a to-one that leads to a new object, by their indexes among the inserted and the updated
    /// rows.
    private func pointingAtNew(_ layouts: [EntityLayout]) -> PointingRows {
        var rows = PointingRows()
        var entity = -1
        var toOnes: [Int] = []
        func pointsAtNew(_ key: ObjectKey, row: UnsafeRawPointer) -> Bool {
            if key.entityIndex != entity {
                entity = key.entityIndex
                toOnes = layouts[entity].toOneSlots
            }
            for slot in toOnes where ObjectKey(rawValue: RowFormat.word(in: row, at: slot)).isTemporary { return true }
            return false
        }
        // By index: taking out a change would count three references.
        for index in inserted.indices where pointsAtNew(inserted[index].key, row: inserted[index].row.pointer) {
            rows.inserted.append(index)
        }
        for index in updated.indices where pointsAtNew(updated[index].key, row: updated[index].row.pointer) {
            rows.updated.append(index)
        }
        return rows
    }

    /// **Value.** Indexes of rows in a change set.
    private struct PointingRows {
        var inserted: [Int] = []
        var updated: [Int] = []
        var isEmpty: Bool { inserted.isEmpty && updated.isEmpty }
    }

    private mutating func redirect(_ rows: PointingRows, to permanentKeys: KeyTable, layouts: [EntityLayout]) {
        func permanent(_ key: ObjectKey) -> ObjectKey? {
            key.isTemporary ? ObjectKey(slot: UInt64(permanentKeys.find(key.rawValue))) : key
        }
        var arena = RowArena()
        func redirect(_ change: inout ObjectChange) {
            change.row = layouts[change.key.entityIndex].copy(change.row, in: &arena, redirecting: permanent)
        }
        for index in rows.inserted { redirect(&inserted[index]) }
        for index in rows.updated { redirect(&updated[index]) }
        links = links.compactMap { link in
            guard let owner = permanent(link.owner) else { return nil }
            var link = link
            link.owner = owner
            link.added = link.added.compactMap(permanent)
            link.removed = link.removed.compactMap(permanent)
            link.order = link.order?.compactMap(permanent)
            return link
        }
    }
}

extension ChangeSet {
    /// Returns the keys that new objects had in `original` before `makePermanent`, by the keys that they have here.
    func temporaryKeys(like original: ChangeSet) -> [ObjectKey: ObjectKey] {
        Dictionary(uniqueKeysWithValues: zip(inserted, original.inserted).map { ($0.key, $1.key) })
    }
}

extension StoredVersion {
    /// Returns the version with other keys, for the given ones.
    func renamed(_ keys: [ObjectKey: ObjectKey]) -> StoredVersion {
        var version = self
        version.key = keys[key] ?? key
        if let holder = duplicate?.holder { version.duplicate?.holder = keys[holder] ?? holder }
        version.reference = reference?.renamed(keys)
        return version
    }
}

extension EntityLayout {
    /// Returns a copy of a row whose to-one slots refer to the results of `redirect`.
    func copy(_ row: Row, in arena: inout RowArena, redirecting redirect: (ObjectKey) -> ObjectKey?) -> Row {
        let size = headerSize + size(of: row.pointer)
        let memory = arena.allocate(size)
        memory.copyMemory(from: row.pointer - headerSize, byteCount: size)
        let pointer = memory + headerSize
        for slot in toOneSlots {
            guard let key = ObjectKey(slot: RowFormat.word(in: pointer, at: slot)) else { continue }
            let redirected = redirect(key)
            RowFormat.setWord(redirected?.rawValue ?? 0, in: pointer, at: slot)
            RowFormat.setNull(redirected == nil, in: pointer, at: slot)
        }
        return arena.row(at: pointer)
    }
}
