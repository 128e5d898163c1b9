extension ManagedObject {
    /// Indicates whether a save of the object now would meet a conflict, which the merge policy would resolve. This is
    /// the case if others have changed or deleted the object, as far as its context knows, since the values were read
    /// that its unsaved changes started from.
    ///
    /// False for an object that is only incremented, which whatever others have stored is added to; for an object without
    /// unsaved changes, for a new one, and for one whose context is gone: it has nothing to
    /// save.
    ///
    /// - Complexity: No read if the object's row is in the row cache; otherwise one read of that row's version.
    public final nonisolated var hasConflict: Bool { home.context?.hasConflict(self) ?? false }

    /// Indicates whether increments are all that is to be written of the object.
    final nonisolated var isOnlyIncremented: Bool {
        guard let draft, !state.contains(.deleted) else { return false }
        return home.layout.incrementsAlone(draft)
    }

    /// The row with which a save compares the store's.
    final nonisolated var startRow: Row? { draft?.start ?? storedRow }

    /// Puts another row under the draft, whose values stay what they are. What was incremented grows from what that row
    /// holds.
    final nonisolated func moveDraft(onto base: Row) {
        guard let draft else { return }
        let increments = home.layout.increments(of: draft)
        draft.base = base
        draft.start = nil
        if let increments { home.layout.write(increments, over: base, to: draft) }
        row = UnsafeRawPointer(draft.row)
        noteUnsavedValues()
    }
}

extension ManagedObjectContext {
    fileprivate func hasConflict(_ object: ManagedObject) -> Bool {
        requireOwner()
        guard let base = unsavedBase(of: object.key) else { return false }
        do {
            guard let version = try storedVersion(of: object.key) else { return true }
            return version != base.version && !object.isOnlyIncremented
        } catch {
            coordinator.report(error)
            return false
        }
    }

    /// Returns the row that unsaved changes of an object started from, in the nearest context of the family that has any.
    private func unsavedBase(of key: ObjectKey) -> Row? {
        let known = ([self] + backing.ancestors).lazy.compactMap { $0.identities.find(key) }
        return known.first(where: \.hasChanges)?.startRow
    }

    /// Returns the version of an object at the context's generation, or `nil` if it does not exist.
    private func storedVersion(of key: ObjectKey) throws -> Int64? {
        beginLoading()
        defer { endCall() }
        switch coordinator.cachedRow(for: key, at: stores.generation) {
        case .row(let row): return row.version
        case .deleted: return nil
        case .unknown: return try stores.openSnapshot().reader(of: key).version(of: key)
        }
    }
}
