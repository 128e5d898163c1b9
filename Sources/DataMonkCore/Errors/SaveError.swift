public import Foundation

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

        /// A validation predicate of the model, or a hook of the object's class, refuses.
        public static let validationFailed = Code(rawValue: 1550)
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
        /// A number is above its maximum.
        public static let numberTooLarge = Code(rawValue: 1610)
        /// A number is below its minimum.
        public static let numberTooSmall = Code(rawValue: 1620)
        /// A date is after its maximum.
        public static let dateTooLate = Code(rawValue: 1630)
        /// A date is before its minimum.
        public static let dateTooSoon = Code(rawValue: 1640)
        /// A date is no moment: its seconds are infinite or not a number.
        public static let invalidDate = Code(rawValue: 1650)
        /// A text is longer than its greatest length.
        public static let stringTooLong = Code(rawValue: 1660)
        /// A text is shorter than its least length.
        public static let stringTooShort = Code(rawValue: 1670)
        /// A text does not match its regular expression.
        public static let stringPatternMismatch = Code(rawValue: 1680)
        /// `willSave` went on changing objects for ever.
        public static let willSaveDoesNotSettle = Code(rawValue: 1_000_001)
        /// A link leads from one store into another.
        public static let linkBetweenStores = Code(rawValue: 1_000_002)
        /// No store holds the entity.
        public static let noStoreForEntity = Code(rawValue: 1_000_003)
        /// A number is none (NaN).
        public static let notANumber = Code(rawValue: 1_000_004)
        /// Validation went on changing objects for ever.
        public static let validationDoesNotSettle = Code(rawValue: 1_000_005)
        /// A property was set to a value with which the object's values would add up to 2 GiB or more, and has kept its old
        /// one.
        public static let valueTooLarge = Code(rawValue: 1_000_020)
        /// An object that was to be assigned to a store is in one.
        public static let alreadyStored = Code(rawValue: 1_000_006)
        /// A property could not be read or set, and the changes may be computed from an empty value: see
        /// ``SaveError/failedAccesses``.
        public static let unreadValues = Code(rawValue: 1_000_010)
        /// A hook, an observer or a merge policy of a save has saved the same context.
        public static let savedWhileSaving = Code(rawValue: 1_000_011)
        /// Somebody else changed the objects since they were read.
        public static let mergeConflict = Code(rawValue: 133_020)
        /// Two objects have the same value where it must be unique.
        public static let constraintConflict = Code(rawValue: 133_021)
        /// The save waited for others longer than it was given.
        public static let deadlinePassed = Code(rawValue: 1_000_007)
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
    /// Every object that somebody else has changed, or whose unique values another object has.
    public let conflicts: [MergeConflict]
    /// The reads that were answered with a substitute and the writes that were dropped, the first hundred.
    public let failedAccesses: [FailedAccess]
    /// What the store said, if it was the store.
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

extension SaveError: CustomStringConvertible, LocalizedError {
    /// The message.
    public var description: String { message }

    /// The message, for Foundation's `localizedDescription`.
    public var errorDescription: String? { message }
}

extension SaveError {
    /// The commit was not taken in time.
    static var deadlinePassed: SaveError {
        SaveError(
            .deadlinePassed,
            """
            The commit waited for others until its deadline: nothing was written, and every change is still there. Commit \
            again, or give a later deadline.
            """)
    }
}
