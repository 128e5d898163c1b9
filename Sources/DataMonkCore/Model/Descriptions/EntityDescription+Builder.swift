extension EntityDescription {
    /// Creates a description of an entity, with its properties in a closure.
    public init(
        _ name: String, managedObjectClass: ManagedObject.Type? = nil, superentityName: String? = nil,
        isAbstract: Bool = false, uniquenessConstraints: [[String]] = [], indexes: [FetchIndexDescription] = [],
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil, userInfo: [String: String] = [:],
        @PropertiesBuilder properties: () -> [PropertyDescription]
    ) {
        self.init(
            name, managedObjectClass: managedObjectClass, superentityName: superentityName, isAbstract: isAbstract,
            properties: properties(), uniquenessConstraints: uniquenessConstraints, indexes: indexes,
            renamingIdentifier: renamingIdentifier, versionHashModifier: versionHashModifier, userInfo: userInfo)
    }

    /// **Value.** Collects the properties that a closure lists.
    @resultBuilder
    public enum PropertiesBuilder {
        /// Adds an attribute.
        public static func buildExpression(_ attribute: AttributeDescription) -> [PropertyDescription] {
            [.attribute(attribute)]
        }

        /// Adds a relationship.
        public static func buildExpression(_ relationship: RelationshipDescription) -> [PropertyDescription] {
            [.relationship(relationship)]
        }

        /// Adds a fetched property.
        public static func buildExpression(_ property: FetchedPropertyDescription) -> [PropertyDescription] {
            [.fetched(property)]
        }

        /// Adds a property of any kind.
        public static func buildExpression(_ property: PropertyDescription) -> [PropertyDescription] { [property] }

        /// Adds several properties.
        public static func buildExpression(_ properties: [PropertyDescription]) -> [PropertyDescription] { properties }

        /// Joins the properties of all lines.
        public static func buildBlock(_ parts: [PropertyDescription]...) -> [PropertyDescription] {
            parts.flatMap(\.self)
        }

        /// Adds the properties of an `if` without `else`.
        public static func buildOptional(_ part: [PropertyDescription]?) -> [PropertyDescription] { part ?? [] }

        /// Adds the properties of the first branch.
        public static func buildEither(first part: [PropertyDescription]) -> [PropertyDescription] { part }

        /// Adds the properties of the second branch.
        public static func buildEither(second part: [PropertyDescription]) -> [PropertyDescription] { part }

        /// Adds the properties of a loop.
        public static func buildArray(_ parts: [[PropertyDescription]]) -> [PropertyDescription] {
            parts.flatMap(\.self)
        }
    }
}
