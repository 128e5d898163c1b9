/// **Value.** A condition whose names are found in the model, whose types match, and whose constants have the type they are
/// compared with. Stores and the evaluator work on this form.
package indirect enum ResolvedCondition: Sendable {
    case constant(Bool)
    case comparison(ResolvedComparison)
    case identity(ResolvedIdentity)
    /// True if every part is true; never empty.
    case and([ResolvedCondition])
    /// True if at least one part is true; never empty.
    case or([ResolvedCondition])
    case not(ResolvedCondition)
}

extension ResolvedCondition {
    /// Returns a condition that is true if every part is true. Nested ANDs are flattened, since databases support only a
    /// few levels.
    static func all(of parts: [ResolvedCondition]) -> ResolvedCondition {
        if parts.isEmpty { return .constant(true) }
        if parts.count == 1 { return parts[0] }
        return .and(parts.flatMap { if case .and(let inner) = $0 { inner } else { [$0] } })
    }

    /// Returns a condition that is true if at least one part is true.
    static func any(of parts: [ResolvedCondition]) -> ResolvedCondition {
        if parts.isEmpty { return .constant(false) }
        if parts.count == 1 { return parts[0] }
        return .or(parts.flatMap { if case .or(let inner) = $0 { inner } else { [$0] } })
    }

    /// The negation of the condition.
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
/// 1. At least one side is not a constant; with `==` to `>=`, `isIn` and `between`, the left side is not a constant.
/// 2. Only the left side may be a collection. If it is, the quantifier is not `.direct`; otherwise it is.
/// 3. The right side of `isIn` is a constant list, and that of `between` is one of two values, neither of them null.
/// 4. Options are set only for text and data.
package struct ResolvedComparison: Sendable {
    /// The number of values of the left side that must satisfy the comparison.
    package enum Quantifier: Sendable { case direct, any, all }

    package let left: ResolvedExpression
    package let operation: Condition.Comparison.Operator
    package let right: ResolvedExpression
    package let quantifier: Quantifier
    package let options: Condition.Comparison.Options
    /// The constants to the right of `isIn`, prepared for lookups in memory, or `nil` if there are only a few.
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
            if operation == .isIn, case .constant(.list(let values)) = right {
                ConstantList(values, options: options)
            } else {
                nil
            }
    }
}

extension ResolvedComparison {
    /// Returns the same comparison for sides that are already folded by its options.
    ///
    /// - Parameter right: The folded right side.
    package func withoutOptions(_ right: ResolvedExpression) -> ResolvedComparison {
        ResolvedComparison(left: left, operation: operation, right: right, quantifier: quantifier, options: [])
    }
}

/// **Value.** A comparison of the object at the end of a path with other objects.
package struct ResolvedIdentity: Sendable {
    /// The objects to compare with.
    package enum Other: Sendable {
        /// Any of these keys; `nil` stands for no object.
        case keys([ObjectKey?])
        case path(ResolvedPath)
    }

    /// The path to the object.
    package let path: ResolvedPath
    /// A Boolean value indicating whether the objects must differ.
    package let isNegated: Bool
    package let other: Other
    package let quantifier: ResolvedComparison.Quantifier
    /// The keys of `other`, if they are so many that a search through them takes longer than hashing.
    let manyKeys: Set<ObjectKey?>?

    init(path: ResolvedPath, isNegated: Bool, other: Other, quantifier: ResolvedComparison.Quantifier) {
        self.path = path
        self.isNegated = isNegated
        self.other = other
        self.quantifier = quantifier
        manyKeys = if case .keys(let keys) = other, keys.count > 16 { Set(keys) } else { nil }
    }
}
