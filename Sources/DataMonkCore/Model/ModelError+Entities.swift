extension ModelError {
    /// An abstract entity cannot have objects.
    package static func abstractEntity(_ entity: Entity) -> ModelError {
        ModelError(
            code: .abstractEntity,
            message: "\(entity.name) is abstract: it has no objects of its own. Create one of a sub-entity.")
    }

    /// A class is unknown to the model that it is used with.
    package static func unknownClass(_ type: ManagedObject.Type, in model: ManagedObjectModel) -> ModelError {
        ModelError(
            code: .unknownClass,
            message: "The model has no entity for the class \(type). Name the class when the stack is made.")
    }
}
