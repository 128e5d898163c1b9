extension Condition {
    /// Returns the condition with the ids of its objects replaced. The condition has been resolved before, so it is not too
    /// deep.
    func replacingObjects(_ replace: (AnyObjectID) -> AnyObjectID) throws(FetchError) -> Condition {
        try replacing { part throws(FetchError) in
            try part.replacingObjects(replace)
        } expressions: { expression throws(FetchError) in
            try expression.replacingObjects(replace)
        }
    }
}

extension ConditionExpression {
    fileprivate func replacingObjects(
        _ replace: (AnyObjectID) -> AnyObjectID
    ) throws(FetchError) -> ConditionExpression {
        if case .value(let value) = self { return .value(value.replacingObjects(replace)) }
        return try replacing { condition throws(FetchError) in
            try condition.replacingObjects(replace)
        } expressions: { expression throws(FetchError) in
            try expression.replacingObjects(replace)
        }
    }
}

extension ManagedValue {
    fileprivate func replacingObjects(_ replace: (AnyObjectID) -> AnyObjectID) -> ManagedValue {
        switch self {
        case .object(let id): .object(replace(id))
        case .list(let values): .list(values.map { $0.replacingObjects(replace) })
        default: self
        }
    }
}
