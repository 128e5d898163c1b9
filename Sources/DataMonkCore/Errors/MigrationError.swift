public import Foundation

/// **Value.** Why a store of another version of the model was not migrated. The store is as it was.
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
public struct MigrationError: Error, Sendable {
    /// **Value.** What went wrong; Core Data's number where there is one. Open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// A code from its number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A step failed, or its result was not what it should be.
        public static let failed = Code(rawValue: 134_110)
        /// The store's objects do not fit the new version: see ``MigrationError/problems``.
        public static let constraintViolation = Code(rawValue: 134_111)
        /// The caller cancelled.
        public static let cancelled = Code(rawValue: 134_120)
        /// Neither the store nor the application has the version of the model that the store was written with.
        public static let missingSourceModel = Code(rawValue: 134_130)
        /// The two versions differ by more than can be inferred: see ``MigrationError/problems``.
        public static let notInferable = Code(rawValue: 134_190)
        /// The migration would discard objects, values or links, and nobody has said that it may: see
        /// ``MigrationError/problems`` and ``DiscardableData``.
        public static let wouldDiscard = Code(rawValue: 1_000_001)
        /// A newer program has migrated the store to a later version of the model: see ``DiscardableData/laterVersions``.
        public static let newerStore = Code(rawValue: 1_000_002)
        /// A migration is done, and an order is gone with it: see ``MigrationError/problems``. Told to the error handler,
        /// never thrown.
        public static let lostOrder = Code(rawValue: 1_000_003)
    }

    /// What went wrong.
    public var code: Code
    /// What went wrong and how to mend it, for a person.
    public var message: String
    /// Everything that stands in the way, in the order of entities and properties.
    public var problems: [Problem]
    /// The store's file.
    public var storeURL: URL?
    /// What the layer below reported.
    public var underlyingError: (any Error)?

    /// An error with a message of its own.
    public init(_ code: Code, _ message: String, storeURL: URL? = nil, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.problems = []
        self.storeURL = storeURL
        self.underlyingError = underlyingError
    }

    /// An error about differences that stand in the way.
    public init(_ code: Code, problems: [Problem], storeURL: URL? = nil) {
        self.code = code
        self.problems = problems
        self.storeURL = storeURL
        let count = problems.count == 1 ? "1 reason" : "\(problems.count) reasons"
        self.message =
            "The store cannot be migrated, for \(count):\n" + problems.map { "- \($0)" }.joined(separator: "\n")
    }

    /// The name of the entity concerned, if it is one.
    public var entityName: String? { problems.first?.entityName }

    /// The name of the property concerned, if it is one.
    public var propertyName: String? { problems.first?.propertyName }
}

extension MigrationError: CustomStringConvertible, LocalizedError {
    /// The code, the message and the file, in one text.
    public var description: String {
        var text = "MigrationError \(code.rawValue): \(message)"
        if let storeURL { text += " [store \(storeURL.isFileURL ? storeURL.path : storeURL.absoluteString)]" }
        if let underlyingError { text += " [cause: \(underlyingError)]" }
        return text
    }

    /// The message, for Foundation's `localizedDescription`.
    public var errorDescription: String? { message }
}
