/// **Value.** A problem that prevents saving one property of an object, or an object as a whole.
public struct ValidationProblem: Sendable {
    /// The kind of the problem.
    public let code: SaveError.Code
    /// The object.
    public let objectID: AnyObjectID
    /// The property; `nil` if the object as a whole is invalid.
    public let key: String?
    /// The invalid value, if there is one. Never part of a message.
    public let value: ManagedValue?
    /// The validation predicate that the value violates, if there is one.
    public let condition: Condition?
    /// The error thrown by a hook of the object's class, if there is one.
    public let underlyingError: (any Error)?
    /// A description of the problem and its remedy.
    public let message: String
}

extension ValidationProblem: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension ValidationProblem {
    /// Returns the error for the problems that a call has found: one by itself, and an error that a hook threw unchanged.
    static func error(for problems: [ValidationProblem]) -> (any Error)? {
        guard let first = problems.first else { return nil }
        if problems.count == 1 {
            return first.underlyingError
                ?? SaveError(
                    first.code, first.message, entityName: first.objectID.entityName, objectID: first.objectID,
                    validationProblems: problems)
        }
        let isOfOne = problems.allSatisfy { $0.objectID == first.objectID }
        return SaveError(
            .multipleValidationErrors,
            "\(problems.count) properties are not valid:\n"
                + problems.map { "- " + $0.message + (isOfOne ? "" : " (\($0.objectID))") }.joined(separator: "\n"),
            validationProblems: problems)
    }
}
