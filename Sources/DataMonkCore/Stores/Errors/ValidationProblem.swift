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

    init(
        _ code: SaveError.Code, of object: ManagedObject, key: String?, value: ManagedValue? = nil,
        condition: Condition? = nil, _ message: String
    ) {
        self.code = code
        objectID = object.anyObjectID
        self.key = key
        self.value = value
        self.condition = condition
        underlyingError = nil
        self.message = message
    }

    /// Creates a problem from an error thrown by a hook.
    init(_ error: any Error, of object: ManagedObject, key: String?) {
        code = .validationFailed
        objectID = object.anyObjectID
        self.key = key
        value = nil
        condition = nil
        underlyingError = error
        message = "\(object.entity.name)\(key.map { ".\($0)" } ?? "") was rejected by its class: \(error)"
    }
}

extension ValidationProblem: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension ValidationProblem {
    /// Returns the problems that a hook's error represents.
    static func all(of error: any Error, _ object: ManagedObject, key: String? = nil) -> [ValidationProblem] {
        if let error = error as? SaveError, !error.validationProblems.isEmpty { return error.validationProblems }
        return [ValidationProblem(error, of: object, key: key)]
    }

    /// Creates the problem of a property that could not take its new value, and whose setter could not throw.
    static func refusedValue(of object: ManagedObject, _ draft: DraftRow) -> ValidationProblem {
        let property = object.entity.properties[draft.refusedSlot]
        let name = property.name
        if property.attribute?.type.isNumeric == true { return refusedSum(of: object, name, draft) }
        return ValidationProblem(
            .valueTooLarge, of: object, key: name,
            """
            \(object.entity.name).\(name) was not set, because the object's values would exceed 2 GiB together; it \
            kept its old value. Undo the object's changes with rollback() or refresh(_:mergeChanges:), and distribute \
            the data over several objects or store it in files.
            """)
    }

    /// The sum of the stored value and an increment is a number that the attribute cannot hold; or they have
    /// stored none.
    private static func refusedSum(of object: ManagedObject, _ name: String, _ draft: DraftRow) -> ValidationProblem {
        let isNegative = draft.increments?[draft.refusedSlot]?.isNegative == true
        return ValidationProblem(
            isNegative ? .numberTooSmall : .numberTooLarge, of: object, key: name,
            """
            \(object.entity.name).\(name) was incremented, but another context has stored a value, or nil, to which \
            the amount cannot be added. Undo the object's changes with rollback() or refresh(_:mergeChanges:), and \
            check the stored value.
            """)
    }

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
