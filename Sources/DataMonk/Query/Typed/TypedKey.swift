public import DataMonkCore

/// **Value.** A value of an object, in a condition, an order or a column written with key paths.
///
/// ```swift
/// try World.fetchAll(Person.self, orderBy: .ascending(\.friend.name)) { $0.age * 2 >= 36 && $0.name.like("Mo*") }
/// ```
/// `Value` is the type it is compared with. `Result` is the type of a column of it: an optional where the value may be
/// missing.
public struct TypedKey<Value: ManagedAttribute, Result: ManagedAttribute>: Sendable {
    /// The untyped expression.
    let expression: ConditionExpression

    init(_ expression: ConditionExpression) { self.expression = expression }

    func compare(
        _ operation: Condition.Comparison.Operator, to right: ConditionExpression,
        options: Condition.Comparison.Options = []
    ) -> Query {
        Query(.comparison(.init(expression, operation, right, options: options)))
    }
}

// MARK: Comparing with a value

extension TypedKey {
    /// Matches values equal to `value`; `nil` equals `nil`. `ZNAME = ?`, for `nil` `ZNAME IS NULL`
    public static func == (key: Self, value: Value?) -> Query { key.compare(.equal, to: value.constant) }

    /// Matches values other than `value`; `nil` differs from every value. `ZNAME IS NOT ?`, for `nil` `ZNAME IS NOT NULL`
    public static func != (key: Self, value: Value?) -> Query { key.compare(.notEqual, to: value.constant) }

    /// Matches values less than `value`, but not `nil`. `ZAGE < ?`
    public static func < (key: Self, value: Value) -> Query { key.compare(.lessThan, to: value.constant) }

    /// Matches values less than or equal to `value`, but not `nil`. `ZAGE <= ?`
    public static func <= (key: Self, value: Value) -> Query { key.compare(.lessThanOrEqual, to: value.constant) }

    /// Matches values greater than `value`, but not `nil`. `ZAGE > ?`
    public static func > (key: Self, value: Value) -> Query { key.compare(.greaterThan, to: value.constant) }

    /// Matches values greater than or equal to `value`, but not `nil`. `ZAGE >= ?`
    public static func >= (key: Self, value: Value) -> Query { key.compare(.greaterThanOrEqual, to: value.constant) }

    /// Matches any of the given values. An empty list matches nothing. `ZNAME IN (…)`
    public func `in`<Values: Sequence>(_ values: Values) -> Query where Values.Element == Value {
        compare(.isIn, to: .value(.list(values.map(\.managedValue))))
    }

    /// Matches any of the given values; `nil` among them matches `nil`. `(ZNAME IN (…) OR ZNAME IS NULL)`
    public func `in`<Values: Sequence>(_ values: Values) -> Query where Values.Element == Value? {
        compare(.isIn, to: .value(.list(values.map(\.managedValue))))
    }
}

extension TypedKey where Value: Comparable {
    /// Matches values within bounds, both included, but not `nil`. `ZAGE BETWEEN ? AND ?`
    public func between(_ bounds: ClosedRange<Value>) -> Query {
        compare(.between, to: .value(.list([bounds.lowerBound.managedValue, bounds.upperBound.managedValue])))
    }

    /// Matches values within bounds, the upper one excluded, but not `nil`. `ZAGE >= ? AND ZAGE < ?`
    public func between(_ bounds: Range<Value>) -> Query { self >= bounds.lowerBound && self < bounds.upperBound }
}

extension TypedKey where Value: Comparable & Strideable, Value.Stride: SignedInteger {
    // Ranges of integers are sequences, too, and would be passed number by number.

    /// Matches integers within bounds, both included, as ``between(_:)-(ClosedRange<Value>)`` does. `ZAGE BETWEEN ? AND ?`
    public func `in`(_ bounds: ClosedRange<Value>) -> Query { between(bounds) }

    /// Matches integers within bounds, the upper one excluded. `ZAGE >= ? AND ZAGE < ?`
    public func `in`(_ bounds: Range<Value>) -> Query { between(bounds) }

    /// Matches integers from a bound on. `ZAGE >= ?`
    public func `in`(_ bounds: PartialRangeFrom<Value>) -> Query { self >= bounds.lowerBound }
}

// MARK: Comparing with another key

extension TypedKey {
    /// Matches if the values of two keys are equal, or both `nil`. `ZNAME IS ZLOCATION`
    public static func == <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.equal, to: other.expression)
    }

    /// Matches if the values of two keys differ. `ZNAME IS NOT ZLOCATION`
    public static func != <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.notEqual, to: other.expression)
    }

    /// Matches if the first key's value is less than the second's. `ZAGE < ZLIMIT`
    public static func < <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.lessThan, to: other.expression)
    }

    /// Matches if the first key's value is less than or equal to the second's, or if both are `nil`.
    public static func <= <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.lessThanOrEqual, to: other.expression)
    }

    /// Matches if the first key's value is greater than the second's. `ZAGE > ZLIMIT`
    public static func > <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.greaterThan, to: other.expression)
    }

    /// Matches if the first key's value is greater than or equal to the second's, or if both are `nil`.
    public static func >= <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.greaterThanOrEqual, to: other.expression)
    }
}

extension TypedKey {
    /// The value, or a default where it is `nil`: `($0.friend.age ?? 0) < 18`. `CASE WHEN … IS NULL THEN ? ELSE … END`
    public static func ?? (key: Self, value: Value) -> TypedKey<Value, Value> {
        TypedKey<Value, Value>(
            .conditional(
                .comparison(.init(key.expression, .equal, .value(.null))), then: value.constant, else: key.expression))
    }
}

extension ManagedAttribute {
    /// The value as an operand of a comparison.
    var constant: ConditionExpression { .value(managedValue) }
}
