import DataMonkCore

/// The errors of rows whose objects cannot be found, made or saved.
extension ImportError {
    static func otherEntity(_ found: Entity, than wanted: Entity) -> ImportError {
        ImportError(
            .invalidRelationship,
            "The object with this key is a \(found.name), and no \(wanted.name). Give the row another key.",
            entityName: wanted.name)
    }

    static func abstractEntity(_ entity: Entity) -> ImportError {
        ImportError(
            .invalidRelationship,
            """
            There is no object with this key, and \(entity.name) is abstract, so that none can be made. Import the \
            sub-entities, or name one by \(ImportNote.className.rawValue) in the relationship's user info.
            """, entityName: entity.name)
    }

    static func membersWithoutKey(_ relationship: Entity.Relationship) -> ImportError {
        ImportError(
            .invalidRelationship,
            """
            The objects of \(relationship.entity.name).\(relationship.name) have no key, so that they cannot be told from those \
            that are there. Name one by \(ImportNote.relatedByAttribute.rawValue) in the user info of \(relationship.destination.name).
            """, entityName: relationship.entity.name, key: relationship.name)
    }

    static func sharedObjectWithoutKey(_ relationship: Entity.Relationship) -> ImportError {
        ImportError(
            .invalidRelationship,
            """
            The object of \(relationship.entity.name).\(relationship.name) has no key, and others lead to it, so that these would \
            change with it. Name a key by \(ImportNote.relatedByAttribute.rawValue) in the user info of \
            \(relationship.destination.name), or leave the object out of the row.
            """, entityName: relationship.entity.name, key: relationship.name)
    }

    static func takenValues(_ values: UniqueValues) -> ImportError {
        let names = values.constraint.names
        return ImportError(
            .invalidValue,
            """
            Another object has a value that must be unique (\(names.joined(separator: ", "))), and another key. Correct the row, or \
            relate the entity by that attribute.
            """, entityName: values.constraint.entity.name)
    }
}
