/// **Value.** One side of a comparison of values.
package indirect enum ResolvedExpression: Sendable {
    case path(ResolvedPath)
    case constant(ManagedValue)
    /// A column of the result, by its position. Occurs only in conditions on groups and in the sort terms of rows.
    case selection(Int, ValueKind)
    case calculation(ResolvedCalculation)
    /// One of two values, chosen by a condition.
    case conditional(ResolvedCondition, ResolvedExpression, ResolvedExpression, ValueKind)
    case subquery(ResolvedSubquery)

    /// The kind of the value, or `nil` for a constant, which is coerced to the kind of the other side.
    package var kind: ValueKind? {
        switch self {
        case .path(let path): path.kind
        case .selection(_, let kind): kind
        case .constant: nil
        case .calculation(let calculation): calculation.kind
        case .conditional(_, _, _, let kind): kind
        case .subquery(let subquery): subquery.kind
        }
    }

    /// The path, or `nil` for any other expression.
    package var path: ResolvedPath? { if case .path(let path) = self { path } else { nil } }

    /// A Boolean value indicating whether the expression yields any number of values rather than one.
    package var isCollection: Bool {
        if case .path(let path) = self { path.isCollection } else { false }
    }
}

/// **Value.** The result of a function of some operands.
///
/// 1. At least one operand is not a constant.
/// 2. Functions of lists take any number of operands, the others exactly as many as the function requires.
package struct ResolvedCalculation: Sendable {
    package let function: ConditionExpression.Function
    package let operands: [ResolvedExpression]
    package let kind: ValueKind
}

/// **Value.** An aggregate over the objects of a collection that satisfy a condition.
package struct ResolvedSubquery: Sendable {
    /// The path to a collection of objects.
    package let collection: ResolvedPath
    /// The number of enclosing subqueries. Paths that start at this subquery's object refer to it by this number.
    package let depth: Int
    package let condition: ResolvedCondition
    package let aggregate: FetchRequest.Selection.Function
    /// The aggregated path from the subquery's object, or `nil` for the number of objects.
    package let value: ResolvedPath?
    package let kind: ValueKind
}
