extension ValidationPredicate {
    /// A Boolean value indicating whether the condition depends on a text's length.
    func asksForLength(of attribute: Entity.Attribute) -> Bool {
        attribute.type == .string && ConditionTraversal(condition).contains(.keyPath(ConditionSubject.lengthKey))
    }

    /// Returns the resolved condition, with the attribute in place of its value.
    ///
    /// - Parameter length: The length of the value, if the condition depends on it.
    func resolved(
        for attribute: Entity.Attribute, of entity: Entity, length: Int = 0
    ) throws(FetchError) -> ResolvedCondition {
        let subject = ConditionSubject(
            key: attribute.name, entity: entity, length: attribute.type == .string ? length : nil)
        return try ConditionResolver(entity: entity).resolve(subject.replacingObject(in: condition))
    }
}

/// **Value.** The replacement for the object in a validation predicate's condition: one attribute of an object.
private struct ConditionSubject {
    static let lengthKey = "length"

    let key: String
    let entity: Entity
    /// The length of a text.
    let length: Int?

    /// Returns the condition with the key in place of the object. Throws for other keys.
    func replacingObject(in condition: Condition) throws(FetchError) -> Condition {
        try condition.requireUsableDepth()
        return try condition.replacing(parts: replacingObject) { expression throws(FetchError) in
            try replacingObject(in: expression)
        }
    }

    private func replacingObject(
        in expression: ConditionExpression, depth: Int = 0
    ) throws(FetchError) -> ConditionExpression {
        if depth > Condition.maximumDepth { throw .deepCondition(entity.name) }
        switch expression {
        case .object: return .keyPath(key)
        case .value: return expression
        case .list, .function:
            return try expression.replacing(parts: replacingObject) { operand throws(FetchError) in
                try replacingObject(in: operand, depth: depth + 1)
            }
        case .keyPath(Self.lengthKey):
            if let length { return .value(.int(Int64(length))) }
        default: break
        }
        throw FetchError(
            .unsupportedCondition,
            """
            A validation predicate can only test the value itself. Write SELF for the value, and use no key except \
            length, for a string.
            """,
            entityName: entity.name, keyPath: key)
    }
}
