/// **Value.** The translation of a part of a predicate.
indirect enum TranslatedPart {
    /// A truth value.
    case condition(Condition)
    /// A truth value, or `nil` if the second condition is false.
    case optionalCondition(Condition, isPresent: Condition)
    /// A value for each object.
    case value(ConditionExpression)
    /// The object at the end of a path, or `nil`.
    case object(ConditionExpression)
    /// The objects at the end of a path that satisfy a condition, in which a variable stands for the object.
    case collection(ConditionExpression, variable: String, Condition?)
    /// The values between two bounds.
    case range(TranslatedRange)
    /// A Swift value that does not depend on an object.
    case constant(Any)
}

/// **Value.** Two bounds, each `nil` if there is none.
struct TranslatedRange {
    var lower: ConditionExpression?
    var upper: ConditionExpression?
    var includesUpper: Bool

    /// Returns the condition that the value lies within the bounds.
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
    /// The part as a condition, in which `nil` counts as false; or `nil` if the part is not a truth value.
    var condition: Condition? {
        switch self {
        case .condition(let condition): condition
        case .optionalCondition(let condition, let isPresent): isPresent.and(condition)
        case .value(let value): .comparison(.init(value, .equal, .value(true)))
        case .constant(let value): (value as? Bool).map { .constant($0) }
        case .object, .collection, .range: nil
        }
    }

    /// The part as a side of a comparison, or `nil` if it cannot be one.
    var value: ConditionExpression? {
        switch self {
        case .value(let value), .object(let value): value
        case .constant(let value): ManagedValue(constant: value).map { .value($0) }
        case .condition(let condition): .conditional(condition, then: .value(true), else: .value(false))
        case .optionalCondition, .collection, .range: nil
        }
    }

    /// The condition that the part is not `nil`; or `nil` if the part is never `nil`.
    var isPresent: Condition? {
        switch self {
        case .value(let value), .object(let value): .comparison(.init(value, .notEqual, .value(.null)))
        case .optionalCondition(_, let isPresent): isPresent
        case .constant(let value): .constant(!Self.isNil(value))
        case .condition, .collection, .range: nil
        }
    }

    /// Returns `true` if a Swift value is an optional without a value.
    static func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }
}

extension ManagedValue {
    /// Creates a constant from a Swift value, or returns `nil` for a type that no attribute has.
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
