// The variables of a condition: `age > $AGE`. The variables of subqueries are written alike, but do not count as variables
// here.

extension Condition {
    /// The names of the variables that need a value before the condition can be used, sorted and without duplicates.
    public var variableNames: [String] {
        let names = ConditionTraversal(self).compactMap { node in
            if case .variable(let name, isBound: false) = node { name } else { nil }
        }
        return Set(names).sorted()
    }

    /// Returns the condition with its variables replaced by values.
    ///
    ///     let grown = try Condition(format: "age >= $AGE AND location IN $PLACES")
    ///     request.condition = try grown.substituting(["AGE": 18, "PLACES": ["Taipei", "Tainan"]])
    ///
    /// - Throws: ``FetchError`` with the code `missingVariable` for a variable without a value, or `unknownVariable` for a
    ///   value whose variable does not occur in the condition.
    public func substituting(_ values: [String: any FormatArgument]) throws(FetchError) -> Condition {
        try substituting(values.mapValues(\.formatArgument))
    }

    func substituting(_ values: [String: ManagedValue]) throws(FetchError) -> Condition {
        let names = variableNames
        if let missing = names.first(where: { values[$0] == nil }) {
            throw .missingVariable(missing, among: values.keys)
        }
        if let unknown = values.keys.sorted().first(where: { !names.contains($0) }) {
            throw .unknownVariable(unknown, among: names)
        }
        return try replacingVariables { name, keyPath throws(FetchError) in
            guard let value = values[name] else { return nil }
            // The properties of an object are not read before the fetch.
            if let keyPath { throw .variableWithPath(name, keyPath: keyPath) }
            return .value(value)
        }
    }
}

extension Condition {
    /// Returns the expression that replaces a variable, or the value at a key path that starts at it. Returns `nil` to keep
    /// the variable.
    typealias VariableReplacement = (_ name: String, _ keyPath: String?) throws(FetchError) -> ConditionExpression?

    /// Returns the condition with its variables replaced by other expressions.
    func replacingVariables(_ replace: VariableReplacement) throws(FetchError) -> Condition {
        try requireUsableDepth()
        return try replacingVariables(outside: [], depth: 0, replace)
    }

    /// - Parameter bound: The names of the variables of the enclosing subqueries.
    fileprivate func replacingVariables(
        outside bound: Set<String>, depth: Int, _ replace: VariableReplacement
    ) throws(FetchError) -> Condition {
        if depth > Condition.maximumDepth { throw .deepCondition(nil) }
        return try replacing { part throws(FetchError) in
            try part.replacingVariables(outside: bound, depth: depth + 1, replace)
        } expressions: { expression throws(FetchError) in
            try expression.replacingVariables(outside: bound, depth: depth + 1, replace)
        }
    }
}

extension ConditionExpression {
    fileprivate func replacingVariables(
        outside bound: Set<String>, depth: Int, _ replace: Condition.VariableReplacement
    ) throws(FetchError) -> ConditionExpression {
        if depth > Condition.maximumDepth { throw .deepCondition(nil) }
        switch self {
        case .variable(let name): return bound.contains(name) ? self : try replace(name, nil) ?? self
        case .path(.variable(let name), let keyPath):
            return bound.contains(name) ? self : try replace(name, keyPath) ?? self
        default: break
        }
        var inner = bound
        if case .subquery(_, let variable, _) = self { inner.insert(variable) }
        let replaced = try replacing { condition throws(FetchError) in
            try condition.replacingVariables(outside: inner, depth: depth + 1, replace)
        } expressions: { expression throws(FetchError) in
            try expression.replacingVariables(outside: bound, depth: depth + 1, replace)
        }
        if case .list(let elements) = replaced, replaced != self { return Self.plainList(elements) }
        return replaced
    }

    /// Returns a constant if all elements of a list are constants.
    static func plainList(_ elements: [ConditionExpression]) -> ConditionExpression {
        let values = elements.compactMap { if case .value(let value) = $0 { value } else { nil } }
        return values.count == elements.count ? .value(.list(values)) : .list(elements)
    }
}
