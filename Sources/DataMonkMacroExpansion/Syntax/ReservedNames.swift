#if Macros
    /// **Value.** The names that managed objects use themselves. The model refuses them as well, when the program runs.
    enum ReservedNames {
        static let all: Set<String> = [
            "anyObjectID", "awakeFromFetch", "awakeFromInsert", "changedValues", "class", "committedValues",
            "debugDescription",
            "description", "didSave", "didTurnIntoFault", "entity", "entityDeclaration", "faultingState", "hasChanges",
            "hasPersistentChangedValues", "hash", "init", "isDeleted", "isFault", "isInserted", "isUpdated",
            "managedObjectContext", "objectID", "observationInfo", "prepareForDeletion", "self", "superclass",
            "validateForDelete", "validateForInsert", "validateForUpdate", "willSave", "willTurnIntoFault",
        ]
    }
#endif
