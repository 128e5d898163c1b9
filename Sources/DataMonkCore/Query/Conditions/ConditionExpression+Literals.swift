extension ConditionExpression: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    /// `nil` is a constant.
    public init(nilLiteral: ()) { self = .value(.null) }
    /// `true` and `false` are constants.
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
    /// A whole number is a constant.
    public init(integerLiteral value: Int64) { self = .value(.int(value)) }
    /// A number with a point is a constant.
    public init(floatLiteral value: Double) { self = .value(.double(value)) }
    /// Text in quotes is a constant; the value at a path is ``keyPath(_:)``.
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

    /// `.keyPath("age") / 2`; of two whole numbers the whole part.
    public static func / (left: ConditionExpression, right: ConditionExpression) -> ConditionExpression {
        .function(.divide, [left, right])
    }
}
