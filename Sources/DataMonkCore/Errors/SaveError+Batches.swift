extension SaveError {
    /// The unique values of a batch request belong to another object.
    package static func duplicate(_ constraint: [String], _ entity: Entity) -> SaveError {
        let names = constraint.joined(separator: ", ")
        return SaveError(
            .constraintConflict,
            """
            An object of \(entity.name) would have the same \(names.isEmpty ? "unique values" : names) as another one. A \
            batch request knows no merge policy: nothing of it was written. Give each object values of its own.
            """, entityName: entity.name)
    }

    /// No store contains the entity.
    ///
    /// - Parameter isOpen: Whether the stack has any store.
    static func noStore(for entity: Entity, isOpen: Bool) -> SaveError {
        let problem =
            isOpen
            ? "No store holds \(entity.name). Add a store with a configuration that has it."
            : "The stack has no open store for \(entity.name). Add one first, and close the stack last."
        return SaveError(.noStoreForEntity, problem, entityName: entity.name)
    }
}
