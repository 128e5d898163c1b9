extension Entity {
    /// **Shared.** An attribute or a relationship of an entity.
    public enum Property: Sendable, Hashable {
        /// A value that the object holds.
        case attribute(Attribute)
        /// A relationship to other objects.
        case relationship(Relationship)

        /// The property's name.
        public var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }

        /// The property's slot in a row of the entity and of every sub-entity.
        public var slot: Int {
            switch self {
            case .attribute(let attribute): attribute.slot
            case .relationship(let relationship): relationship.slot
            }
        }

        /// A Boolean value indicating whether the property is not in the store.
        public var isTransient: Bool {
            switch self {
            case .attribute(let attribute): attribute.isTransient
            case .relationship(let relationship): relationship.isTransient
            }
        }

        /// A Boolean value indicating whether the property may be empty when it is saved.
        public var isOptional: Bool {
            switch self {
            case .attribute(let attribute): attribute.isOptional
            case .relationship(let relationship): relationship.isOptional
            }
        }

        /// The attribute, or `nil` for a relationship.
        public var attribute: Attribute? { if case .attribute(let attribute) = self { attribute } else { nil } }

        /// The relationship, or `nil` for an attribute.
        public var relationship: Relationship? {
            if case .relationship(let relationship) = self { relationship } else { nil }
        }
    }
}
