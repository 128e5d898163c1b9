extension SaveError {
    /// The unique values of a batch request belong to another object.
    package static func duplicate(_ constraint: [String], of entity: Entity) -> SaveError {
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
    /// - Parameter error: The error of calls that need a store, if there is none at all.
    static func noStore(for entity: Entity, _ error: StoreError? = nil) -> SaveError {
        SaveError(
            .noStoreForEntity,
            error?.message
                ?? "No store contains \(entity.name). Add a store with a configuration that includes it.",
            entityName: entity.name)
    }
}
