extension ChangeSet {
    /// Gives every new object its permanent key and puts those keys wherever the set points at new objects.
    ///
    /// Rows are never written once they are sealed: one that points at a new object is replaced by a copy. So a set
    /// that could not be committed is as it was, and can be tried again. What points at an object that was never saved
    /// and is not in the set either (it was deleted again) points nowhere.
    ///
    /// - Parameter permanentKeys: by temporary key, one for each inserted object that has none yet.
    mutating func makePermanent(_ permanentKeys: [ObjectKey: ObjectKey], layouts: [EntityLayout]) {
        var arena = RowArena()
        func permanent(_ key: ObjectKey) -> ObjectKey? { key.isTemporary ? permanentKeys[key] : key }
        func redirected(_ row: Row, _ layout: EntityLayout) -> Row {
            let pointsAtNew = layout.toOneSlots.contains { slot in
                ObjectKey(slot: RowFormat.word(row.pointer, slot))?.isTemporary == true
            }
            return pointsAtNew ? layout.copy(row, in: &arena, redirecting: permanent) : row
        }
        for index in inserted.indices {
            inserted[index].key = permanent(inserted[index].key) ?? inserted[index].key
            inserted[index].row = redirected(inserted[index].row, layouts[inserted[index].key.entityIndex])
        }
        for index in updated.indices {
            updated[index].row = redirected(updated[index].row, layouts[updated[index].key.entityIndex])
        }
        reserved = reserved.compactMap(permanent)
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
    /// The keys that new objects had in `original` before `makePermanent`, by those that they have here.
    func temporaryKeys(like original: ChangeSet) -> [ObjectKey: ObjectKey] {
        Dictionary(uniqueKeysWithValues: zip(inserted, original.inserted).map { ($0.key, $1.key) })
    }
}

extension StoredVersion {
    /// The same with other keys, where there are some.
    func renamed(_ keys: [ObjectKey: ObjectKey]) -> StoredVersion {
        var version = self
        version.key = keys[key] ?? key
        if let holder = duplicate?.holder { version.duplicate?.holder = keys[holder] ?? holder }
        return version
    }
}

extension EntityLayout {
    /// A copy of a row whose to-one slots point where `redirect` says.
    func copy(_ row: Row, in arena: inout RowArena, redirecting redirect: (ObjectKey) -> ObjectKey?) -> Row {
        let size = headerSize + size(of: row.pointer)
        let memory = arena.allocate(size)
        memory.copyMemory(from: row.pointer - headerSize, byteCount: size)
        let pointer = memory + headerSize
        for slot in toOneSlots {
            guard let key = ObjectKey(slot: RowFormat.word(pointer, slot)) else { continue }
            let redirected = redirect(key)
            RowFormat.setWord(redirected?.rawValue ?? 0, pointer, slot)
            RowFormat.setNull(redirected == nil, pointer, slot)
        }
        return arena.row(at: pointer)
    }
}
