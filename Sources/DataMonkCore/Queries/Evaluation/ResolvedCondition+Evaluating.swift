extension ResolvedCondition {
    /// Returns `true` if an object satisfies the condition.
    ///
    /// - Throws: ``FetchError`` if a value without a type turns out not to be comparable, or a regular expression takes too
    ///   long.
    package func isTrue(of reader: any PropertyReader) throws(FetchError) -> Bool {
        try isTrue(in: EvaluationScope(reader))
    }

    func isTrue(in source: some ConditionSource) throws(FetchError) -> Bool {
        switch self {
        case .constant(let isTrue): return isTrue
        case .comparison(let comparison): return try comparison.isTrue(in: source)
        case .identity(let identity): return identity.isTrue(in: source)
        case .and(let parts):
            for part in parts where try !part.isTrue(in: source) { return false }
            return true
        case .or(let parts):
            for part in parts where try part.isTrue(in: source) { return true }
            return false
        case .not(let inner): return try !inner.isTrue(in: source)
        }
    }
}

extension ResolvedComparison {
    fileprivate func isTrue(in source: some ConditionSource) throws(FetchError) -> Bool {
        let right = try right.value(in: source)
        guard quantifier != .direct, case .path(let path) = left else {
            return try holds(for: left.value(in: source), and: right)
        }
        var found = false
        // ANY looks for a value that satisfies the comparison, ALL for one that does not.
        let sought = quantifier == .any
        try source.forEachValue(at: path) { value throws(FetchError) in
            found = try holds(for: value, and: right) == sought
            return !found
        }
        return found == sought
    }

    private func holds(for left: ManagedValue, and right: ManagedValue) throws(FetchError) -> Bool {
        if let constants { return constants.contains(left) }
        return try ValueComparison.compare(left, by: operation, with: right, options: options)
    }
}

extension ResolvedExpression {
    func value(in source: some ConditionSource) throws(FetchError) -> ManagedValue {
        switch self {
        case .constant(let value): return value
        case .path(let path): return source.value(at: path)
        case .selection(let position, let kind): return kind.storageForm(of: source.column(at: position))
        case .calculation(let calculation):
            return try calculation.value { operand throws(FetchError) in try operand.value(in: source) }
        case .conditional(let condition, let first, let second, let kind):
            return kind.storageForm(
                of: try condition.isTrue(in: source) ? first.value(in: source) : second.value(in: source))
        case .subquery(let subquery): return try source.value(of: subquery)
        }
    }
}

extension ResolvedIdentity {
    fileprivate func isTrue(in source: some ConditionSource) -> Bool {
        let expected: [ObjectKey?] =
            switch other {
            case .keys(let keys): keys
            case .path(let path): [source.key(at: path)]
            }
        func isTrue(_ key: ObjectKey?) -> Bool { (manyKeys?.contains(key) ?? expected.contains(key)) != isNegated }
        switch quantifier {
        case .direct: return isTrue(source.key(at: path))
        case .any: return source.keys(at: path).contains(where: isTrue)
        case .all: return source.keys(at: path).allSatisfy(isTrue)
        }
    }
}
