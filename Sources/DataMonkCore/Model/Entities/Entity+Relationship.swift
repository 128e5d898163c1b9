extension Entity {
    // Unchecked: inverses point at each other, so one link of the two cannot be `let`; see who writes below.
    /// **Shared.** A relationship of a validated model, with its destination and inverse. Sub-entities share it, unless
    /// they declare it again.
    ///
    /// Written by `EntityResolver` alone, before the model is handed out.
    public final class Relationship: @unchecked Sendable {
        /// What the model's author wrote, the inverse's name filled in.
        public let description: RelationshipDescription
        /// The relationship's name.
        public let name: String
        /// The relationship's place in a row of its entity and of every sub-entity. A to-many's place stays unused.
        public let slot: Int
        /// Whether it leads to a collection of objects.
        public let isToMany: Bool
        /// A Boolean value indicating whether the collection keeps its order. Core Data accepts the mark on a to-one, where
        /// it means nothing.
        public let isOrdered: Bool
        /// Whether it may be empty when it is saved.
        public let isOptional: Bool
        /// Whether it has no place in the store.
        public let isTransient: Bool
        /// What happens to the destinations when the object is deleted.
        public let deleteRule: DeleteRule
        /// The entity that declares it.
        public let entity: Entity
        /// The entity of the objects at the other end, or their superentity.
        public let destination: Entity
        // Unchecked exclusivity: nobody writes after the model is built.
        /// The relationship that is kept equal to this one, nil when there is none. It may be the relationship itself.
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

        /// The smallest number of objects when it is not empty.
        public var minCount: Int { description.minCount }

        /// The largest number of objects; 0 or less for no bound.
        public var maxCount: Int { description.maxCount }

        /// Whether both sides are to-many, so that links live in a table of their own.
        public var isManyToMany: Bool { isToMany && inverse?.isToMany == true }
    }
}

extension Entity.Relationship: Hashable {
    /// Whether both are the same relationship of the same model.
    public static func == (left: Entity.Relationship, right: Entity.Relationship) -> Bool { left === right }

    /// Hashes the relationship's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
