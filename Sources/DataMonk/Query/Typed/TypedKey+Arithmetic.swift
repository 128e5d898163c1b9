public import DataMonkCore
public import Foundation

// An undefined result is `nil`: arithmetic on `nil`, division by zero, and overflow of a 64-bit integer.
extension TypedKey where Value: Numeric {
    /// The result of an arithmetic operation, which may be `nil`.
    public typealias Number = TypedKey<Value, Value?>

    /// The sum of the key and a value. `ZAGE + ?`
    public static func + (key: Self, value: Value) -> Number { number(.add, of: key.expression, and: value.constant) }

    /// The difference between the key and a value.
    public static func - (key: Self, value: Value) -> Number {
        number(.subtract, of: key.expression, and: value.constant)
    }

    /// The product of the key and a value.
    public static func * (key: Self, value: Value) -> Number {
        number(.multiply, of: key.expression, and: value.constant)
    }

    /// The quotient of the key and a value; for integers, truncated.
    public static func / (key: Self, value: Value) -> Number {
        number(.divide, of: key.expression, and: value.constant)
    }

    /// The sum of a value and the key.
    public static func + (value: Value, key: Self) -> Number { number(.add, of: value.constant, and: key.expression) }

    /// The difference between a value and the key.
    public static func - (value: Value, key: Self) -> Number {
        number(.subtract, of: value.constant, and: key.expression)
    }

    /// The product of a value and the key.
    public static func * (value: Value, key: Self) -> Number {
        number(.multiply, of: value.constant, and: key.expression)
    }

    /// The quotient of a value and the key; for integers, truncated.
    public static func / (value: Value, key: Self) -> Number {
        number(.divide, of: value.constant, and: key.expression)
    }

    /// The sum of two keys. `ZAGE + ZLIMIT`
    public static func + <Other>(key: Self, other: TypedKey<Value, Other>) -> Number {
        number(.add, of: key.expression, and: other.expression)
    }

    /// The difference of two keys.
    public static func - <Other>(key: Self, other: TypedKey<Value, Other>) -> Number {
        number(.subtract, of: key.expression, and: other.expression)
    }

    /// The product of two keys.
    public static func * <Other>(key: Self, other: TypedKey<Value, Other>) -> Number {
        number(.multiply, of: key.expression, and: other.expression)
    }

    /// The quotient of two keys; for integers, truncated.
    public static func / <Other>(key: Self, other: TypedKey<Value, Other>) -> Number {
        number(.divide, of: key.expression, and: other.expression)
    }

    /// The absolute value.
    public var absolute: Number { Number(.function(.absolute, [expression])) }

    fileprivate static func number(
        _ function: ConditionExpression.Function, of left: ConditionExpression, and right: ConditionExpression
    ) -> Number {
        Number(.function(function, [left, right]))
    }
}

extension TypedKey where Value: BinaryInteger {
    /// The remainder of a division.
    public static func % (key: Self, value: Value) -> Number {
        number(.remainder, of: key.expression, and: value.constant)
    }
}

extension TypedKey where Value == Date {
    /// The date a number of seconds later.
    public static func + (key: Self, seconds: Double) -> TypedKey<Date, Date?> {
        TypedKey<Date, Date?>(.function(.add, [key.expression, seconds.constant]))
    }

    /// The date a number of seconds earlier.
    public static func - (key: Self, seconds: Double) -> TypedKey<Date, Date?> {
        TypedKey<Date, Date?>(.function(.subtract, [key.expression, seconds.constant]))
    }

    /// The number of seconds between two dates.
    public static func - <Other>(key: Self, other: TypedKey<Date, Other>) -> TypedKey<Double, Double?> {
        TypedKey<Double, Double?>(.function(.subtract, [key.expression, other.expression]))
    }
}
