extension ModelError {
    /// **Value.** One error in a model: its kind, its place, and its remedy.
    public struct Problem: Sendable, Hashable {
        /// The kind of error.
        public var kind: Kind
        /// The entity concerned; `nil` if the error concerns the model as a whole.
        public var entityName: String?
        /// The property, index or constraint concerned.
        public var propertyName: String?
        /// A description of the error and its remedy.
        public var message: String

        /// Creates a problem.
        public init(kind: Kind, entityName: String? = nil, propertyName: String? = nil, message: String) {
            self.kind = kind
            self.entityName = entityName
            self.propertyName = propertyName
            self.message = message
        }
    }
}

extension ModelError.Problem: CustomStringConvertible {
    /// The place and the message, such as `Person.friend: …`.
    public var description: String {
        let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

extension ModelError.Problem {
    /// **Value.** The kind of an error in a model. Open: later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The kind as a string.
        public var rawValue: String

        /// Creates a kind from a string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The model has no entities.
        public static let noEntities = Kind(rawValue: "noEntities")
        /// Two entities, properties, indexes or templates have the same name.
        public static let duplicateName = Kind(rawValue: "duplicateName")
        /// A name is empty, too long, or not an identifier.
        public static let illegalName = Kind(rawValue: "illegalName")
        /// A name is reserved by managed objects.
        public static let reservedName = Kind(rawValue: "reservedName")
        /// Two names differ only in case, which stores do not distinguish.
        public static let caseCollision = Kind(rawValue: "caseCollision")
        /// The superentity does not exist.
        public static let unknownSuperentity = Kind(rawValue: "unknownSuperentity")
        /// An entity inherits from itself, directly or through others.
        public static let inheritanceCycle = Kind(rawValue: "inheritanceCycle")
        /// A sub-entity declares a property again in a different way.
        public static let incompatibleOverride = Kind(rawValue: "incompatibleOverride")
        /// The destination of a relationship does not exist.
        public static let unknownDestination = Kind(rawValue: "unknownDestination")
        /// The inverse of a relationship does not exist at its destination.
        public static let unknownInverse = Kind(rawValue: "unknownInverse")
        /// The inverse belongs to the entity itself, not to the destination.
        public static let inverseOnWrongSide = Kind(rawValue: "inverseOnWrongSide")
        /// The two sides of a relationship do not name each other.
        public static let inverseMismatch = Kind(rawValue: "inverseMismatch")
        /// The minimum or maximum count is impossible.
        public static let invalidCount = Kind(rawValue: "invalidCount")
        /// The delete rule cannot be carried out.
        public static let invalidDeleteRule = Kind(rawValue: "invalidDeleteRule")
        /// An attribute has a type that stores do not support, or lacks something that its type requires.
        public static let invalidType = Kind(rawValue: "invalidType")
        /// The attribute's type does not support an option.
        public static let invalidOption = Kind(rawValue: "invalidOption")
        /// A default value has the wrong type, or is outside the attribute's range.
        public static let invalidDefault = Kind(rawValue: "invalidDefault")
        /// A bound has the wrong type, or the lower bound is above the upper one.
        public static let invalidBounds = Kind(rawValue: "invalidBounds")
        /// A regular expression is invalid.
        public static let invalidRegularExpression = Kind(rawValue: "invalidRegularExpression")
        /// A validation predicate refers to something other than its attribute's value, or compares it with an impossible
        /// value.
        public static let invalidValidationPredicate = Kind(rawValue: "invalidValidationPredicate")
        /// A derived attribute has an invalid derivation.
        public static let invalidDerivation = Kind(rawValue: "invalidDerivation")
        /// A uniqueness constraint includes a property that does not support it.
        public static let invalidUniqueness = Kind(rawValue: "invalidUniqueness")
        /// An index includes a property that cannot be indexed.
        public static let invalidIndex = Kind(rawValue: "invalidIndex")
        /// A managed object class declares no entity.
        public static let missingEntity = Kind(rawValue: "missingEntity")
        /// A class belongs to two entities.
        public static let duplicateClass = Kind(rawValue: "duplicateClass")
        /// A class does not inherit from the class of the superentity.
        public static let classMismatch = Kind(rawValue: "classMismatch")
        /// A class and its entity describe a property differently.
        public static let propertyMismatch = Kind(rawValue: "propertyMismatch")
        /// A configuration contains an entity that does not exist.
        public static let unknownConfigurationMember = Kind(rawValue: "unknownConfigurationMember")
        /// A fetch request is for an entity that does not exist.
        public static let unknownFetchEntity = Kind(rawValue: "unknownFetchEntity")
        /// There are more entities, properties or levels than an object key can represent.
        public static let tooMany = Kind(rawValue: "tooMany")
    }
}
