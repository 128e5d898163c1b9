public import Foundation

/// **Value.** A failed or refused migration of a store from another version of the model. The store is unchanged.
///
/// ```swift
/// do {
///     try stack.addDatabaseStore(fileURL: url)
/// } catch let error as MigrationError where error.code == .notInferable {
///     for problem in error.problems { print(problem) }
/// }
/// ```
///
/// The message never contains values of attributes.
public struct MigrationError: DataMonkError, Sendable {
    /// **Value.** The reason for the error, with Core Data's number if it has one. Open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Creates a code from a number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A step failed, or its result failed verification.
        public static let failed = Code(rawValue: 134_110)
        /// The store's objects do not fit the new version; see ``MigrationError/problems``.
        public static let constraintViolation = Code(rawValue: 134_111)
        /// The caller cancelled the migration.
        public static let cancelled = Code(rawValue: 134_120)
        /// Neither the store nor the application has the version of the model that the store was written with.
        public static let missingSourceModel = Code(rawValue: 134_130)
        /// A mapping may not be inferred, and there is no other one.
        public static let missingMapping = Code(rawValue: 134_140)
        /// The differences between the two versions cannot be inferred; see ``MigrationError/problems``.
        public static let notInferable = Code(rawValue: 134_190)
        /// The migration would discard objects, values or links without permission; see ``MigrationError/problems`` and
        /// ``DiscardableData``.
        public static let wouldDiscard = Code(rawValue: 1_000_001)
        /// A newer program has migrated the store to a later version of the model; see ``DiscardableData/laterVersions``.
        public static let newerStore = Code(rawValue: 1_000_002)
        /// A migration succeeded, and discarded data without being told by ``DiscardableData``: what the application's own two
        /// versions describe, or the order of a relationship; see ``MigrationError/problems``. Passed to the error handler,
        /// never thrown.
        public static let discarded = Code(rawValue: 1_000_003)
        /// The stages of a migration do not lead to the stack's model, or name a version twice.
        public static let invalidStages = Code(rawValue: 1_000_004)
        /// A closure of a mapping reads an attribute that it has not listed.
        public static let invalidMapping = Code(rawValue: 1_000_005)
        /// The application's code in a stage failed, or went on without data that could not be read; see
        /// ``MigrationError/underlyingError``.
        public static let failedStage = Code(rawValue: 1_000_006)
    }

    /// The reason for the error.
    public var code: Code
    /// A description of the problem and its remedy, for people.
    public var message: String
    /// All obstacles, in the order of entities and properties.
    public var problems: [Problem]
    /// The store's file.
    public var storeURL: URL?
    /// The error of the underlying layer.
    public var underlyingError: (any Error)?

    /// Creates an error with a message.
    public init(_ code: Code, _ message: String, storeURL: URL? = nil, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.problems = []
        self.storeURL = storeURL
        self.underlyingError = underlyingError
    }

    /// Creates an error for obstacles.
    public init(_ code: Code, problems: [Problem], storeURL: URL? = nil) {
        self.code = code
        self.problems = problems
        self.storeURL = storeURL
        let count = problems.count == 1 ? "1 reason" : "\(problems.count) reasons"
        self.message =
            "The store cannot be migrated, for \(count):\n" + problems.map { "- \($0)" }.joined(separator: "\n")
    }

    /// The name of the entity concerned, if there is one.
    public var entityName: String? { problems.first?.entityName }

    /// The name of the property concerned, if there is one.
    public var propertyName: String? { problems.first?.propertyName }
}

extension MigrationError {
    /// The code, the message and the file as one string.
    public var description: String {
        var text = "MigrationError \(code.rawValue): \(message)"
        if let storeURL { text += " [store \(storeURL.isFileURL ? storeURL.path : storeURL.absoluteString)]" }
        if let underlyingError { text += " [cause: \(underlyingError)]" }
        return text
    }
}
