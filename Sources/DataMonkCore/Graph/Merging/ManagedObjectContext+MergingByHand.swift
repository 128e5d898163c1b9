extension ManagedObjectContext {
    /// Merges the changes of another context of the same stack, for a context that does not follow commits.
    ///
    ///     let observation = other.observeSaves { notice in
    ///         if case .didSave(let changes) = notice { try context.mergeChanges(from: changes.notice) }
    ///     }
    ///
    /// Clean objects get the new values; a to-many that may have changed is read again when it is accessed. An object
    /// with unsaved changes keeps them and their base: its save will meet the conflict. An object whose row no longer
    /// exists stays registered, and reads as deleted. Advances the context to the newest generation. Observers are
    /// notified before the call returns.
    ///
    /// - Throws: ``FetchError`` with the code `foreignID` for an id of another stack, before anything is changed.
    /// - Complexity: Reads nothing. One lookup for each id, and one for each registered object.
    public func mergeChanges(from notice: ObjectChangeNotice) throws {
        requireOwner()
        for id in notice.named where id.directory !== directory { throw FetchError.foreignID(id) }
        endTurn()
        stores.stand(at: coordinator.publishedGeneration)
        merging {
            if notice.isEverything { refreshEverything() }
            for id in notice.updated + notice.refreshed + notice.invalidated { mergeUpdate(of: id.key) }
            for id in notice.deleted { mergeDeletion(of: id.key) }
            if let journal, journal.isObserved {
                for id in notice.inserted where !id.isTemporaryID { journal.externalChanges.noteInserted(id.key) }
            }
            unloadToManys(leadingTo: Set(notice.named.map { directory.model.entities[$0.key.entityIndex].root.index }))
        }
        // The family has moved with this context.
        if root !== self { root.postExternalChanges() }
        postExternalChanges()
    }

    /// Merges changes made outside of the stack: by another process, or by a tool that wrote to the file.
    ///
    ///     try context.mergeChanges(fromRemote: ObjectChangeNotice(updated: ids))
    ///
    /// Seldom needed, because every fetch detects commits that other processes make through SQLite.
    ///
    /// Merges as ``mergeChanges(from:)`` does, and also removes the objects' rows from the row cache, so that they are
    /// read from the store.
    ///
    /// - Throws: ``FetchError`` with the code `foreignID` for an id of another stack, before anything is changed.
    public func mergeChanges(fromRemote notice: ObjectChangeNotice) throws {
        requireOwner()
        for id in notice.named where id.directory !== directory { throw FetchError.foreignID(id) }
        coordinator.forgetRows(of: notice.named.map(\.key))
        try mergeChanges(from: notice)
    }

    /// Merges the changes of a batch request beyond the objects registered here, which have already become faults.
    func finishMerging(_ batch: BatchChanges) {
        if let journal, journal.isObserved { for key in batch.inserted { journal.externalChanges.noteInserted(key) } }
        let keys = batch.requested + batch.followers
        unloadToManys(leadingTo: Set(keys.map { directory.model.entities[$0.entityIndex].root.index }))
    }

    func mergeUpdate(of key: ObjectKey) {
        guard let object = identities.find(key) else {
            if let journal, journal.isObserved { journal.externalChanges.noteUpdated(key) }
            return
        }
        if object.isDeleted { return }
        // An object with changes keeps them and their base: its save will meet the conflict.
        if object.hasChanges {
            object.state.insert(.outdated)
            // It shows no new value, but lists may look at its former or new row through a relationship.
            if let journal, journal.isObserved { journal.externalChanges.noteUpdated(key) }
            return
        }
        noteExternalChange(of: object, as: .updated)
        guard let row = object.row else { return object.dropPartialRow() }
        if case .row(let newest) = coordinator.cachedRow(for: key, at: stores.generation) {
            if newest.version != RowFormat.version(row) { adopt(newest, as: object) }
        } else {
            turnIntoFault(object)
        }
    }

    /// Marks to-manys to be read again that may have other members of some entities than before.
    private func unloadToManys(leadingTo roots: Set<Int>) {
        for object in identities.objects where object.hasToManys && !object.isInserted {
            for relation in object.toManys
            where relation.isLoaded && roots.contains(relation.relationship.destination.root.index) {
                relation.unload()
                if !object.isDeleted { noteExternalChange(of: object, as: .updated) }
            }
        }
    }
}

extension ObjectChangeNotice {
    fileprivate var named: [AnyObjectID] { inserted + updated + deleted + refreshed + invalidated }
}
