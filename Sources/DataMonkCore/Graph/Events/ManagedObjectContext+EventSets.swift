extension ManagedObjectContext {
    /// The changes that a save is about to write.
    var changesToSave: ObjectChanges {
        var changes = ObjectChanges(directory: directory)
        changes.inserted = insertedObjects
        changes.updated = updatedObjects
        changes.deleted = deletedObjects
        return changes
    }

    /// Returns the changes that a save has made. An object of which only to-manys have changed counts as updated,
    /// although the change is in another object's row.
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

    /// The effect of a rollback on objects from the observers' view, who do not know objects inserted in the current
    /// event yet. `nil` if there are no observers.
    var changesToTakeBack: ObjectChanges? {
        guard let journal, journal.isObserved else { return nil }
        var changes = ObjectChanges(directory: directory)
        for object in work.changed {
            let wasPresent = journal.presenceBefore(object) == .present
            if !object.hasChanges {
                changes.untold.append(object)
            } else if object.isInserted {
                if wasPresent { changes.deleted.append(object) } else { changes.untold.append(object) }
            } else if !wasPresent {
                changes.inserted.append(object)
            } else if object.state.contains(.deleted), object.draft == nil {
                // Deleted in the current event, which has not been reported yet.
                changes.untold.append(object)
            } else {
                changes.updated.append(object)
            }
        }
        return changes
    }
}
