/// Restoring a child's changes when its parent could not save them. See `ContextFamily`.
extension ManagedObjectContext {
    /// Makes the parent's unsaved changes unsaved changes of this context again, beneath the changes made since, and
    /// empties the parent.
    ///
    /// For a parent whose changes all came from this child, such as a draft's. Deleted objects left the context when it
    /// was saved. They return as new faults, except for those that an undo manager would restore.
    package func takeBack() {
        guard let parent = parentToSaveInto else { return }
        let departed = undoManager?.departedObjects ?? [:]
        for above in parent.work.changed where above.hasChanges {
            let object = takeBackDeparted(above.key, from: departed) ?? object(for: above.key)
            if above.state.contains(.deleted) {
                takeBackDeletion(of: above, as: object)
            } else {
                takeBackValues(of: above, as: object)
                for relation in above.toManys where relation.hasChanges { takeBack(relation, of: object) }
            }
        }
        // Values that the parent could not read have affected these changes.
        faults.failures.note(parent.faults.failures)
        parent.reset()
    }

    /// Returns the object that was deleted here under a key, if undo remembers it, after registering it again.
    private func takeBackDeparted(
        _ key: ObjectKey, from departed: [ObjectKey: ManagedObject]
    ) -> ManagedObject? {
        guard identities.find(key) == nil, let object = departed[key] else { return nil }
        identities.register(object)
        return object
    }

    private func takeBackDeletion(of above: ManagedObject, as object: ManagedObject) {
        // It was never saved, so there is nothing for the store to delete.
        if above.state.contains(.inserted) { return removeFromContext(object) }
        if let row = above.storedRow { object.adopt(row) }
        object.state.formUnion([.deleted, .propagated, .awoken])
        work.track(object)
    }

    private func takeBackValues(of above: ManagedObject, as object: ManagedObject) {
        object.state.formUnion([above.isInserted ? .inserted : .updated, .awoken])
        work.track(object)
        guard let saved = above.draft else { return }
        if let draft = object.draft {
            // Values that were changed since lie over the parent's already; what they started from is older now.
            let increments = object.home.layout.increments(of: draft, over: saved)
            draft.base = saved.base
            draft.increments = nil
            if let increments, let base = saved.base { object.home.layout.write(increments, over: base, to: draft) }
            object.row = UnsafeRawPointer(draft.row)
            return
        }
        let layout = object.home.layout
        let values = UnsafeRawPointer(saved.row)
        let draft = DraftRow(copying: values, of: layout, base: saved.base)
        draft.increments = saved.increments
        if let own = object.row { layout.copyTransients(from: own, to: draft) }
        object.adopt(draft)
    }

    private func takeBack(_ relation: ToManyRelation, of object: ManagedObject) {
        let added =
            relation.relationship.isOrdered ? relation.order.filter(relation.added.contains) : Array(relation.added)
        object.relation(relation.relationship).takeBack(
            added: added.map { self.object(for: $0.key) },
            removed: relation.removed.map { self.object(for: $0.key) }, isReordered: relation.isReordered)
    }
}
