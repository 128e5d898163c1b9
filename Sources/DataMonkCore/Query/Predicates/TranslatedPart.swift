import Foundation

/// **Value.** What a part of a predicate stands for.
indirect enum TranslatedPart {
    /// True or false.
    case condition(Condition)
    /// True, false, or nil where the second condition is false.
    case optionalCondition(Condition, isPresent: Condition)
    /// A value of each object.
    case value(ConditionExpression)
    /// An object, or nil, that a path leads to.
    case object(ConditionExpression)
    /// Objects that a path leads to; those that meet a condition, in which a variable is the object.
    case collection(ConditionExpression, variable: String, Condition?)
    /// The values between two bounds.
    case range(TranslatedRange)
    /// A value of Swift's that no object has a part in.
    case constant(Any)
}

/// **Value.** Two bounds; nil for none.
struct TranslatedRange {
    var lower: ConditionExpression?
    var upper: ConditionExpression?
    var includesUpper: Bool

    /// The value lies within the bounds.
    func contains(_ value: ConditionExpression) -> Condition {
        var parts: [Condition] = []
        if let lower { parts.append(.comparison(.init(value, .greaterThanOrEqual, lower))) }
        if let upper {
            parts.append(.comparison(.init(value, includesUpper ? .lessThanOrEqual : .lessThan, upper)))
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }
}

extension TranslatedPart {
    /// The part as something true or false; nil for what is neither. Nil counts as false.
    var condition: Condition? {
        switch self {
        case .condition(let condition): condition
        case .optionalCondition(let condition, let isPresent): isPresent.and(condition)
        case .value(let value): .comparison(.init(value, .equal, .value(true)))
        case .constant(let value): (value as? Bool).map { .constant($0) }
        case .object, .collection, .range: nil
        }
    }

    /// The part as a side of a comparison, nil for what cannot be one.
    var value: ConditionExpression? {
        switch self {
        case .value(let value), .object(let value): value
        case .constant(let value): ManagedValue(constant: value).map { .value($0) }
        case .condition(let condition): .conditional(condition, then: .value(true), else: .value(false))
        case .optionalCondition, .collection, .range: nil
        }
    }

    /// The condition that the part is not nil; nil for what never is.
    var isPresent: Condition? {
        switch self {
        case .value(let value), .object(let value): .comparison(.init(value, .notEqual, .value(.null)))
        case .optionalCondition(_, let isPresent): isPresent
        case .constant(let value): .constant(!Self.isNil(value))
        case .condition, .collection, .range: nil
        }
    }

    /// Whether a value of Swift's is an optional without a value.
    static func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }
}

extension ManagedValue {
    /// A value of Swift's as a constant, nil for a type that no attribute has.
    fileprivate init?(constant value: Any) {
        switch value {
        case let text as Substring: self = .string(String(text))
        case let character as Character: self = .string(String(character))
        case let argument as any FormatArgument: self = argument.formatArgument
        default:
            guard TranslatedPart.isNil(value) else { return nil }
            self = .null
        }
    }
}
