import Foundation

/// **Value.** A failed save. All changes are kept: correct the problem and save again.
///
///     do {
///         try update.commit()
///     } catch let error as SaveError where error.code == .mergeConflict {
///         for conflict in error.conflicts { print(conflict.objectID) }
///     }
public struct SaveError: DataMonkError, Sendable {
    /// **Value.** The reason for the error, with Core Data's number if it has one. Open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Creates a code from a number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A validation predicate of the model, or a hook of the object's class, refused the value.
        public static let validationFailed = Code(rawValue: 1550)
        /// Several objects or properties are invalid; see ``SaveError/validationProblems``.
        public static let multipleValidationErrors = Code(rawValue: 1560)
        /// A required property has no value.
        public static let missingMandatoryProperty = Code(rawValue: 1570)
        /// A relationship contains fewer objects than its minimum count.
        public static let relationshipLacksMinimumCount = Code(rawValue: 1580)
        /// A relationship contains more objects than its maximum count.
        public static let relationshipExceedsMaximumCount = Code(rawValue: 1590)
        /// An object cannot be deleted while a relationship with the delete rule deny has a destination.
        public static let relationshipDeniedDelete = Code(rawValue: 1600)
        /// A number is above its maximum.
        public static let numberTooLarge = Code(rawValue: 1610)
        /// A number is below its minimum.
        public static let numberTooSmall = Code(rawValue: 1620)
        /// A date is after its maximum.
        public static let dateTooLate = Code(rawValue: 1630)
        /// A date is before its minimum.
        public static let dateTooSoon = Code(rawValue: 1640)
        /// A date is invalid: its number of seconds is infinite or NaN.
        public static let invalidDate = Code(rawValue: 1650)
        /// A string is longer than its maximum length.
        public static let stringTooLong = Code(rawValue: 1660)
        /// A string is shorter than its minimum length.
        public static let stringTooShort = Code(rawValue: 1670)
        /// A string does not match its regular expression.
        public static let stringPatternMismatch = Code(rawValue: 1680)
        /// `willSave` kept changing objects without end.
        public static let willSaveDoesNotSettle = Code(rawValue: 1_000_001)
        /// A relationship connects objects in different stores.
        public static let linkBetweenStores = Code(rawValue: 1_000_002)
        /// No store contains the entity.
        public static let noStoreForEntity = Code(rawValue: 1_000_003)
        /// A number is NaN.
        public static let notANumber = Code(rawValue: 1_000_004)
        /// Validation kept changing objects without end.
        public static let validationDoesNotSettle = Code(rawValue: 1_000_005)
        /// A property was set to a value that would raise the size of the object's values to 2 GiB or more, and has kept its
        /// old value.
        public static let valueTooLarge = Code(rawValue: 1_000_020)
        /// An object to be assigned to a store is already in one.
        public static let alreadyStored = Code(rawValue: 1_000_006)
        /// A property could not be read or set, and changes may be based on an empty value; see
        /// ``SaveError/failedAccesses``.
        public static let unreadValues = Code(rawValue: 1_000_010)
        /// A hook, an observer or a merge policy saved or discarded the context during its save, a hook of an import during
        /// that, or a permanent id was requested during a commit that assigns it.
        public static let savedWhileSaving = Code(rawValue: 1_000_011)
        /// Objects have been changed by others since they were read.
        public static let mergeConflict = Code(rawValue: 133_020)
        /// Two objects have the same values for a uniqueness constraint.
        public static let constraintConflict = Code(rawValue: 133_021)
        /// The save exceeded its deadline while waiting for others.
        public static let deadlinePassed = Code(rawValue: 1_000_007)
        /// The save was cancelled before it began.
        public static let cancelled = Code(rawValue: 3072)
    }

    /// The reason for the error.
    public let code: Code
    /// A description of the problem and its remedy.
    public let message: String
    /// The name of the entity concerned, if there is one.
    public let entityName: String?
    /// The id of the object concerned, if there is one.
    public let objectID: AnyObjectID?
    /// All validation problems, in the order of the objects' changes.
    public let validationProblems: [ValidationProblem]
    /// All objects that others have changed, or whose unique values belong to another object.
    public let conflicts: [MergeConflict]
    /// The reads that returned a substitute and the writes that were dropped; the first hundred.
    public let failedAccesses: [FailedAccess]
    /// The error of the store, if there is one.
    public let underlyingError: (any Error)?

    package init(
        _ code: Code, _ message: String, entityName: String? = nil, objectID: AnyObjectID? = nil,
        validationProblems: [ValidationProblem] = [], conflicts: [MergeConflict] = [],
        failedAccesses: [FailedAccess] = [], underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.entityName = entityName
        self.objectID = objectID
        self.validationProblems = validationProblems
        self.conflicts = conflicts
        self.failedAccesses = failedAccesses
        self.underlyingError = underlyingError
    }
}

extension SaveError {
    /// The commit was not accepted before its deadline.
    static var deadlinePassed: SaveError {
        SaveError(
            .deadlinePassed,
            """
            The commit could not start before its deadline, because other commits were running. Nothing was written, \
            and all changes are still in the context. Commit again, or set a later deadline.
            """)
    }
}
