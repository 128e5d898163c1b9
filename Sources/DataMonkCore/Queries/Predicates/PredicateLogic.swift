import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .condition(try translator.condition(lhs).and(try translator.condition(rhs)))
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .condition(try translator.condition(lhs).or(try translator.condition(rhs)))
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .condition(try translator.condition(wrapped).negated)
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        let test = try translator.condition(test)
        if Output.self == Bool.self {
            let first = try translator.condition(trueBranch)
            let second = try translator.condition(falseBranch)
            return .condition(test.and(first).or(test.negated.and(second)))
        }
        let first = try translator.value(trueBranch)
        return .value(.conditional(test, then: first, else: try translator.value(falseBranch)))
    }
}

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .condition(try translator.equality(of: lhs, and: rhs, in: self))
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .condition(try translator.equality(of: lhs, and: rhs, in: self).negated)
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        let left = try translator.value(lhs)
        let right = try translator.value(rhs)
        let operation: Condition.Comparison.Operator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqual
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqual
            }
        return .condition(.comparison(.init(left, operation, right)))
    }
}

extension PredicateTranslator {
    /// Returns the condition that two parts are equal, or both `nil`.
    fileprivate func equality(
        of left: any PredicateExpression, and right: any PredicateExpression, in whole: any PredicateExpression
    ) throws(FetchError) -> Condition {
        let (one, other) = (try part(left), try part(right))
        switch (one, other) {
        case (.condition, _), (.optionalCondition, _): return try truthEquality(of: one, and: other, in: whole)
        case (_, .condition), (_, .optionalCondition): return try truthEquality(of: other, and: one, in: whole)
        default: break
        }
        guard let one = one.value, let other = other.value else {
            throw .untranslatable(whole, remedy: "Compare values, objects or Boolean values, not collections.")
        }
        return .comparison(.init(one, .equal, other))
    }

    /// Returns the condition that two truth values, either of which may be `nil`, are equal.
    private func truthEquality(
        of one: TranslatedPart, and other: TranslatedPart, in whole: any PredicateExpression
    ) throws(FetchError) -> Condition {
        if case .value(.value(.null)) = other { return one.isPresent?.negated ?? .constant(false) }
        if case .constant(let value) = other, TranslatedPart.isNil(value) {
            return one.isPresent?.negated ?? .constant(false)
        }
        // Each `condition` is false for `nil`.
        guard let isTrue = one.condition, let otherIsTrue = other.condition else {
            throw .untranslatable(whole, remedy: "Compare a Boolean value with another one.")
        }
        let isFalse = isTrue.negated.and(one.isPresent ?? .constant(true))
        let otherIsFalse = otherIsTrue.negated.and(other.isPresent ?? .constant(true))
        let agree = isTrue.and(otherIsTrue).or(isFalse.and(otherIsFalse))
        switch (other, one.isPresent, other.isPresent) {
        case (.constant(let value), _, _): return value as? Bool == true ? isTrue : isFalse
        case (_, let present?, let otherPresent?): return agree.or(present.negated.and(otherPresent.negated))
        default: return agree
        }
    }
}
