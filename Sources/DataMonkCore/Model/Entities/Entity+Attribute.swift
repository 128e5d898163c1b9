extension Entity {
    /// **Shared.** An attribute of a validated model. Sub-entities share it, unless they declare it again.
    public final class Attribute: Sendable {
        /// What the model's author wrote.
        public let description: AttributeDescription
        /// The attribute's name.
        public let name: String
        /// What kind of value it holds.
        public let type: AttributeType
        /// The attribute's place in a row of its entity and of every sub-entity.
        public let slot: Int
        /// Whether nil may be saved.
        public let isOptional: Bool
        /// Whether the attribute has no place in the store.
        public let isTransient: Bool
        /// Whether the store computes the value.
        public let isDerived: Bool
        /// The entity that declares it.
        public let entity: Entity

        init(_ description: AttributeDescription, slot: Int, entity: Entity) {
            self.description = description
            self.name = description.name
            self.type = description.type
            self.slot = slot
            self.isOptional = description.isOptional
            self.isTransient = description.isTransient
            self.isDerived = description.isDerived
            self.entity = entity
        }

        /// The value of a new object, `.null` for none.
        public var defaultValue: ManagedValue { description.defaultValue }
    }
}

extension Entity.Attribute: Hashable {
    /// Whether both are the same attribute of the same model.
    public static func == (left: Entity.Attribute, right: Entity.Attribute) -> Bool { left === right }

    /// Hashes the attribute's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
