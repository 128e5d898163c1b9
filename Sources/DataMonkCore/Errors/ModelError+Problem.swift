extension ModelError {
    /// **Value.** One fault of a model: what is wrong, where, and what to do.
    public struct Problem: Sendable, Hashable {
        /// What is wrong.
        public var kind: Kind
        /// The entity it concerns, nil when it concerns the model as a whole.
        public var entityName: String?
        /// The property, index or constraint it concerns.
        public var propertyName: String?
        /// What is wrong and what to do.
        public var message: String

        /// Describes a fault.
        public init(kind: Kind, entityName: String? = nil, propertyName: String? = nil, message: String) {
            self.kind = kind
            self.entityName = entityName
            self.propertyName = propertyName
            self.message = message
        }
    }
}

extension ModelError.Problem: CustomStringConvertible {
    /// Where and what, such as `Person.friend: …`.
    public var description: String {
        let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

extension ModelError.Problem {
    /// **Value.** What can be wrong with a model. Open: later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The kind as text.
        public var rawValue: String

        /// A kind from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The model has no entities.
        public static let noEntities = Kind(rawValue: "noEntities")
        /// Two entities, properties, indexes or templates have one name.
        public static let duplicateName = Kind(rawValue: "duplicateName")
        /// A name is empty, too long, or not an identifier.
        public static let illegalName = Kind(rawValue: "illegalName")
        /// A name belongs to managed objects themselves.
        public static let reservedName = Kind(rawValue: "reservedName")
        /// Two names differ in case only; stores do not tell them apart.
        public static let caseCollision = Kind(rawValue: "caseCollision")
        /// The superentity does not exist.
        public static let unknownSuperentity = Kind(rawValue: "unknownSuperentity")
        /// An entity inherits from itself, directly or through others.
        public static let inheritanceCycle = Kind(rawValue: "inheritanceCycle")
        /// A property is declared again in a sub-entity, in another way.
        public static let incompatibleOverride = Kind(rawValue: "incompatibleOverride")
        /// The destination of a relationship does not exist.
        public static let unknownDestination = Kind(rawValue: "unknownDestination")
        /// The inverse of a relationship does not exist at its destination.
        public static let unknownInverse = Kind(rawValue: "unknownInverse")
        /// The inverse belongs to the entity itself, not to the destination.
        public static let inverseOnWrongSide = Kind(rawValue: "inverseOnWrongSide")
        /// The two sides of a relationship do not name each other.
        public static let inverseMismatch = Kind(rawValue: "inverseMismatch")
        /// Counts that no collection can have.
        public static let invalidCount = Kind(rawValue: "invalidCount")
        /// A delete rule that cannot do its work.
        public static let invalidDeleteRule = Kind(rawValue: "invalidDeleteRule")
        /// An attribute of a type that a store cannot keep, or a type without what it needs.
        public static let invalidType = Kind(rawValue: "invalidType")
        /// An option that the attribute's type does not have.
        public static let invalidOption = Kind(rawValue: "invalidOption")
        /// A default value of another type, or outside the attribute's range.
        public static let invalidDefault = Kind(rawValue: "invalidDefault")
        /// A bound of another type, or a lower bound above the upper one.
        public static let invalidBounds = Kind(rawValue: "invalidBounds")
        /// A regular expression that is none.
        public static let invalidRegularExpression = Kind(rawValue: "invalidRegularExpression")
        /// A validation predicate that is not about its attribute's value alone, or compares it with what it cannot be.
        public static let invalidValidationPredicate = Kind(rawValue: "invalidValidationPredicate")
        /// A derived attribute that cannot be derived.
        public static let invalidDerivation = Kind(rawValue: "invalidDerivation")
        /// A uniqueness constraint over something that cannot be unique.
        public static let invalidUniqueness = Kind(rawValue: "invalidUniqueness")
        /// An index over something that cannot be indexed.
        public static let invalidIndex = Kind(rawValue: "invalidIndex")
        /// A class of managed objects that declares no entity.
        public static let missingEntity = Kind(rawValue: "missingEntity")
        /// A class that stands for two entities.
        public static let duplicateClass = Kind(rawValue: "duplicateClass")
        /// A class that does not descend from the class of the superentity.
        public static let classMismatch = Kind(rawValue: "classMismatch")
        /// A property that a class and its entity describe differently.
        public static let propertyMismatch = Kind(rawValue: "propertyMismatch")
        /// A configuration with an entity that does not exist.
        public static let unknownConfigurationMember = Kind(rawValue: "unknownConfigurationMember")
        /// A fetch of an entity that does not exist.
        public static let unknownFetchEntity = Kind(rawValue: "unknownFetchEntity")
        /// More entities, properties or levels than an object's key has room for.
        public static let tooMany = Kind(rawValue: "tooMany")
    }
}
