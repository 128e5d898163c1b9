extension ManagedObjectContext {
    /// Gives new objects their permanent ids before they are saved, in every context of the family that knows them; the
    /// temporary ids go on finding them.
    ///
    ///     let person = try context.insert(Person.self)
    ///     try context.obtainPermanentIDs(for: [person])
    ///     let uri = person.objectID.uri                   // may be written down now
    ///
    /// The store takes the keys at once, and they are never given again: an object that is not saved in the end leaves a
    /// gap. Objects that have permanent ids are passed over.
    ///
    /// - Throws: ``SaveError`` if no store holds an object's entity, ``StoreError`` if a store fails; every id is as it
    ///   was then.
    /// - Complexity: one small transaction for each store.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        requireOwner()
        var changes = ChangeSet()
        var seen: Set<ObjectKey> = []
        for object in objects {
            requireOwn(object)
            // One that is gone, deleted before it was ever saved, needs none.
            guard object.key.isTemporary, object.registration >= 0 else { continue }
            if seen.insert(object.key).inserted { changes.reserved.append(object.key) }
        }
        if changes.reserved.isEmpty { return }
        changes.assigned = root.assignments
        endTurn()
        // Nothing that has a version: there can be no conflict.
        guard case .committed(let receipt) = try coordinator.commit(changes, from: id) else { return }
        root.takePermanentKeys(Dictionary(uniqueKeysWithValues: zip(changes.reserved, receipt.changes.reserved)))
    }
}
