extension ManagedObjectContext {
    /// Gives new objects their permanent ids before they are saved, in every context of the family that knows them. The
    /// temporary ids still find them.
    ///
    ///     let person = try context.insert(Person.self)
    ///     try context.obtainPermanentIDs(for: [person])
    ///     let uri = person.objectID.uri                   // can be stored now
    ///
    /// The keys are reserved in the store at once and never reused: an object that is not saved in the end leaves a gap.
    /// Objects with permanent ids are ignored.
    ///
    /// - Throws: ``SaveError`` if no store contains an object's entity, ``StoreError`` if a store fails. In both cases,
    ///   the ids are unchanged.
    /// - Complexity: One small transaction for each store.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        requireOwner()
        var changes = ChangeSet()
        var seen: Set<ObjectKey> = []
        for object in objects {
            requireOwn(object)
            // A new object that was deleted needs none.
            guard object.key.isTemporary, object.registration >= 0 else { continue }
            if seen.insert(object.key).inserted { changes.reserved.append(object.key) }
        }
        if changes.reserved.isEmpty { return }
        changes.assigned = root.work.assignments
        endTurn()
        // Nothing here has a version, so there can be no conflict.
        guard case .committed(let receipt) = try coordinator.commit(changes, from: id) else { return }
        root.takePermanentKeys(Dictionary(uniqueKeysWithValues: zip(changes.reserved, receipt.changes.reserved)))
    }
}
