/// **Value.** A condition that the values of an attribute must meet when their object is saved.
///
/// ```swift
/// let isEven = Condition.comparison(.init(.object, .isIn, .value([2, 4, 6])))
/// AttributeDescription(
///     "size", .integer16,
///     validationPredicates: [ValidationPredicate(isEven, warning: "A size is 2, 4 or 6.")])
/// ```
/// The condition is about the value alone, and `ConditionExpression.object` (SELF in a format string) stands for it. What
/// concerns several properties belongs into `validateForInsert()` and `validateForUpdate()`. No value is not asked: that
/// is a matter of `isOptional`.
public struct ValidationPredicate: Sendable, Hashable {
    /// What must be true of the value.
    public var condition: Condition
    /// What to tell the user if it is not.
    public var warning: String

    /// A condition, and what to tell the user where it is not met.
    public init(_ condition: Condition, warning: String) {
        self.condition = condition
        self.warning = warning
    }

    /// The condition over the attribute in place of its value.
    func resolved(for attribute: Entity.Attribute, of entity: Entity) throws(FetchError) -> ResolvedCondition {
        try ConditionResolver(entity: entity).resolve(try condition.over(attribute.name, entity))
    }
}

extension Condition {
    /// The condition with a key in place of the object. Other keys are refused.
    fileprivate func over(_ key: String, _ entity: Entity) throws(FetchError) -> Condition {
        try requireUsableDepth()
        switch self {
        case .constant: return self
        case .comparison(var comparison):
            comparison.left = try comparison.left.over(key, entity)
            comparison.right = try comparison.right.over(key, entity)
            return .comparison(comparison)
        case .and(let parts):
            var replaced: [Condition] = []
            for part in parts { replaced.append(try part.over(key, entity)) }
            return .and(replaced)
        case .or(let parts):
            var replaced: [Condition] = []
            for part in parts { replaced.append(try part.over(key, entity)) }
            return .or(replaced)
        case .not(let inner): return .not(try inner[0].over(key, entity))
        }
    }
}

extension ConditionExpression {
    fileprivate func over(
        _ key: String, _ entity: Entity, depth: Int = 0
    ) throws(FetchError) -> ConditionExpression {
        if depth > ConditionResolver.maximumDepth { throw .deepCondition(entity) }
        switch self {
        case .object: return .keyPath(key)
        case .value: return self
        case .list(let elements):
            var replaced: [ConditionExpression] = []
            for element in elements { replaced.append(try element.over(key, entity, depth: depth + 1)) }
            return .list(replaced)
        case .function(let function, let arguments):
            var replaced: [ConditionExpression] = []
            for argument in arguments { replaced.append(try argument.over(key, entity, depth: depth + 1)) }
            return .function(function, replaced)
        default:
            throw FetchError(
                .unsupportedCondition,
                "A validation predicate is about the value alone: write SELF for it, and no other key.",
                entityName: entity.name, keyPath: key)
        }
    }
}
