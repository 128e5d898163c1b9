/// **Value.** Why a save did not happen. Every change is still there: mend what is wrong and save again.
///
///     do {
///         try update.commit()
///     } catch let error as SaveError where error.code == .mergeConflict {
///         for conflict in error.conflicts { print(conflict.objectID) }
///     }
public struct SaveError: Error, Sendable {
    /// **Value.** What went wrong; Core Data's number where there is one. Open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// A code from its number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Several objects or properties are not valid: see ``SaveError/validationProblems``.
        public static let multipleValidationErrors = Code(rawValue: 1560)
        /// A mandatory property holds no value.
        public static let missingMandatoryProperty = Code(rawValue: 1570)
        /// A relationship holds fewer objects than its least count.
        public static let relationshipLacksMinimumCount = Code(rawValue: 1580)
        /// A relationship holds more objects than its greatest count.
        public static let relationshipExceedsMaximumCount = Code(rawValue: 1590)
        /// An object may not be deleted while a relationship with the rule deny has a destination.
        public static let relationshipDeniedDelete = Code(rawValue: 1600)
        /// `willSave` went on changing objects for ever.
        public static let willSaveDoesNotSettle = Code(rawValue: 1_000_001)
        /// A link leads from one store into another.
        public static let linkBetweenStores = Code(rawValue: 1_000_002)
        /// No store holds the entity.
        public static let noStoreForEntity = Code(rawValue: 1_000_003)
        /// Somebody else changed the objects since they were read.
        public static let mergeConflict = Code(rawValue: 133_020)
        /// Two objects have the same value where it must be unique.
        public static let constraintConflict = Code(rawValue: 133_021)
        /// The save was taken back before it began.
        public static let cancelled = Code(rawValue: 3072)
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do, in words.
    public let message: String
    /// The name of the entity concerned, if it is one.
    public let entityName: String?
    /// The object concerned, if it is one.
    public let objectID: AnyObjectID?
    /// Everything that is not valid, in the order of the objects' changes.
    public let validationProblems: [ValidationProblem]
    /// Every object that somebody else has changed.
    public let conflicts: [MergeConflict]
    /// What the store said, if it was the store.
    public let underlyingError: (any Error)?

    package init(
        _ code: Code, _ message: String, entityName: String? = nil, objectID: AnyObjectID? = nil,
        validationProblems: [ValidationProblem] = [], conflicts: [MergeConflict] = [],
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.entityName = entityName
        self.objectID = objectID
        self.validationProblems = validationProblems
        self.conflicts = conflicts
        self.underlyingError = underlyingError
    }
}

extension SaveError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

/// **Value.** One property of one object that may not be saved as it is.
public struct ValidationProblem: Sendable {
    /// What is wrong.
    public let code: SaveError.Code
    /// The object.
    public let objectID: AnyObjectID
    /// The property; nil if the object as a whole is not valid.
    public let key: String?
    /// What is wrong and what to do, in words.
    public let message: String
}

/// **Value.** One object that was changed here and, since it was read, by somebody else.
public struct MergeConflict: Sendable {
    /// The object.
    public let objectID: AnyObjectID
    /// The version that the changes started from.
    public let baseVersion: Int64
    /// The version in the store; nil if the object was deleted there.
    public let storedVersion: Int64?
    /// The properties' values that the changes started from, by name.
    public let baseValues: [String: ManagedValue]
    /// The properties' values in the store, by name; empty if the object was deleted there.
    public let storedValues: [String: ManagedValue]
}
