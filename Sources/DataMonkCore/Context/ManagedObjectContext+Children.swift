/// What a parent tells its children; see `ContextFamily`.
extension ManagedObjectContext {
    /// Takes a new child.
    func adopt(_ child: ManagedObjectContext) { children.append(child) }

    /// Calls a block with each child that takes over what this context saves and merges.
    func forEachFollowingChild(_ body: (ManagedObjectContext) -> Void) {
        for child in children.contexts where child.automaticallyMergesChangesFromParent { body(child) }
    }

    /// Passes a save on: permanent keys to every child, values to those that follow.
    func tellChildren(of pending: PendingSave, _ receipt: CommitReceipt) {
        var keys: [ObjectKey: ObjectKey] = [:]
        for (before, after) in zip(pending.changes.inserted, receipt.changes.inserted) where before.key != after.key {
            keys[before.key] = after.key
        }
        if !keys.isEmpty { for child in children.contexts { child.takePermanentKeys(keys) } }
        let touched = receipt.changes.touchedRelations(layouts: directory.layouts)
        let commit = CommitNotice.Commit(origin: id, changes: receipt.changes, touchedRelations: touched)
        forEachFollowingChild { $0.merge(commit) }
    }

    /// Gives new objects their permanent keys, here and in all children, wherever they stand: in the identity map and in
    /// the to-ones of rows.
    ///
    /// - Complexity: one look at each registered object.
    func takePermanentKeys(_ keys: [ObjectKey: ObjectKey]) {
        for object in identities.objects {
            if let key = keys[object.key] {
                // Any context of the family may have handed the temporary id out.
                object.state.insert(.hasKnownTemporaryID)
                identities.rename(object, to: key)
            }
            redirectRows(of: object, by: keys)
        }
        for child in children.contexts { child.takePermanentKeys(keys) }
    }

    private func redirectRows(of object: ManagedObject, by keys: [ObjectKey: ObjectKey]) {
        let layout = object.home.layout
        func pointsAtNew(_ row: UnsafeRawPointer) -> Bool {
            layout.toOneSlots.contains { keys[ObjectKey(rawValue: RowFormat.word(row, $0))] != nil }
        }
        if let draft = object.draft, pointsAtNew(UnsafeRawPointer(draft.row)) {
            for slot in layout.toOneSlots {
                guard let key = keys[ObjectKey(rawValue: RowFormat.word(draft.row, slot))] else { continue }
                RowFormat.setWord(key.rawValue, draft.row, slot)
            }
        }
        guard let row = object.storedRow, pointsAtNew(row.pointer) else { return }
        let redirected = layout.copy(row, in: &arena) { keys[$0] ?? $0 }
        guard let draft = object.draft else { return object.adopt(redirected) }
        draft.base = redirected
        object.block = redirected.block
    }
}
