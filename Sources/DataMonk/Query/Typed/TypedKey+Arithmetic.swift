public import DataMonkCore
public import Foundation

// A result that there is not is nil: of nil, of a division by zero, of whole numbers that outgrow 64 bits.
extension TypedKey where Value: Numeric {
    /// A result of arithmetic: it may be nil.
    public typealias Number = TypedKey<Value, Value?>

    /// The sum with a value. `ZAGE + ?`
    public static func + (key: Self, value: Value) -> Number { number(.add, key.expression, value.constant) }

    /// The difference from a value.
    public static func - (key: Self, value: Value) -> Number { number(.subtract, key.expression, value.constant) }

    /// The product with a value.
    public static func * (key: Self, value: Value) -> Number { number(.multiply, key.expression, value.constant) }

    /// The quotient by a value; of whole numbers the whole part.
    public static func / (key: Self, value: Value) -> Number { number(.divide, key.expression, value.constant) }

    /// The sum with a value.
    public static func + (value: Value, key: Self) -> Number { number(.add, value.constant, key.expression) }

    /// The difference from a value.
    public static func - (value: Value, key: Self) -> Number { number(.subtract, value.constant, key.expression) }

    /// The product with a value.
    public static func * (value: Value, key: Self) -> Number { number(.multiply, value.constant, key.expression) }

    /// The quotient of a value; of whole numbers the whole part.
    public static func / (value: Value, key: Self) -> Number { number(.divide, value.constant, key.expression) }

    /// The sum of two keys. `ZAGE + ZLIMIT`
    public static func + <Other>(key: Self, other: TypedKey<Value, Other>) -> Number {
        number(.add, key.expression, other.expression)
    }

    /// The difference of two keys.
    public static func - <Other>(key: Self, other: TypedKey<Value, Other>) -> Number {
        number(.subtract, key.expression, other.expression)
    }

    /// The product of two keys.
    public static func * <Other>(key: Self, other: TypedKey<Value, Other>) -> Number {
        number(.multiply, key.expression, other.expression)
    }

    /// The quotient of two keys; of whole numbers the whole part.
    public static func / <Other>(key: Self, other: TypedKey<Value, Other>) -> Number {
        number(.divide, key.expression, other.expression)
    }

    /// The number without its sign.
    public var absolute: Number { Number(.function(.absolute, [expression])) }

    fileprivate static func number(
        _ function: ConditionExpression.Function, _ left: ConditionExpression, _ right: ConditionExpression
    ) -> Number {
        Number(.function(function, [left, right]))
    }
}

extension TypedKey where Value: BinaryInteger {
    /// What a division leaves.
    public static func % (key: Self, value: Value) -> Number { number(.remainder, key.expression, value.constant) }
}

extension TypedKey where Value == Date {
    /// The moment some seconds later.
    public static func + (key: Self, seconds: Double) -> TypedKey<Date, Date?> {
        TypedKey<Date, Date?>(.function(.add, [key.expression, seconds.constant]))
    }

    /// The moment some seconds earlier.
    public static func - (key: Self, seconds: Double) -> TypedKey<Date, Date?> {
        TypedKey<Date, Date?>(.function(.subtract, [key.expression, seconds.constant]))
    }

    /// The seconds between two moments.
    public static func - <Other>(key: Self, other: TypedKey<Date, Other>) -> TypedKey<Double, Double?> {
        TypedKey<Double, Double?>(.function(.subtract, [key.expression, other.expression]))
    }
}
