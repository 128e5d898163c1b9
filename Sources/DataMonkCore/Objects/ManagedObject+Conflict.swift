extension ManagedObject {
    /// Whether others have changed or deleted the object, as far as its context has heard, since the values were read that
    /// its unsaved changes started from: saved now, it would meet a conflict, and the merge policy would settle it.
    ///
    /// False for an object that is only incremented, which whatever others have stored is added to; for an object without
    /// unsaved changes, for a new one, and for one whose context is gone: it has nothing to
    /// save.
    ///
    /// - Complexity: nothing is read if the object's row is in the row cache, else the version of that row.
    public final nonisolated var hasConflict: Bool { home.context?.hasConflict(self) ?? false }
}

extension ManagedObjectContext {
    fileprivate func hasConflict(_ object: ManagedObject) -> Bool {
        requireOwner()
        guard let base = unsavedBase(of: object.key) else { return false }
        do {
            guard let version = try root.storedVersion(of: object.key) else { return true }
            return version != base.version && !isOnlyIncremented(object)
        } catch {
            coordinator.report(error)
            return false
        }
    }

    /// The row that unsaved changes of an object started from, in the nearest context of the family that has any.
    private func unsavedBase(of key: ObjectKey) -> Row? {
        var context: ManagedObjectContext? = self
        while let current = context {
            if let object = current.identities.find(key), object.hasChanges { return object.storedRow }
            context = current.parent
        }
        return nil
    }

    /// The version of an object as of the generation; nil if there is none.
    private func storedVersion(of key: ObjectKey) throws -> Int64? {
        beginLoading()
        defer { endCall() }
        switch coordinator.cachedRow(for: key, at: generation) {
        case .row(let row): return row.version
        case .deleted: return nil
        case .unknown: return try openSnapshot().reader(of: key).version(of: key)
        }
    }
}
