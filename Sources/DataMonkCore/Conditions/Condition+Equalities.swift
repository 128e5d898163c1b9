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
                "The condition does not describe a single object to create. Use only `==` comparisons, joined by `&&`.")
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
                """
                `\(comparison.operation.symbol)` does not describe a single object to create. Use only `==` between a \
                key path and a value or another key path, without ANY, ALL or options.
                """)
        }
        if let known = first(where: { $0.keyPath == keyPath }) {
            if known.value == comparison.right { return }
            throw FetchError(
                .unsupportedCondition, "The condition gives two values to \"\(keyPath)\". Use each key only once.",
                keyPath: keyPath)
        }
        append(Condition.Equality(keyPath: keyPath, value: comparison.right))
    }
}
