import Foundation

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        let function: ConditionExpression.Function =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            }
        return .value(.function(function, [try translator.value(lhs), try translator.value(rhs)]))
    }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .value(.function(.divide, [try translator.value(lhs), try translator.value(rhs)]))
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .value(.function(.remainder, [try translator.value(lhs), try translator.value(rhs)]))
    }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .value(.function(.divide, [try translator.value(lhs), try translator.value(rhs)]))
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .value(.function(.subtract, [.value(0), try translator.value(wrapped)]))
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        let lower = try translator.value(lower)
        return .range(TranslatedRange(lower: lower, upper: try translator.value(upper), includesUpper: true))
    }
}

extension PredicateExpressions.Range: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        let lower = try translator.value(lower)
        return .range(TranslatedRange(lower: lower, upper: try translator.value(upper), includesUpper: false))
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        guard let bounds = try translator.part(range).range else {
            throw .untranslatable(self, remedy: "Use a range with two bounds of an attribute's type.")
        }
        return .condition(bounds.contains(try translator.value(element)))
    }
}

extension TranslatedPart {
    /// The part as a range, or `nil` if it is not one.
    var range: TranslatedRange? {
        switch self {
        case .range(let range): range
        case .constant(let value): (value as? any BoundedRange)?.translated
        default: nil
        }
    }
}

/// A range whose bounds may be values of attributes.
private protocol BoundedRange {
    /// The range, or `nil` if no attribute has the type of the bounds.
    var translated: TranslatedRange? { get }
}

extension BoundedRange {
    /// Returns a bound as a side of a comparison, or `nil` if no attribute has its type.
    fileprivate func side(_ bound: Any) -> ConditionExpression? {
        (bound as? any ManagedAttribute).map { .value($0.managedValue) }
    }
}

extension ClosedRange: BoundedRange {
    fileprivate var translated: TranslatedRange? {
        guard let lower = side(lowerBound), let upper = side(upperBound) else { return nil }
        return TranslatedRange(lower: lower, upper: upper, includesUpper: true)
    }
}

extension Range: BoundedRange {
    fileprivate var translated: TranslatedRange? {
        guard let lower = side(lowerBound), let upper = side(upperBound) else { return nil }
        return TranslatedRange(lower: lower, upper: upper, includesUpper: false)
    }
}

extension PartialRangeFrom: BoundedRange {
    fileprivate var translated: TranslatedRange? {
        side(lowerBound).map { TranslatedRange(lower: $0, upper: nil, includesUpper: true) }
    }
}

extension PartialRangeThrough: BoundedRange {
    fileprivate var translated: TranslatedRange? {
        side(upperBound).map { TranslatedRange(lower: nil, upper: $0, includesUpper: true) }
    }
}

extension PartialRangeUpTo: BoundedRange {
    fileprivate var translated: TranslatedRange? {
        side(upperBound).map { TranslatedRange(lower: nil, upper: $0, includesUpper: false) }
    }
}
