extension ModelError {
    /// One error in a model: its kind, its place, and its remedy.
    public typealias Problem = LocatedProblem<ProblemKind>

    /// **Value.** The kind of an error in a model. Open: later versions may add kinds.
    public struct ProblemKind: RawRepresentable, Sendable, Hashable {
        /// The kind as a string.
        public var rawValue: String

        /// Creates a kind from a string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The model has no entities.
        public static let noEntities = ProblemKind(rawValue: "noEntities")
        /// Two entities, properties, indexes or templates have the same name.
        public static let duplicateName = ProblemKind(rawValue: "duplicateName")
        /// A name is empty, too long, or not an identifier.
        public static let illegalName = ProblemKind(rawValue: "illegalName")
        /// A name is reserved by managed objects.
        public static let reservedName = ProblemKind(rawValue: "reservedName")
        /// Two names differ only in case, which stores do not distinguish.
        public static let caseCollision = ProblemKind(rawValue: "caseCollision")
        /// The superentity does not exist.
        public static let unknownSuperentity = ProblemKind(rawValue: "unknownSuperentity")
        /// An entity inherits from itself, directly or through others.
        public static let inheritanceCycle = ProblemKind(rawValue: "inheritanceCycle")
        /// A sub-entity declares a property again in a different way.
        public static let incompatibleOverride = ProblemKind(rawValue: "incompatibleOverride")
        /// The destination of a relationship does not exist.
        public static let unknownDestination = ProblemKind(rawValue: "unknownDestination")
        /// The inverse of a relationship does not exist at its destination.
        public static let unknownInverse = ProblemKind(rawValue: "unknownInverse")
        /// The inverse belongs to the entity itself, not to the destination.
        public static let inverseOnWrongSide = ProblemKind(rawValue: "inverseOnWrongSide")
        /// The two sides of a relationship do not name each other.
        public static let inverseMismatch = ProblemKind(rawValue: "inverseMismatch")
        /// The minimum or maximum count is impossible.
        public static let invalidCount = ProblemKind(rawValue: "invalidCount")
        /// The delete rule cannot be carried out.
        public static let invalidDeleteRule = ProblemKind(rawValue: "invalidDeleteRule")
        /// An attribute has a type that stores do not support, or lacks something that its type requires.
        public static let invalidType = ProblemKind(rawValue: "invalidType")
        /// The attribute's type does not support an option.
        public static let invalidOption = ProblemKind(rawValue: "invalidOption")
        /// A default value has the wrong type, or is outside the attribute's range.
        public static let invalidDefault = ProblemKind(rawValue: "invalidDefault")
        /// A bound has the wrong type, or the lower bound is above the upper one.
        public static let invalidBounds = ProblemKind(rawValue: "invalidBounds")
        /// A regular expression is invalid.
        public static let invalidRegularExpression = ProblemKind(rawValue: "invalidRegularExpression")
        /// A validation predicate refers to something other than its attribute's value, or compares it with an impossible
        /// value.
        public static let invalidValidationPredicate = ProblemKind(rawValue: "invalidValidationPredicate")
        /// A derived attribute has an invalid derivation.
        public static let invalidDerivation = ProblemKind(rawValue: "invalidDerivation")
        /// A uniqueness constraint includes a property that does not support it.
        public static let invalidUniqueness = ProblemKind(rawValue: "invalidUniqueness")
        /// An index includes a property that cannot be indexed.
        public static let invalidIndex = ProblemKind(rawValue: "invalidIndex")
        /// A managed object class declares no entity.
        public static let missingEntity = ProblemKind(rawValue: "missingEntity")
        /// A class belongs to two entities.
        public static let duplicateClass = ProblemKind(rawValue: "duplicateClass")
        /// A class does not inherit from the class of the superentity.
        public static let classMismatch = ProblemKind(rawValue: "classMismatch")
        /// A class and its entity describe a property differently.
        public static let propertyMismatch = ProblemKind(rawValue: "propertyMismatch")
        /// A configuration contains an entity that does not exist.
        public static let unknownConfigurationMember = ProblemKind(rawValue: "unknownConfigurationMember")
        /// A fetch request is for an entity that does not exist.
        public static let unknownFetchEntity = ProblemKind(rawValue: "unknownFetchEntity")
        /// There are more entities, properties or levels than an object key can represent.
        public static let tooMany = ProblemKind(rawValue: "tooMany")
    }
}
