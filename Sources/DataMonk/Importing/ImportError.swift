public import DataMonkCore
import Foundation

/// **Value.** An import that was refused or ended early, or the reason why one of its rows failed.
///
///     do {
///         try await stack.importRows(Person.self, from: rows)
///     } catch let error as ImportError where error.code == .inputFailed {
///         options.resumingAt = error.report?.nextIndex ?? 0
///     }
public struct ImportError: DataMonkError, Sendable {
    /// **Value.** The reason for the error. Open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as text.
        public let rawValue: String

        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The model's import settings are invalid: a key, a format or an attribute does not exist. No row was read.
        public static let invalidMapping = Code(rawValue: "invalidMapping")
        /// The input ended with an error. The rows before it are committed, as far as whole chunks go; see
        /// ``ImportError/report``.
        public static let inputFailed = Code(rawValue: "inputFailed")
        /// A chunk could not be committed, or taken into an update. Those before it are; see ``ImportError/report``.
        public static let commitFailed = Code(rawValue: "commitFailed")
        /// The store cannot tell whether a chunk was committed, or has committed a part of it. Those before it are; see
        /// ``ImportError/report``.
        public static let outcomeUnknown = Code(rawValue: "outcomeUnknown")
        /// A row failed, and the options say to stop at the first one.
        public static let rowFailed = Code(rawValue: "rowFailed")
        /// The row could not be read.
        public static let malformedRow = Code(rawValue: "malformedRow")
        /// A value of the row does not fit its property.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// The row's key is missing or invalid.
        public static let missingKey = Code(rawValue: "missingKey")
        /// An object of a relationship cannot be found or created.
        public static let invalidRelationship = Code(rawValue: "invalidRelationship")
    }

    /// The reason for the error.
    public let code: Code
    /// A description of the problem and its remedy.
    public let message: String
    /// The name of the entity concerned, if there is one.
    public let entityName: String?
    /// The name of the property, or the key path in the row, that the error is about, if there is one.
    public let key: String?
    /// The place in the input, if there is one.
    public let place: ImportPlace?
    /// The error of the input, the store or the row, if there is one.
    public let underlyingError: (any Error)?
    /// The outcome so far of an import that ended early; its ``ImportReport/nextIndex`` tells where to go on.
    public let report: ImportReport?

    package init(
        _ code: Code, _ message: String, entityName: String? = nil, key: String? = nil, place: ImportPlace? = nil,
        underlyingError: (any Error)? = nil, report: ImportReport? = nil
    ) {
        self.code = code
        self.message = message
        self.entityName = entityName
        self.key = key
        self.place = place
        self.underlyingError = underlyingError
        self.report = report
    }

    /// Returns the error of a row that could not be read.
    ///
    /// - Parameter message: The problem and its remedy, without the place.
    public static func malformedRow(_ message: String, at place: ImportPlace) -> ImportError {
        ImportError(.malformedRow, message, place: place)
    }
}
