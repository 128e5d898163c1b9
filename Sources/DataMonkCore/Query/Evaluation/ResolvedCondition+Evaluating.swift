extension ResolvedCondition {
    /// Whether the condition is true of an object.
    ///
    /// - Throws: ``FetchError`` where a value without a type turns out not to be comparable, or a regular expression takes
    ///   too long.
    package func isTrue(of reader: any PropertyReader) throws(FetchError) -> Bool {
        switch self {
        case .constant(let isTrue): return isTrue
        case .comparison(let comparison): return try comparison.isTrue(of: reader)
        case .identity(let identity): return identity.isTrue(of: reader)
        case .and(let parts):
            for part in parts where try !part.isTrue(of: reader) { return false }
            return true
        case .or(let parts):
            for part in parts where try part.isTrue(of: reader) { return true }
            return false
        case .not(let inner): return try !inner.isTrue(of: reader)
        }
    }

    /// Whether a condition on groups is true of one.
    ///
    /// - Parameter row: the group's columns, then what it is grouped by, as ``RowComposer`` makes them.
    func isTrue(of row: ComposedRow) throws(FetchError) -> Bool {
        switch self {
        case .constant(let isTrue): return isTrue
        case .comparison(let comparison):
            return try ValueComparison.compare(
                row.value(of: comparison.left), comparison.operation, row.value(of: comparison.right),
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
    fileprivate func isTrue(of reader: any PropertyReader) throws(FetchError) -> Bool {
        let right = right.value(of: reader)
        guard quantifier != .direct, case .path(let path) = left else {
            return try ValueComparison.compare(left.value(of: reader), operation, right, options: options)
        }
        var found = false
        // ANY looks for one that fits, ALL for one that does not.
        let sought = quantifier == .any
        try path.forEachValue(of: reader) { value throws(FetchError) in
            found = try ValueComparison.compare(value, operation, right, options: options) == sought
            return !found
        }
        return found == sought
    }
}

extension ResolvedExpression {
    fileprivate func value(of reader: any PropertyReader) -> ManagedValue {
        switch self {
        case .constant(let value): value
        case .path(let path): path.value(of: reader)
        case .selection: .null
        }
    }
}

extension ResolvedIdentity {
    fileprivate func isTrue(of reader: any PropertyReader) -> Bool {
        let expected: [ObjectKey?] =
            switch other {
            case .keys(let keys): keys
            case .path(let path): [path.key(of: reader)]
            }
        switch quantifier {
        case .direct: return isTrue(path.key(of: reader), expected)
        case .any: return path.keys(of: reader).contains { isTrue($0, expected) }
        case .all: return path.keys(of: reader).allSatisfy { isTrue($0, expected) }
        }
    }

    func isTrue(_ key: ObjectKey?, _ expected: [ObjectKey?]) -> Bool {
        expected.contains(key) != isNegated
    }
}
