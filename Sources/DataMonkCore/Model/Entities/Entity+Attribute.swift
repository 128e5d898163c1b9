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
        /// The attributes that make up a composite one, in declaration order.
        public let elements: [Attribute]
        /// Of an element of a composite attribute: its position among the elements. Its slot is then the composite's.
        package let position: Int?
        /// The name as key paths have it: `address.city` for an element.
        package let keyPath: String

        init(
            _ description: AttributeDescription, slot: Int, entity: Entity, position: Int? = nil,
            prefix: String? = nil
        ) {
            self.position = position
            keyPath = prefix.map { "\($0).\(description.name)" } ?? description.name
            elements = description.elements.enumerated().map { position, element in
                Attribute(element, slot: slot, entity: entity, position: position, prefix: description.name)
            }
            self.description = description
            self.name = description.name
            self.type = description.type
            self.slot = slot
            self.isOptional = description.isOptional
            self.isTransient = description.isTransient
            self.isDerived = description.isDerived
            self.entity = entity
        }

        /// The value of a new object, `.null` for none; of a composite attribute its elements' together.
        public var defaultValue: ManagedValue {
            let defaults = elements.filter { !$0.defaultValue.isNull }.map { ($0.name, $0.defaultValue) }
            return defaults.isEmpty
                ? description.defaultValue : .dictionary(Dictionary(defaults, uniquingKeysWith: { first, _ in first }))
        }

        /// The element of a name, nil where there is none.
        func element(named name: some StringProtocol) -> Attribute? { elements.first { $0.name == name } }
    }
}

extension Entity.Attribute: Hashable {
    /// Whether both are the same attribute of the same model.
    public static func == (left: Entity.Attribute, right: Entity.Attribute) -> Bool { left === right }

    /// Hashes the attribute's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
