extension ManagedObjectContext {
    /// What a save is about to write.
    var changesToSave: ObjectChanges {
        var changes = ObjectChanges(directory: directory)
        changes.inserted = insertedObjects
        changes.updated = updatedObjects
        changes.deleted = deletedObjects
        return changes
    }

    /// What a save has changed. An object whose to-manys alone are others has been updated too, though another one's row
    /// says so.
    func changes(in pending: PendingSave) -> ObjectChanges {
        var changes = ObjectChanges(directory: directory)
        changes.inserted = pending.inserted
        let known = Set((pending.inserted + pending.updated).map(ObjectIdentifier.init))
        changes.updated = pending.updated
        changes.updated += pending.linked.filter { object in
            !known.contains(ObjectIdentifier(object)) && object.toManys.contains(where: \.hasChanges)
        }
        changes.deleted = pending.deleted
        return changes
    }

    /// What a rollback does to objects, as observers know them: those inserted in the running event they do not know yet.
    /// Nil if nobody observes.
    var changesToTakeBack: ObjectChanges? {
        guard let journal, journal.isObserved else { return nil }
        var changes = ObjectChanges(directory: directory)
        for object in changed {
            let wasPresent = journal.presenceBefore(object) == .present
            if !object.hasChanges {
                changes.untold.append(object)
            } else if object.isInserted {
                if wasPresent { changes.deleted.append(object) } else { changes.untold.append(object) }
            } else if !wasPresent {
                changes.inserted.append(object)
            } else if object.state.contains(.deleted), object.draft == nil {
                // Deleted in the running event: nobody knows.
                changes.untold.append(object)
            } else {
                changes.updated.append(object)
            }
        }
        return changes
    }
}
