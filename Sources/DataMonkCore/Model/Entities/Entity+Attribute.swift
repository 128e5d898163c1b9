extension Entity {
    /// **Shared.** An attribute of a validated model. Sub-entities share it, unless they redeclare it.
    public final class Attribute: Sendable {
        /// The author's description.
        public let description: AttributeDescription
        /// The attribute's name.
        public let name: String
        /// The type of the attribute's value.
        public let type: AttributeType
        /// The attribute's slot in a row of its entity and of every sub-entity.
        public let slot: Int
        /// A Boolean value indicating whether `nil` may be saved.
        public let isOptional: Bool
        /// A Boolean value indicating whether the attribute is not in the store.
        public let isTransient: Bool
        /// A Boolean value indicating whether the store computes the value.
        public let isDerived: Bool
        /// A Boolean value indicating whether the attribute's text is the JSON of a `Codable` value.
        public let isCodable: Bool
        /// The entity that declares the attribute.
        public let entity: Entity
        /// The attributes of a composite attribute, in declaration order.
        public let elements: [Attribute]
        /// The position of this attribute among the elements of a composite attribute, whose slot it shares, or `nil` if it
        /// is not an element.
        package let position: Int?
        /// The name as key paths spell it: `address.city` for an element.
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
            isCodable = description.isCodable
            self.entity = entity
        }

        /// The value in a new object, or `.null` if there is none. For a composite attribute, the values of its elements
        /// together.
        public var defaultValue: ManagedValue {
            let defaults = elements.filter { !$0.defaultValue.isNull }.map { ($0.name, $0.defaultValue) }
            return defaults.isEmpty
                ? description.defaultValue : .dictionary(Dictionary(defaults, uniquingKeysWith: { first, _ in first }))
        }

        /// Returns the element with a name, or `nil` if there is none.
        func element(named name: some StringProtocol) -> Attribute? { elements.first { $0.name == name } }
    }
}

extension Entity.Attribute: Hashable {
    /// Returns `true` if both are the same attribute of the same model.
    public static func == (left: Entity.Attribute, right: Entity.Attribute) -> Bool { left === right }

    /// Hashes the attribute's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
