extension SaveError {
    /// The unique values of a batch request belong to another object.
    package static func duplicate(_ constraint: [String], _ entity: Entity) -> SaveError {
        let names = constraint.joined(separator: ", ")
        return SaveError(
            .constraintConflict,
            """
            An object of \(entity.name) would have the same \(names.isEmpty ? "unique values" : names) as another \
            one. Batch requests do not apply a merge policy, so nothing was written. Give each object unique values.
            """, entityName: entity.name)
    }

    /// No store contains the entity.
    ///
    /// - Parameter isOpen: Whether the stack has any store.
    static func noStore(for entity: Entity, isOpen: Bool) -> SaveError {
        let problem =
            isOpen
            ? "No store contains \(entity.name). Add a store with a configuration that includes it."
            : "The stack has no open store for \(entity.name). Add one first, and close the stack last."
        return SaveError(.noStoreForEntity, problem, entityName: entity.name)
    }
}
