extension ModelError {
    /// An abstract entity cannot have objects.
    package static func abstractEntity(_ entity: Entity) -> ModelError {
        ModelError(
            code: .abstractEntity,
            message: """
                \(entity.name) is abstract, so it cannot have objects of its own. Create an object of one of its \
                sub-entities.
                """)
    }

    /// A class is unknown to the model that it is used with.
    package static func unknownClass(_ type: ManagedObject.Type, in model: ManagedObjectModel) -> ModelError {
        ModelError(
            code: .unknownClass,
            message: "The model has no entity for the class \(type). Pass the class when you create the stack.")
    }
}
