extension ConditionExpression: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    /// Creates the constant `nil`.
    public init(nilLiteral: ()) { self = .value(.null) }
    /// Creates a constant from `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
    /// Creates a constant from an integer literal.
    public init(integerLiteral value: Int64) { self = .value(.int(value)) }
    /// Creates a constant from a floating-point literal.
    public init(floatLiteral value: Double) { self = .value(.double(value)) }
    /// Creates a constant from a string literal. For the value at a path, use ``keyPath(_:)``.
    public init(stringLiteral value: String) { self = .value(.string(value)) }
}

extension ConditionExpression {
    /// `.keyPath("age") + 1`
    public static func + (left: ConditionExpression, right: ConditionExpression) -> ConditionExpression {
        .function(.add, [left, right])
    }

    /// `.keyPath("age") - 1`
    public static func - (left: ConditionExpression, right: ConditionExpression) -> ConditionExpression {
        .function(.subtract, [left, right])
    }

    /// `.keyPath("age") * 2`
    public static func * (left: ConditionExpression, right: ConditionExpression) -> ConditionExpression {
        .function(.multiply, [left, right])
    }

    /// `.keyPath("age") / 2`; for two integers, the integer quotient.
    public static func / (left: ConditionExpression, right: ConditionExpression) -> ConditionExpression {
        .function(.divide, [left, right])
    }
}
