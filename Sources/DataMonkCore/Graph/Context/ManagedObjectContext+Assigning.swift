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
    ///   entity, or if the object is already in a store or has a permanent id; ``FetchError`` if it has left the context.
    ///   In these cases, nothing has been assigned.
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
        let index = try coordinator.storeIndex(at: url)
        guard coordinator.holds(coordinator.stores[index], entity) else {
            throw SaveError(
                .noStoreForEntity,
                "The store does not contain \(entity.name). Choose a store whose configuration includes it.",
                entityName: entity.name,
                objectID: object.anyObjectID)
        }
        root.work.assignments[object.key] = index
    }
}
