extension Entity {
    // Unchecked: inverses refer to each other, so one of the two references cannot be `let`. See below for its only writer.
    /// **Shared.** A relationship of a validated model, with its destination and inverse. Sub-entities share it, unless
    /// they redeclare it.
    ///
    /// Only `EntityResolver` writes it, before the model is handed out.
    public final class Relationship: @unchecked Sendable {
        /// The author's description, with the inverse's name added.
        public let description: RelationshipDescription
        /// The relationship's name.
        public let name: String
        /// The relationship's slot in a row of its entity and of every sub-entity. The slot of a to-many is unused.
        public let slot: Int
        /// A Boolean value indicating whether the relationship leads to a collection of objects.
        public let isToMany: Bool
        /// A Boolean value indicating whether the collection keeps its order. Core Data accepts the flag on a to-one, where
        /// it has no effect.
        public let isOrdered: Bool
        /// A Boolean value indicating whether the relationship may be empty when it is saved.
        public let isOptional: Bool
        /// A Boolean value indicating whether the relationship is not in the store.
        public let isTransient: Bool
        /// The effect of deleting the object on the destinations.
        public let deleteRule: DeleteRule
        /// The entity that declares the relationship.
        public let entity: Entity
        /// The entity of the destinations, or their superentity.
        public let destination: Entity
        // Unchecked exclusivity: nobody writes after the model is built.
        /// The relationship that mirrors this one, or `nil` if there is none. It may be the relationship itself.
        @exclusivity(unchecked) public internal(set) var inverse: Relationship?

        init(_ description: RelationshipDescription, slot: Int, entity: Entity, destination: Entity) {
            self.description = description
            self.name = description.name
            self.slot = slot
            self.isToMany = description.isToMany
            self.isOrdered = description.isOrdered && description.isToMany
            self.isOptional = description.isOptional
            self.isTransient = description.isTransient
            self.deleteRule = description.deleteRule
            self.entity = entity
            self.destination = destination
        }

        /// The minimum number of objects unless the relationship is empty.
        public var minCount: Int { description.minCount }

        /// The maximum number of objects; 0 or less for no bound.
        public var maxCount: Int { description.maxCount }

        /// A Boolean value indicating whether both sides are to-many, so that a separate table holds the links.
        public var isManyToMany: Bool { isToMany && inverse?.isToMany == true }

        /// Indicates whether it is a one-to-many whose members do not know their owner.
        var isOwnedByOneSideAlone: Bool { inverse == nil && isToMany && !isTransient }
    }
}

extension Entity.Relationship: Hashable {
    /// Returns `true` if both are the same relationship of the same model.
    public static func == (left: Entity.Relationship, right: Entity.Relationship) -> Bool { left === right }

    /// Hashes the relationship's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
