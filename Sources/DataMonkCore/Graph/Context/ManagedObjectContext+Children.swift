/// Propagation from a parent to its children; see `ContextFamily`.
extension ManagedObjectContext {
    /// Adds a new child.
    func adopt(_ child: ManagedObjectContext) { children.append(child) }

    /// Calls a block for each child that follows the saves and merges of this context.
    func forEachFollowingChild(_ body: (ManagedObjectContext) -> Void) {
        for child in children.contexts where child.automaticallyMergesChangesFromParent { body(child) }
    }

    /// Passes on a save: permanent keys and versions to every child, values to those that follow.
    func tellChildren(of commit: CommitNotice.Commit, formerKeys: [ObjectKey]) {
        var keys: [ObjectKey: ObjectKey] = [:]
        for (before, after) in zip(formerKeys, commit.changes.inserted) where before != after.key {
            keys[before] = after.key
        }
        if !keys.isEmpty { for child in children.contexts { child.takePermanentKeys(keys) } }
        var saved: [ObjectKey: SavedVersion] = [:]
        // The row of a new object that a child has read has version 0.
        for change in commit.changes.inserted where change.row.version > 0 {
            saved[change.key] = SavedVersion(before: 0, after: change.row.version)
        }
        for change in commit.changes.updated {
            guard let base = change.base, base.version != change.row.version else { continue }
            saved[change.key] = SavedVersion(before: base.version, after: change.row.version)
        }
        if !saved.isEmpty { for child in children.contexts { child.takeVersions(saved) } }
        // Their observers are told when nothing is left of the save.
        forEachFollowingChild { $0.inherit(commit) }
    }

    /// Merges a commit that the parent has made or merged.
    func inherit(_ commit: CommitNotice.Commit) {
        // This context's own save applies it, and tells the children.
        if commit.origin == id { return }
        // An object that was new in the parent may already have been read here.
        for change in commit.changes.inserted { merge(change) }
        merge(commit)
    }

    /// Gives new objects their permanent keys, here and in all children, wherever the keys occur: in the identity map and
    /// in the to-ones of rows.
    ///
    /// - Complexity: One look at each registered object.
    func takePermanentKeys(_ keys: [ObjectKey: ObjectKey]) {
        for object in identities.objects {
            if let key = keys[object.key] {
                // A to-many or to-one that was read behind the commit may have registered it under its new key.
                if let twin = identities.find(key), twin !== object { forgetTwin(twin) }
                // Any context of the family may have provided the temporary id.
                object.state.insert(.hasKnownTemporaryID)
                identities.rename(object, to: key)
            }
            redirectRows(of: object, by: keys)
        }
        journal?.redirectRows(by: keys)
        for child in children.contexts { child.takePermanentKeys(keys) }
    }

    /// Removes what was registered for a stored object while the context still has it as a new one.
    private func forgetTwin(_ twin: ManagedObject) {
        if twin.hasChanges {
            faults.noteDroppedWrite(of: twin, FetchError.objectIsInvalidated(twin.anyObjectID))
            graph.forgetMemberships(of: twin)
        }
        // A list may have fetched it.
        noteExternalChange(of: twin, as: .invalidated)
        identities.unregister(twin)
        twin.dropValues()
        twin.toManys = []
        twin.state.formIntersection(.tracked)
        twin.state.insert(.invalidated)
    }

    /// **Value.** The versions of an object before and after a save of its family.
    struct SavedVersion {
        let before: Int64
        let after: Int64
    }

    /// Records that the family itself has saved some objects. Changes that started from the version before the save count
    /// as started from the version after it; otherwise the family would be in conflict with itself. Values remain
    /// unchanged.
    private func takeVersions(_ saved: [ObjectKey: SavedVersion]) {
        for (key, version) in saved {
            guard let object = identities.find(key), let row = object.storedRow, row.version == version.before
            else { continue }
            let copy = object.home.layout.copy(row, in: &arena) { $0 }
            // It has just been created and is not shared yet.
            RowFormat.setVersion(version.after, of: UnsafeMutableRawPointer(mutating: copy.pointer))
            replaceStoredRow(of: object, by: copy)
        }
        for child in children.contexts { child.takeVersions(saved) }
    }

    private func replaceStoredRow(of object: ManagedObject, by row: Row) {
        guard let draft = object.draft else { return object.adopt(row) }
        draft.base = row
    }

    private func redirectRows(of object: ManagedObject, by keys: [ObjectKey: ObjectKey]) {
        let layout = object.home.layout
        func pointsAtNew(_ row: UnsafeRawPointer) -> Bool {
            layout.toOneSlots.contains { keys[ObjectKey(rawValue: RowFormat.word(in: row, at: $0))] != nil }
        }
        if let draft = object.draft, pointsAtNew(UnsafeRawPointer(draft.row)) {
            for slot in layout.toOneSlots {
                guard let key = keys[ObjectKey(rawValue: RowFormat.word(in: draft.row, at: slot))] else { continue }
                RowFormat.setWord(key.rawValue, in: draft.row, at: slot)
            }
        }
        guard let row = object.storedRow, pointsAtNew(row.pointer) else { return }
        replaceStoredRow(of: object, by: layout.copy(row, in: &arena) { keys[$0] ?? $0 })
    }
}
