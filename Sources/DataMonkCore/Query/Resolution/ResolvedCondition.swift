/// **Value.** A condition whose names were found in the model, whose types fit, and whose constants have the type of what
/// they are compared with. What stores and the evaluator work on.
package indirect enum ResolvedCondition: Sendable {
    case constant(Bool)
    case comparison(ResolvedComparison)
    case identity(ResolvedIdentity)
    /// Every part; never empty.
    case and([ResolvedCondition])
    /// At least one part; never empty.
    case or([ResolvedCondition])
    case not(ResolvedCondition)
}

extension ResolvedCondition {
    /// Every part is true. An AND in an AND is one: databases bear few levels.
    static func all(of parts: [ResolvedCondition]) -> ResolvedCondition {
        if parts.isEmpty { return .constant(true) }
        if parts.count == 1 { return parts[0] }
        return .and(parts.flatMap { if case .and(let inner) = $0 { inner } else { [$0] } })
    }

    /// At least one part is true.
    static func any(of parts: [ResolvedCondition]) -> ResolvedCondition {
        if parts.isEmpty { return .constant(false) }
        if parts.count == 1 { return parts[0] }
        return .or(parts.flatMap { if case .or(let inner) = $0 { inner } else { [$0] } })
    }

    /// The opposite.
    var negated: ResolvedCondition {
        switch self {
        case .constant(let isTrue): .constant(!isTrue)
        case .not(let inner): inner
        default: .not(self)
        }
    }
}

/// **Value.** A comparison of values.
///
/// 1. At least one side is no constant; with `==` to `>=` and `isIn`, `between` the left side is none.
/// 2. Only the left side may be a collection, and then the modifier is not `.direct`; else it is.
/// 3. Right of `isIn` stands a constant list, right of `between` one of two values, neither of them null.
/// 4. Options are there only for text and data.
package struct ResolvedComparison: Sendable {
    /// How many values of the left side must satisfy the comparison.
    package enum Quantifier: Sendable { case direct, any, all }

    package let left: ResolvedExpression
    package let operation: Condition.Comparison.Operator
    package let right: ResolvedExpression
    package let quantifier: Quantifier
    package let options: Condition.Comparison.Options
    /// The constants right of `isIn`, ready to be looked for in memory; nil where there are few.
    let constants: ConstantList?

    init(
        left: ResolvedExpression, operation: Condition.Comparison.Operator, right: ResolvedExpression,
        quantifier: Quantifier, options: Condition.Comparison.Options
    ) {
        self.left = left
        self.operation = operation
        self.right = right
        self.quantifier = quantifier
        self.options = options
        constants =
            if operation == .isIn, case .constant(.list(let values)) = right { ConstantList(values, options) } else {
                nil
            }
    }
}

extension ResolvedComparison {
    /// The same comparison of sides that were folded by its options already.
    ///
    /// - Parameter right: The right side as it is then.
    package func withoutOptions(_ right: ResolvedExpression) -> ResolvedComparison {
        ResolvedComparison(left: left, operation: operation, right: right, quantifier: quantifier, options: [])
    }
}

/// **Value.** Whether what a path leads to is a certain object.
package struct ResolvedIdentity: Sendable {
    /// What the object is compared with.
    package enum Other: Sendable {
        /// One of these; null stands for no object.
        case keys([ObjectKey?])
        case path(ResolvedPath)
    }

    /// Ends in an object.
    package let path: ResolvedPath
    /// Whether it must be another object.
    package let isNegated: Bool
    package let other: Other
    package let quantifier: ResolvedComparison.Quantifier
}
