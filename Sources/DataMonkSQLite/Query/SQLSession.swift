package import DataMonkCore
import DataMonkSQL

/// **Value.** The reason why an application's own SQL did not run, or not to its end.
package enum SQLProblem: Error, Sendable {
    /// It would do something else than read. The subject is the table or the function, if SQLite names one.
    case refused(action: String, subject: String?)
    /// The text has no statement, or more than one.
    case notOneStatement
    /// SQLite does not understand the statement, for the reason given.
    case invalid(String)
    /// SQLite gave up the statement while it ran, for the reason given.
    case failed(String)
    /// The number of arguments is not that of the parameters.
    case arguments(expected: Int, given: Int)
    /// The deadline has passed.
    case deadlinePassed
}

/// **Confined.** Runs an application's own queries over one snapshot of a store.
package final class SQLSession {
    private let reader: SQLiteReader
    private let deadline: ContinuousClock.Instant?
    /// Asking the optional itself is a call of the runtime, for each of many rows.
    private let hasDeadline: Bool

    fileprivate init(_ reader: SQLiteReader, deadline: ContinuousClock.Instant?) {
        self.reader = reader
        self.deadline = deadline
        hasDeadline = deadline != nil
    }

    /// Returns the schema of a class's entity, or `nil` if the store has no table for it.
    package func names(of type: ManagedObject.Type) -> SQLNames? {
        let schema = reader.store.plans.schema
        return schema.model.entity(for: type).flatMap { schema.schema(of: $0) }.map { SQLNames($0) }
    }

    /// Runs a query, and passes the statement to `body` before its first step.
    ///
    /// - Throws: ``SQLProblem``; ``StoreError`` if the file cannot be read; `CancellationError`.
    package func run<Result>(
        _ sql: String, _ arguments: [ManagedValue], _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        try requireTime()
        let statementGuard = try reader.translating { try reader.connection.statementGuard() }
        return try statementGuard.guarding {
            do {
                return try reader.connection.withQuery(sql, under: statementGuard) { statement in
                    guard statement.parameterCount == arguments.count else {
                        throw SQLProblem.arguments(expected: statement.parameterCount, given: arguments.count)
                    }
                    try statement.bind(arguments.map(SQLBinding.init(argument:)))
                    return try body(statement)
                }
            } catch let failure as SQLiteFailure {
                throw try explained(failure, refusal: statementGuard.refusal)
            }
        }
    }

    /// Moves to the next row. Between rows, whatever the caller does with them, the task may have been cancelled.
    package func step(_ statement: SQLiteStatement) throws -> Bool {
        try requireTime()
        return try statement.step()
    }

    /// Returns the id of the object in a row of an entity's table.
    package func objectID(entityNumber: Int, primaryKey: Int64) throws -> AnyObjectID {
        let key = try reader.store.key(ofEntityNumber: entityNumber, primaryKey)
        return AnyObjectID(key: key, directory: reader.store.directory)
    }

    private func requireTime() throws {
        try Task.checkCancellation()
        if hasDeadline, let deadline, deadline <= .now { throw SQLProblem.deadlinePassed }
    }

    private func explained(_ failure: SQLiteFailure, refusal: StatementGuard.Refusal?) throws -> any Error {
        if let refusal { return SQLProblem.refused(action: refusal.action, subject: refusal.subject) }
        if failure.isInterrupted { try requireTime() }
        if failure.isNotOneStatement { return SQLProblem.notOneStatement }
        guard failure.underlyingError == nil, failure.isOfStatement else { return reader.translated(failure) }
        return failure.operation == .prepare
            ? SQLProblem.invalid(failure.message) : SQLProblem.failed(failure.message)
    }
}

@available(*, unavailable, message: "A session has a single owner at a time, as its connection does")
extension SQLSession: Sendable {}

extension SQLiteStore {
    /// Opens a snapshot of what is committed now, and runs queries over it that end when the task is cancelled and at the
    /// deadline.
    package func readSQL<Result>(
        until deadline: ContinuousClock.Instant?, _ body: (SQLSession) throws -> Result
    ) throws -> Result {
        let reader: SQLiteReader
        do {
            reader = try openSQLiteReader(waitingAtMost: deadline.map { $0 - .now })
        } catch let error as StoreError where error.code == .timeout {
            if let deadline, deadline <= .now { throw SQLProblem.deadlinePassed }
            throw error
        }
        defer { reader.end() }
        return try reader.connection.limited(until: deadline) { try body(SQLSession(reader, deadline: deadline)) }
    }
}

extension SQLBinding {
    /// Creates the argument for a parameter: the id of an object stands for its primary key.
    fileprivate init(argument: ManagedValue) {
        if case .object(let id) = argument { self = .integer(id.key.primaryKey) } else { self.init(argument) }
    }
}
