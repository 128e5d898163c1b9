/// **Value.** One side of a comparison of values.
package indirect enum ResolvedExpression: Sendable {
    case path(ResolvedPath)
    case constant(ManagedValue)
    /// A column of the result, by its position: only in conditions on groups and in what rows are sorted by.
    case selection(Int, ValueKind)
    case calculation(ResolvedCalculation)
    /// One value or the other.
    case conditional(ResolvedCondition, ResolvedExpression, ResolvedExpression, ValueKind)
    case subquery(ResolvedSubquery)

    /// What kind of value it is, nil for a constant, which has taken the kind of the other side.
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

    /// The path that it is, nil for everything else.
    package var path: ResolvedPath? { if case .path(let path) = self { path } else { nil } }

    /// Whether it yields any number of values rather than one.
    package var isCollection: Bool {
        if case .path(let path) = self { path.isCollection } else { false }
    }
}

/// **Value.** What a function makes of some values.
///
/// 1. At least one operand is no constant.
/// 2. Functions of lists take any number of operands, the others as many as the function says.
package struct ResolvedCalculation: Sendable {
    package let function: ConditionExpression.Function
    package let operands: [ResolvedExpression]
    package let kind: ValueKind
}

/// **Value.** A figure about the objects of a collection of which a condition is true.
package struct ResolvedSubquery: Sendable {
    /// Leads to a collection of objects.
    package let collection: ResolvedPath
    /// How many subqueries are around it: paths that start at its object say so.
    package let depth: Int
    package let condition: ResolvedCondition
    package let figure: FetchRequest.Selection.Function
    /// What the figure is about, from the subquery's object on; nil for the number of objects.
    package let value: ResolvedPath?
    package let kind: ValueKind
}
