public import DataMonkCore
import Foundation

/// **Value.** An input or a file of rows that cannot be read or written: the problem, its place, and the remedy.
///
///     do {
///         for try await row in JSONRows(.file(url), at: "data.people") { … }
///     } catch let error as FormatError {
///         print(error.message)      // Line 1, column 9: There is no member "people". Its members are "persons", "count".
///     }
///
/// It is thrown for an input that ends before its rows do, and is the problem of a single row that is malformed.
public struct FormatError: DataMonkError, Sendable {
    /// **Value.** The reason for the error. Open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as text.
        public let rawValue: String

        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A file is missing or cannot be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// The input is not UTF-8 at all, such as a text of 16-bit units.
        public static let unsupportedEncoding = Code(rawValue: "unsupportedEncoding")
        /// The bytes are not what the format says. Of the input: where its rows begin or end is unknown from there on.
        public static let malformed = Code(rawValue: "malformed")
        /// There are no rows at the key path.
        public static let missingRows = Code(rawValue: "missingRows")
        /// The header of a table names a column twice.
        public static let duplicateColumn = Code(rawValue: "duplicateColumn")
        /// A row has more bytes than are kept at a time.
        public static let rowTooLarge = Code(rawValue: "rowTooLarge")
        /// There is a file at the place of an export.
        public static let fileExists = Code(rawValue: "fileExists")
        /// A file cannot be written.
        public static let unwritableFile = Code(rawValue: "unwritableFile")
        /// An export could not hold one state of a store that too many read.
        public static let stateLost = Code(rawValue: "stateLost")
        /// The format has no form for what was asked for.
        public static let unsupportedExport = Code(rawValue: "unsupportedExport")
    }

    /// The reason for the error.
    public let code: Code
    /// A description of the problem and its remedy. It begins with the place, if that is known.
    public let message: String
    /// The line of the byte that shows the problem, counted from 1.
    public let line: Int?
    /// The column of that byte: the number of its bytes from the line's begin on, counted from 1.
    public let column: Int?
    /// The member, column or property concerned.
    public let key: String?
    /// The error of the system, if there is one.
    public let underlyingError: (any Error)?

    init(
        _ code: Code, _ message: String, line: Int? = nil, column: Int? = nil, key: String? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        if let line, let column {
            self.message = "Line \(line), column \(column): \(message)"
        } else {
            self.message = message
        }
        self.line = line
        self.column = column
        self.key = key
        self.underlyingError = underlyingError
    }
}
