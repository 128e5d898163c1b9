extension FetchError {
    static func objectNotFound(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .objectNotFound,
            "There is no \(id.entityName) with the id \(id) any more. Fetch again, or treat it as deleted.",
            entityName: id.entityName, objectID: id)
    }

    static func foreignID(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .invalidRequest, "The id \(id) belongs to another stack. Pass its uri and let this stack find the object.",
            entityName: id.entityName, objectID: id)
    }

    static func selectionAcrossStores(_ entity: Entity) -> FetchError {
        FetchError(
            .unsupportedByStore,
            """
            \(entity.name) lies in several stores, and a query of values runs in one. Fetch the objects, or keep the \
            entity in one store's configuration.
            """, entityName: entity.name)
    }

    static func wrongClass(_ type: ManagedObject.Type, _ entity: Entity) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            The objects of \(entity.name) are of \(entity.managedObjectClass ?? ManagedObject.self), not of \(type). Ask \
            for that class, or for one it inherits from.
            """, entityName: entity.name)
    }

    /// The first object of a fetch that found none.
    package static func nothingFound(_ entity: Entity) -> FetchError {
        FetchError(
            .objectNotFound,
            """
            No \(entity.name) meets the condition. Use fetchAll(…).first where that may be, or fetchOrCreate in an update.
            """, entityName: entity.name)
    }
}
