extension Condition {
    /// **Value.** A key path and the constant or key path that it must equal.
    public struct Equality: Sendable, Hashable {
        /// The left side.
        public var keyPath: String
        /// The right side: a `.value` or a `.keyPath`.
        public var value: ConditionExpression
    }

    /// Returns the values that an object must have to satisfy the condition.
    ///
    /// The condition must consist of equalities joined by "and", each with a key path on the left.
    ///
    /// - Throws: ``FetchError`` for every other condition, since it does not determine such an object, and for two
    ///   different values of one key path.
    public func equalities() throws(FetchError) -> [Equality] {
        try requireUsableDepth()
        var found: [Equality] = []
        try collectEqualities(into: &found)
        return found
    }

    private func collectEqualities(into found: inout [Equality]) throws(FetchError) {
        switch self {
        case .constant(true):
            return
        case .and(let parts):
            for part in parts { try part.collectEqualities(into: &found) }
        case .comparison(let comparison):
            try found.add(comparison)
        case .constant, .or, .not:
            throw FetchError(
                .unsupportedCondition,
                "The condition does not say how to make an object: only `==`, joined by `&&`, can be used here.")
        }
    }
}

extension [Condition.Equality] {
    fileprivate mutating func add(_ comparison: Condition.Comparison) throws(FetchError) {
        guard case .keyPath(let keyPath) = comparison.left, comparison.operation == .equal,
            comparison.modifier == .direct, comparison.options.isEmpty, comparison.right != .object
        else {
            throw FetchError(
                .unsupportedCondition,
                "`\(comparison.operation.symbol)` does not say how to make an object: only `==` between a key path and a "
                    + "value or another key path can be used here, without ANY, ALL and options.")
        }
        if let known = first(where: { $0.keyPath == keyPath }) {
            if known.value == comparison.right { return }
            throw FetchError(
                .unsupportedCondition, "No object has two values at \"\(keyPath)\": name each key once.",
                keyPath: keyPath)
        }
        append(Condition.Equality(keyPath: keyPath, value: comparison.right))
    }
}
