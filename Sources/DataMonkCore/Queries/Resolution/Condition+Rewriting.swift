extension Condition.Comparison {
    /// Returns an equivalent condition with fewer forms, or `nil` if there is nothing to rewrite. Comparisons over
    /// subqueries become comparisons of their number of objects, lists with keys become comparisons with each element, and
    /// sets become AND and OR.
    func rewritten() throws(FetchError) -> Condition? {
        switch (left, operation, right) {
        case (.subquery, _, _), (.path(.subquery, _), _, _): return try quantifiedSubquery()
        case (_, .isIn, .subquery(let collection, let variable, let condition)) where modifier == .direct:
            return Self.exists(
                .subquery(collection, variable: variable, condition.and(.same(.variable(variable), left))))
        case (_, .isIn, .function(let set, let operands)) where operands.count == 2:
            return rewritten(set, operands: operands)
        case (_, .isIn, .list(let elements)):
            return try oneOf(elements)
        case (_, .between, .list(let bounds)):
            return try between(bounds)
        default: return nil
        }
    }

    /// Rewrites `ANY SUBQUERY(c, $x, p).k == v` as `SUBQUERY(c, $x, p AND $x.k == v).@count > 0`.
    private func quantifiedSubquery() throws(FetchError) -> Condition? {
        let source: ConditionExpression
        let keyPath: String?
        switch left {
        case .path(let start, let path): (source, keyPath) = (start, path)
        default: (source, keyPath) = (left, nil)
        }
        guard modifier != .direct, case .subquery(let collection, let variable, let condition) = source else {
            return nil
        }
        let object = ConditionExpression.variable(variable)
        var each = self
        each.left = keyPath.map { .path(object, $0) } ?? object
        each.modifier = .direct
        let isSought: Condition = modifier == .all ? .not(.comparison(each)) : .comparison(each)
        let found = Self.exists(.subquery(collection, variable: variable, condition.and(isSought)))
        return modifier == .any ? found : .not(found)
    }

    private static func exists(_ subquery: ConditionExpression) -> Condition {
        .comparison(.init(.path(subquery, "@count"), .greaterThan, .value(0)))
    }

    private func rewritten(
        _ set: ConditionExpression.Function, operands: [ConditionExpression]
    ) -> Condition? {
        var first = self
        var second = self
        first.right = operands[0]
        second.right = operands[1]
        switch set {
        case .union: return .or([.comparison(first), .comparison(second)])
        case .intersection: return .and([.comparison(first), .comparison(second)])
        case .difference: return .and([.comparison(first), .not(.comparison(second))])
        default: return nil
        }
    }

    private func oneOf(_ elements: [ConditionExpression]) throws(FetchError) -> Condition {
        guard modifier != .all else {
            throw FetchError(
                .unsupportedCondition, "ALL … IN requires a list of constants, but `\(right.outline)` contains keys.")
        }
        var each = self
        each.operation = .equal
        if modifier == .none { each.modifier = .any }
        let any = Condition.or(
            elements.map { element in
                each.right = element
                return .comparison(each)
            })
        return modifier == .none ? .not(any) : any
    }

    /// Returns the condition for BETWEEN. `nil` is never between two bounds.
    private func between(_ bounds: [ConditionExpression]) throws(FetchError) -> Condition {
        guard bounds.count == 2, modifier == .direct else {
            throw FetchError(
                .invalidRequest,
                bounds.count == 2
                    ? "ANY, ALL and NONE … BETWEEN require constants, but `\(right.outline)` contains keys."
                    : "BETWEEN requires exactly two bounds.")
        }
        return .and([
            .comparison(.init(left, .notEqual, .value(.null))),
            .comparison(.init(left, .greaterThanOrEqual, bounds[0], options: options)),
            .comparison(.init(left, .lessThanOrEqual, bounds[1], options: options)),
        ])
    }
}

extension Condition {
    fileprivate static func same(_ left: ConditionExpression, _ right: ConditionExpression) -> Condition {
        .comparison(.init(left, .equal, right))
    }
}
