extension ValidationPredicate {
    /// A Boolean value indicating whether the condition depends on a text's length.
    func asksForLength(of attribute: Entity.Attribute) -> Bool {
        attribute.type == .string && ConditionSubject.asksForLength(condition)
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

    static func asksForLength(_ condition: Condition) -> Bool {
        switch condition {
        case .constant: false
        case .comparison(let comparison): asksForLength(comparison.left) || asksForLength(comparison.right)
        case .and(let parts), .or(let parts), .not(let parts): parts.contains(where: asksForLength)
        }
    }

    private static func asksForLength(_ expression: ConditionExpression) -> Bool {
        switch expression {
        case .keyPath(let path): path == lengthKey
        case .list(let parts), .function(_, let parts): parts.contains(where: asksForLength)
        default: false
        }
    }

    /// Returns the condition with the key in place of the object. Throws for other keys.
    func replacingObject(in condition: Condition) throws(FetchError) -> Condition {
        try condition.requireUsableDepth()
        switch condition {
        case .constant: return condition
        case .comparison(var comparison):
            comparison.left = try replacingObject(in: comparison.left)
            comparison.right = try replacingObject(in: comparison.right)
            return .comparison(comparison)
        case .and(let parts): return .and(try replacingObject(in: parts))
        case .or(let parts): return .or(try replacingObject(in: parts))
        case .not(let inner): return .not(try replacingObject(in: inner[0]))
        }
    }

    private func replacingObject(in parts: Condition.Parts) throws(FetchError) -> [Condition] {
        var replaced: [Condition] = []
        for part in parts { replaced.append(try replacingObject(in: part)) }
        return replaced
    }

    private func replacingObject(
        in expression: ConditionExpression, depth: Int = 0
    ) throws(FetchError) -> ConditionExpression {
        if depth > Condition.maximumDepth { throw .deepCondition(entity.name) }
        switch expression {
        case .object: return .keyPath(key)
        case .value: return expression
        case .list(let elements): return .list(try replacingObject(in: elements, depth: depth + 1))
        case .function(let function, let arguments):
            return .function(function, try replacingObject(in: arguments, depth: depth + 1))
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

    private func replacingObject(
        in expressions: [ConditionExpression], depth: Int
    ) throws(FetchError) -> [ConditionExpression] {
        var replaced: [ConditionExpression] = []
        for expression in expressions { replaced.append(try replacingObject(in: expression, depth: depth)) }
        return replaced
    }
}
