extension ResolvedCondition {
    /// Returns `true` if an object satisfies the condition.
    ///
    /// - Throws: ``FetchError`` if a value without a type turns out not to be comparable, or a regular expression takes too
    ///   long.
    package func isTrue(of reader: any PropertyReader) throws(FetchError) -> Bool {
        try isTrue(in: EvaluationScope(reader))
    }

    func isTrue(in scope: EvaluationScope) throws(FetchError) -> Bool {
        switch self {
        case .constant(let isTrue): return isTrue
        case .comparison(let comparison): return try comparison.isTrue(in: scope)
        case .identity(let identity): return identity.isTrue(in: scope)
        case .and(let parts):
            for part in parts where try !part.isTrue(in: scope) { return false }
            return true
        case .or(let parts):
            for part in parts where try part.isTrue(in: scope) { return true }
            return false
        case .not(let inner): return try !inner.isTrue(in: scope)
        }
    }

    /// Returns `true` if a group satisfies a condition on groups.
    ///
    /// - Parameter row: The group's columns, then the values it is grouped by, as ``RowComposer`` makes them.
    func isTrue(of row: ComposedRow) throws(FetchError) -> Bool {
        switch self {
        case .constant(let isTrue): return isTrue
        case .comparison(let comparison):
            return try ValueComparison.compare(
                try row.value(of: comparison.left), comparison.operation, try row.value(of: comparison.right),
                options: comparison.options)
        case .identity(let identity): return row.isTrue(identity)
        case .and(let parts):
            for part in parts where try !part.isTrue(of: row) { return false }
            return true
        case .or(let parts):
            for part in parts where try part.isTrue(of: row) { return true }
            return false
        case .not(let inner): return try !inner.isTrue(of: row)
        }
    }
}

extension ResolvedComparison {
    fileprivate func isTrue(in scope: EvaluationScope) throws(FetchError) -> Bool {
        let right = try right.value(in: scope)
        guard quantifier != .direct, case .path(let path) = left else {
            return try holds(left.value(in: scope), right)
        }
        var found = false
        // ANY looks for a value that satisfies the comparison, ALL for one that does not.
        let sought = quantifier == .any
        guard let start = scope.start(of: path) else { return quantifier == .all }
        try path.forEachValue(of: start) { value throws(FetchError) in
            found = try holds(value, right) == sought
            return !found
        }
        return found == sought
    }

    private func holds(_ left: ManagedValue, _ right: ManagedValue) throws(FetchError) -> Bool {
        if let constants { return constants.contains(left) }
        return try ValueComparison.compare(left, operation, right, options: options)
    }
}

extension ResolvedExpression {
    func value(in scope: EvaluationScope) throws(FetchError) -> ManagedValue {
        switch self {
        case .constant(let value): return value
        case .path(let path): return scope.value(at: path)
        case .selection: return .null
        case .calculation(let calculation):
            return try calculation.value { operand throws(FetchError) in try operand.value(in: scope) }
        case .conditional(let condition, let first, let second, let kind):
            return kind.storageForm(
                of: try condition.isTrue(in: scope) ? first.value(in: scope) : second.value(in: scope))
        case .subquery(let subquery): return try subquery.value(in: scope)
        }
    }
}

extension ResolvedSubquery {
    fileprivate func value(in scope: EvaluationScope) throws(FetchError) -> ManagedValue {
        var state = AggregateAccumulator(aggregate)
        for object in scope.objects(at: collection) {
            guard try condition.isTrue(in: scope.adding(object)) else { continue }
            state.add(value?.value(of: object) ?? .int(1))
        }
        return state.operatorValue.storageForm
    }
}

extension ResolvedIdentity {
    fileprivate func isTrue(in scope: EvaluationScope) -> Bool {
        let expected: [ObjectKey?] =
            switch other {
            case .keys(let keys): keys
            case .path(let path): [scope.key(at: path)]
            }
        switch quantifier {
        case .direct: return isTrue(scope.key(at: path), expected)
        case .any: return scope.keys(at: path).contains { isTrue($0, expected) }
        case .all: return scope.keys(at: path).allSatisfy { isTrue($0, expected) }
        }
    }

    func isTrue(_ key: ObjectKey?, _ expected: [ObjectKey?]) -> Bool {
        expected.contains(key) != isNegated
    }
}
