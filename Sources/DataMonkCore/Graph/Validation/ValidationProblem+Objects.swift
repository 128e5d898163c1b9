extension ValidationProblem {
    init(
        _ code: SaveError.Code, of object: ManagedObject, key: String?, value: ManagedValue? = nil,
        condition: Condition? = nil, message: String
    ) {
        self.init(
            code: code, objectID: object.anyObjectID, key: key, value: value, condition: condition,
            underlyingError: nil, message: message)
    }

    /// Creates a problem from an error thrown by a hook.
    init(_ error: any Error, of object: ManagedObject, key: String?) {
        self.init(
            code: .validationFailed, objectID: object.anyObjectID, key: key, value: nil, condition: nil,
            underlyingError: error,
            message: "\(object.entity.name)\(key.map { ".\($0)" } ?? "") was rejected by its class: \(error)")
    }
}

extension ValidationProblem {
    /// Returns the problems that a hook's error represents.
    static func all(of error: any Error, _ object: ManagedObject, key: String? = nil) -> [ValidationProblem] {
        if let error = error as? SaveError, !error.validationProblems.isEmpty { return error.validationProblems }
        return [ValidationProblem(error, of: object, key: key)]
    }

    /// Returns the problems of a draft that has refused a value.
    static func refusals(of object: ManagedObject, _ draft: DraftRow) -> [ValidationProblem] {
        var problems: [ValidationProblem] = []
        if draft.refusedSlot >= 0 { problems.append(refusedValue(of: object, draft.refusedSlot)) }
        if let refused = object.home.layout.refusedIncrement(of: draft) {
            problems.append(refusedSum(of: object, at: refused.slot, amount: refused.amount))
        }
        return problems
    }

    /// The problem of a property that could not take its new value, and whose setter could not throw.
    private static func refusedValue(of object: ManagedObject, _ slot: Int) -> ValidationProblem {
        let name = object.entity.properties[slot].name
        return ValidationProblem(
            .valueTooLarge, of: object, key: name,
            message: """
                \(object.entity.name).\(name) was not set, because the object's values would exceed 2 GiB together; it \
                kept its old value. Undo the object's changes with rollback() or refresh(_:mergeChanges:), and distribute \
                the data over several objects or store it in files.
                """)
    }

    /// The sum of the stored value and an increment is a number that the attribute cannot hold; or others have stored
    /// none.
    private static func refusedSum(
        of object: ManagedObject, at slot: Int, amount: ManagedValue
    ) -> ValidationProblem {
        let name = object.entity.properties[slot].name
        return ValidationProblem(
            amount.isNegative ? .numberTooSmall : .numberTooLarge, of: object, key: name,
            message: """
                \(object.entity.name).\(name) was incremented, but another context has stored a value, or nil, to which \
                the amount cannot be added. Set it to a value, or undo the object's changes with rollback() or \
                refresh(_:mergeChanges:).
                """)
    }
}
