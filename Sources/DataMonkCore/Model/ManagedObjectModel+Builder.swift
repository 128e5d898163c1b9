extension ManagedObjectModel {
    /// Validates and resolves the entities that a closure lists.
    ///
    /// - Throws: `ModelError` with every problem of the model.
    public convenience init(
        configurations: [String: [String]] = [:], fetchRequestTemplates: [FetchRequestTemplate] = [],
        versionIdentifiers: [String] = [], @EntitiesBuilder entities: () -> [EntityDescription]
    ) throws(ModelError) {
        try self.init(
            entities: entities(), configurations: configurations, fetchRequestTemplates: fetchRequestTemplates,
            versionIdentifiers: versionIdentifiers)
    }

    /// **Value.** Collects the entities that a closure lists.
    @resultBuilder
    public enum EntitiesBuilder {
        /// Adds an entity.
        public static func buildExpression(_ entity: EntityDescription) -> [EntityDescription] { [entity] }

        /// Adds several entities.
        public static func buildExpression(_ entities: [EntityDescription]) -> [EntityDescription] { entities }

        /// Joins the entities of all lines.
        public static func buildBlock(_ parts: [EntityDescription]...) -> [EntityDescription] { parts.flatMap(\.self) }

        /// Adds the entities of an `if` without `else`.
        public static func buildOptional(_ part: [EntityDescription]?) -> [EntityDescription] { part ?? [] }

        /// Adds the entities of the first branch.
        public static func buildEither(first part: [EntityDescription]) -> [EntityDescription] { part }

        /// Adds the entities of the second branch.
        public static func buildEither(second part: [EntityDescription]) -> [EntityDescription] { part }

        /// Adds the entities of a loop.
        public static func buildArray(_ parts: [[EntityDescription]]) -> [EntityDescription] { parts.flatMap(\.self) }
    }
}
