extension FetchError {
    /// A fetch for the first object found none.
    package static func nothingFound(_ entity: Entity) -> FetchError {
        FetchError(
            .objectNotFound,
            """
            No \(entity.name) matches the condition. If that can happen, use first, which returns nil, or \
            fetchOrCreate in an update.
            """, entityName: entity.name)
    }
}

extension FetchError {
    /// An option asks for objects of a different class than the call.
    package static func otherEntity(_ name: String, than entityName: String) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            The fetch is for \(entityName), but one of its options changes it to \(name), which is not a \
            \(entityName). Pass the other class to the call instead.
            """,
            entityName: entityName)
    }

    /// An option asks for different columns than the call.
    package static func otherColumns(_ entityName: String) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            The columns of a query of \(entityName) are passed to the call, but one of its options replaces them. \
            Select all columns in the call.
            """,
            entityName: entityName)
    }
}

extension FetchError {
    /// The model has no entity of this name. Suggests the most similar one.
    package static func unknownEntity(_ name: String, in model: ManagedObjectModel) -> FetchError {
        FetchError(
            .unknownEntity, "The model has no entity \"\(name)\".\(hint(for: name, among: model.entitiesByName.keys))",
            entityName: name)
    }

    static func noProperty(_ key: String, of entity: Entity) -> FetchError {
        FetchError(
            .unknownKey,
            "\(entity.name) has no property \"\(key)\".\(hint(for: key, among: entity.propertiesByName.keys))",
            entityName: entity.name, keyPath: key)
    }

    /// A query's value does not match the requested Swift type.
    package static func wrongResult(
        _ value: ManagedValue, for type: any ManagedAttribute.Type, of entity: Entity
    ) -> FetchError {
        FetchError(
            .typeMismatch,
            "The query of \(entity.name) returns \(value.kind), not \(type). Ask for the type it returns.",
            entityName: entity.name)
    }

    static func noSingleValue(_ key: String, of entity: Entity) -> FetchError {
        FetchError(
            .typeMismatch,
            "\(entity.name).\(key) leads to many objects, so it has no single value. Ask for its objects instead.",
            entityName: entity.name, keyPath: key)
    }

    static func noCollection(_ key: String, of entity: Entity) -> FetchError {
        FetchError(
            .typeMismatch, "\(entity.name).\(key) is not a collection of objects. Ask for its value instead.",
            entityName: entity.name, keyPath: key)
    }

    static func wrongValue(_ value: ManagedValue, for attribute: Entity.Attribute, of entity: Entity) -> FetchError {
        // A number of another kind may fit if it is within the attribute's range.
        let isNumber = ValueKind(value)?.isNumeric == true && attribute.type.isNumeric
        return FetchError(
            .typeMismatch,
            """
            \(entity.name).\(attribute.name) holds \(attribute.type), so \
            \(value.kind)\(isNumber ? " of that size" : "") cannot be stored there.
            """, entityName: entity.name, keyPath: attribute.name)
    }

    static func derivedAttribute(_ attribute: Entity.Attribute) -> FetchError {
        FetchError(
            .derivedAttribute,
            """
            \(attribute.entity.name).\(attribute.name) is a derived attribute, which the store computes on each save. \
            Change the values that it is derived from instead.
            """, entityName: attribute.entity.name, keyPath: attribute.name)
    }

    static func wrongDestination(_ entity: Entity, of relationship: Entity.Relationship) -> FetchError {
        FetchError(
            .typeMismatch,
            """
            \(relationship.entity.name).\(relationship.name) contains objects of \(relationship.destination.name), \
            not of \(entity.name).
            """, entityName: relationship.entity.name, keyPath: relationship.name)
    }

    static func notAnObject(_ value: ManagedValue, for relationship: Entity.Relationship) -> FetchError {
        FetchError(
            .typeMismatch,
            "\(relationship.entity.name).\(relationship.name) holds an object. Pass its id, not \(value.kind).",
            entityName: relationship.entity.name, keyPath: relationship.name)
    }
}

extension FetchError {
    static func noPrimitive(_ relationship: Entity.Relationship) -> FetchError {
        FetchError(
            .typeMismatch,
            """
            \(relationship.entity.name).\(relationship.name) is a relationship, which always changes together with \
            its inverse, so it has no primitive value. Use setValue(_:forKey:), or the property of the class.
            """, entityName: relationship.entity.name, keyPath: relationship.name)
    }

    static func noRelationship(_ key: String, of entity: Entity) -> FetchError {
        let nearest = NearestName.find(key, among: entity.relationships.map(\.name))
        return FetchError(
            .typeMismatch,
            "\(entity.name).\(key) is an attribute, so it does not lead to an object."
                + (nearest.map { " Did you mean the relationship \"\($0)\"?" } ?? " Use value(forKey:)."),
            entityName: entity.name, keyPath: key)
    }
}

extension FetchError {
    /// The entity's objects are not of the requested class.
    package static func wrongClass(_ type: ManagedObject.Type, of entity: Entity) -> FetchError {
        FetchError(
            .wrongClass,
            "Objects of \(entity.name) are not instances of \(type). Set that class for the entity in the model.",
            entityName: entity.name)
    }

    /// The fetch exceeded its deadline.
    static func deadlinePassed(_ entity: Entity) -> FetchError {
        FetchError(
            .deadlinePassed,
            """
            The fetch of \(entity.name) did not finish before its deadline. Fetch less, add an index for its \
            condition, or set a later deadline. The context is still usable.
            """, entityName: entity.name)
    }
}
