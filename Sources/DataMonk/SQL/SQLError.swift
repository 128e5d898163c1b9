public import DataMonkCore
import DataMonkSQLite
import Foundation

/// **Value.** A statement of your own that did not run, or not to its end: the problem and its remedy.
///
/// ```swift
/// do {
///     try await stack.read { database in try database.rows("DELETE FROM ZPERSON") }
/// } catch let error as SQLError where error.code == .refused {
///     print(error.action ?? "", error.subject ?? "")    // DELETE ZPERSON
/// }
/// ```
public struct SQLError: DataMonkError, Sendable {
    /// **Value.** The reason for the error. Open: later versions may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code as a string.
        public var rawValue: String

        /// Creates a code from a string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The statement would do something else than read: change rows or the schema, attach a file, begin or end a
        /// transaction, read or set a pragma, load code.
        public static let refused = Code(rawValue: "refused")
        /// The text contains no statement, or more than one.
        public static let notOneStatement = Code(rawValue: "notOneStatement")
        /// SQLite does not understand the statement.
        public static let invalidStatement = Code(rawValue: "invalidStatement")
        /// SQLite gave up the statement while it ran: a sum that is too large, text that is no JSON.
        public static let failed = Code(rawValue: "failed")
        /// There are more or fewer arguments than parameters, or one of them is no SQL value.
        public static let wrongArguments = Code(rawValue: "wrongArguments")
        /// The database was used after its body had returned.
        public static let databaseEnded = Code(rawValue: "databaseEnded")
    }

    /// The reason for the error.
    public var code: Code
    /// A description of the problem and its remedy.
    public var message: String
    /// The action that was refused, as SQL spells it: `INSERT`, `ATTACH`, `PRAGMA`.
    public var action: String?
    /// The table, function or pragma that it was refused for, if SQLite names one.
    public var subject: String?
    /// The statement, with question marks in place of its arguments.
    public var sql: String?

    init(_ code: Code, _ message: String, action: String? = nil, subject: String? = nil, sql: String? = nil) {
        self.code = code
        self.message = message
        self.action = action
        self.subject = subject
        self.sql = sql
    }
}

extension SQLError {
    /// Returns the error for a problem. A deadline is the error of other reads.
    static func error(for problem: SQLProblem, in sql: String) throws -> any Error {
        switch problem {
        case .refused(let action, let subject):
            SQLError(
                .refused,
                """
                \(action)\(subject.map { " of \($0)" } ?? "") was refused, because `read` only reads. Change objects in \
                an update, or use a query.
                """,
                action: action, subject: subject, sql: sql)
        case .notOneStatement:
            SQLError(
                .notOneStatement,
                "The text must contain exactly one statement. Run several statements by a call for each.", sql: sql)
        case .invalid(let reason):
            SQLError(.invalidStatement, "SQLite does not understand the statement: \(reason). Correct it.", sql: sql)
        case .failed(let reason):
            SQLError(.failed, "SQLite could not run the statement to its end: \(reason). Correct it.", sql: sql)
        case .arguments(let expected, let given):
            SQLError(
                .wrongArguments,
                "The statement has \(expected) parameters but was given \(given) arguments. Pass one for each `?`.",
                sql: sql)
        case .deadlinePassed:
            FetchError(
                .deadlinePassed,
                "The read took longer than its deadline. Give it more time, or an index to its statements.")
        }
    }

    static func argument(_ number: Int, _ problem: String, of sql: String) -> SQLError {
        SQLError(.wrongArguments, "Argument \(number) \(problem)", sql: sql)
    }

    static var ended: SQLError {
        SQLError(
            .databaseEnded,
            "A database was used after its body had returned. Read everything in the body, and return plain values.")
    }
}
