public import Foundation

extension ManagedObjectContext {
    /// Assigns a new object to one of the stores that contain its entity. By default, an object goes to the first of
    /// them.
    ///
    ///     let draft = try context.insert(Message.self)
    ///     try context.assign(draft, toStoreAt: archiveURL)
    ///
    /// - Parameter url: The location of the store; `nil` for the store in memory.
    /// - Throws: ``StoreError`` if there is no such store; ``SaveError`` if the store does not contain the object's
    ///   entity, or if the object is already in a store, has a permanent id or is being committed by a draft; ``FetchError``
    ///   if it has left the context. In these cases, nothing has been assigned.
    public func assign(_ object: ManagedObject, toStoreAt url: URL? = nil) throws {
        requireOwner()
        requireOwn(object)
        try object.requireMembership()
        let entity = object.entity
        guard object.isInserted, object.key.isTemporary else {
            throw SaveError(
                .alreadyStored,
                """
                This \(entity.name) already belongs to a store. Assign an object while it is new, before its \
                permanent id is requested.
                """, entityName: entity.name, objectID: object.anyObjectID)
        }
        if root.work.firstCommitting([object.key]) != nil { throw SaveError.alreadyCommitting(object) }
        let index = try coordinator.storeIndex(at: url)
        guard coordinator.holds(coordinator.stores[index], entity: entity) else {
            throw SaveError(
                .noStoreForEntity,
                "The store does not contain \(entity.name). Choose a store whose configuration includes it.",
                entityName: entity.name,
                objectID: object.anyObjectID)
        }
        root.work.assign(object.key, toStoreAt: index)
    }
}

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
    /// - Throws: ``SaveError`` if no store contains an object's entity, or with the code `savedWhileSaving` if a draft is
    ///   committing the object, which gives it its id; ``StoreError`` if a store fails. In each case, the ids are unchanged.
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
        if let object = root.work.firstCommitting(seen) { throw SaveError.alreadyCommitting(object) }
        changes.assigned = root.work.assignments
        endTurn()
        // Nothing here has a version, so there can be no conflict.
        guard case .committed(let commit, _) = try coordinator.commit(changes, from: id) else { return }
        root.takePermanentKeys(Dictionary(uniqueKeysWithValues: zip(changes.reserved, commit.changes.reserved)))
    }
}
