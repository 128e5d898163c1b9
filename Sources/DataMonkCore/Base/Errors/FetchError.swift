import Foundation

/// **Value.** A fetch that was refused or failed: the problem and its remedy.
///
/// Everything that can be determined from the request and the model is refused before any store is accessed.
public struct FetchError: DataMonkError, Sendable {
    /// **Value.** The reason for the error. Open: later versions may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code as a string.
        public var rawValue: String

        /// Creates a code from a string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The model has no such entity.
        public static let unknownEntity = Code(rawValue: "unknownEntity")
        /// The entity has no property of that name.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// The key path cannot be followed, or not be used in this way.
        public static let invalidKeyPath = Code(rawValue: "invalidKeyPath")
        /// A value has a different type than the one it is compared with.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// Values of this type do not support the comparison.
        public static let notComparable = Code(rawValue: "notComparable")
        /// The parts of the request contradict each other.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The condition is not supported for this purpose.
        public static let unsupportedCondition = Code(rawValue: "unsupportedCondition")
        /// The order of fetched results does not keep the objects of a section together.
        public static let inconsistentSections = Code(rawValue: "inconsistentSections")
        /// The store does not support the request.
        public static let unsupportedByStore = Code(rawValue: "unsupportedByStore")
        /// The format string cannot be parsed, or its arguments do not match it.
        public static let invalidFormat = Code(rawValue: "invalidFormat")
        /// The model has no fetch request of that name.
        public static let unknownTemplate = Code(rawValue: "unknownTemplate")
        /// A variable of the condition has no value.
        public static let missingVariable = Code(rawValue: "missingVariable")
        /// There is a value for a variable that does not occur in the condition.
        public static let unknownVariable = Code(rawValue: "unknownVariable")
        /// The regular expression is invalid.
        public static let invalidPattern = Code(rawValue: "invalidPattern")
        /// The regular expression took too long on a value.
        public static let patternTooExpensive = Code(rawValue: "patternTooExpensive")
        /// The id belongs to another stack.
        public static let foreignID = Code(rawValue: "foreignID")
        /// The attribute is derived and cannot be set.
        public static let derivedAttribute = Code(rawValue: "derivedAttribute")
        /// The values of one object would add up to 2 GiB or more.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
        /// The attribute to be incremented holds no value, and has no default.
        public static let noValueToIncrement = Code(rawValue: "noValueToIncrement")
        /// The attribute cannot hold the sum of its value and the amount of an increment.
        public static let numberOutOfRange = Code(rawValue: "numberOutOfRange")
        /// The entity's objects are of another class.
        public static let wrongClass = Code(rawValue: "wrongClass")
        /// The object does not exist.
        public static let objectNotFound = Code(rawValue: "objectNotFound")
        /// The object was deleted and has left its context.
        public static let objectIsDeleted = Code(rawValue: "objectIsDeleted")
        /// The object's context was reset, and the object is no longer registered.
        public static let objectIsInvalidated = Code(rawValue: "objectIsInvalidated")
        /// A value that the result depends on could not be read.
        public static let unreadValues = Code(rawValue: "unreadValues")
        /// The object's context no longer exists.
        public static let contextIsGone = Code(rawValue: "contextIsGone")
        /// A property would be loaded lazily, which its context forbids.
        public static let lazyLoading = Code(rawValue: "lazyLoading")
        /// The fetch exceeded its deadline.
        public static let deadlinePassed = Code(rawValue: "deadlinePassed")
    }

    /// The reason for the error.
    public var code: Code
    /// A description of the problem and its remedy.
    public var message: String
    /// The name of the entity concerned.
    public var entityName: String?
    /// The key path concerned, as spelled in the request.
    public var keyPath: String?
    /// The id of the object concerned.
    public var objectID: AnyObjectID?
    /// The error of the store or the system.
    public var underlyingError: (any Error)?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, entityName: String? = nil, keyPath: String? = nil,
        objectID: AnyObjectID? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.entityName = entityName
        self.keyPath = keyPath
        self.objectID = objectID
        self.underlyingError = underlyingError
    }

    /// Core Data's number for the error, if it has one.
    public var coreDataNumber: Int? { code == .objectNotFound ? 133_000 : nil }
}

extension FetchError {
    /// No store contains the object.
    package static func objectNotFound(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .objectNotFound,
            """
            There is no \(id.entityName) with this id: it was deleted, or it was never saved. Discard the id, or save \
            the object first.
            """,
            entityName: id.entityName, objectID: id)
    }

    /// The id belongs to another stack.
    package static func foreignID(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .foreignID,
            """
            The id of this \(id.entityName) belongs to another stack. Pass its URI instead, and look it up in \
            this stack.
            """,
            entityName: id.entityName, objectID: id)
    }
}
