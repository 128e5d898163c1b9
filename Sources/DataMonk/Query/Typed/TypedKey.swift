public import DataMonkCore

/// **Value.** A value of an object, in a condition, an order or a column that is written with key paths.
///
/// ```swift
/// try World.fetchAll(Person.self, orderBy: .ascending(\.friend.name)) { $0.age * 2 >= 36 && $0.name.like("Mo*") }
/// ```
/// `Value` is what it is compared with, `Result` what a column of it holds: an optional where the value may be missing.
public struct TypedKey<Value: ManagedAttribute, Result: ManagedAttribute>: Sendable {
    /// The engine's form.
    let expression: ConditionExpression

    init(_ expression: ConditionExpression) { self.expression = expression }

    func compare(
        _ operation: Condition.Comparison.Operator, _ right: ConditionExpression,
        _ options: Condition.Comparison.Options = []
    ) -> Query {
        Query(.comparison(.init(expression, operation, right, options: options)))
    }
}

// MARK: Comparing with a value

extension TypedKey {
    /// Equal; nil equals nil. `ZNAME = ?`, for nil `ZNAME IS NULL`
    public static func == (key: Self, value: Value?) -> Query { key.compare(.equal, value.constant) }

    /// Not equal; nil differs from every value. `ZNAME IS NOT ?`, for nil `ZNAME IS NOT NULL`
    public static func != (key: Self, value: Value?) -> Query { key.compare(.notEqual, value.constant) }

    /// Less; false for nil. `ZAGE < ?`
    public static func < (key: Self, value: Value) -> Query { key.compare(.lessThan, value.constant) }

    /// Less or equal; false for nil. `ZAGE <= ?`
    public static func <= (key: Self, value: Value) -> Query { key.compare(.lessThanOrEqual, value.constant) }

    /// Greater; false for nil. `ZAGE > ?`
    public static func > (key: Self, value: Value) -> Query { key.compare(.greaterThan, value.constant) }

    /// Greater or equal; false for nil. `ZAGE >= ?`
    public static func >= (key: Self, value: Value) -> Query { key.compare(.greaterThanOrEqual, value.constant) }

    /// One of some values. `ZNAME IN (…)`
    public func `in`<Values: Sequence>(_ values: Values) -> Query where Values.Element == Value {
        compare(.isIn, .value(.list(values.map(\.managedValue))))
    }

}

extension TypedKey where Value: Comparable {
    /// Within two bounds, both included; false for nil. `ZAGE BETWEEN ? AND ?`
    public func between(_ bounds: ClosedRange<Value>) -> Query {
        compare(.between, .value(.list([bounds.lowerBound.managedValue, bounds.upperBound.managedValue])))
    }

    /// Within two bounds, without the upper one; false for nil. `ZAGE >= ? AND ZAGE < ?`
    public func between(_ bounds: Range<Value>) -> Query { self >= bounds.lowerBound && self < bounds.upperBound }

    /// A range of whole numbers would be written out number by number.
    @available(*, unavailable, renamed: "between(_:)")
    public func `in`(_ bounds: ClosedRange<Value>) -> Query { between(bounds) }

    /// A range of whole numbers would be written out number by number.
    @available(*, unavailable, renamed: "between(_:)")
    public func `in`(_ bounds: Range<Value>) -> Query { between(bounds) }
}

// MARK: Comparing with another key

extension TypedKey {
    /// The values of two keys are equal, or both nil. `ZNAME IS ZLOCATION`
    public static func == <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.equal, other.expression)
    }

    /// The values of two keys differ. `ZNAME IS NOT ZLOCATION`
    public static func != <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.notEqual, other.expression)
    }

    /// The first key's value is less. `ZAGE < ZLIMIT`
    public static func < <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.lessThan, other.expression)
    }

    /// The first key's value is less or equal; nil and nil are.
    public static func <= <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.lessThanOrEqual, other.expression)
    }

    /// The first key's value is greater. `ZAGE > ZLIMIT`
    public static func > <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.greaterThan, other.expression)
    }

    /// The first key's value is greater or equal; nil and nil are.
    public static func >= <Other>(key: Self, other: TypedKey<Value, Other>) -> Query {
        key.compare(.greaterThanOrEqual, other.expression)
    }
}

extension TypedKey {
    /// The value, or another one where it is nil: `($0.friend.age ?? 0) < 18`. `CASE WHEN … IS NULL THEN ? ELSE … END`
    public static func ?? (key: Self, value: Value) -> TypedKey<Value, Value> {
        TypedKey<Value, Value>(
            .conditional(
                .comparison(.init(key.expression, .equal, .value(.null))), then: value.constant, else: key.expression))
    }
}

extension ManagedAttribute {
    /// The value as a side of a comparison.
    var constant: ConditionExpression { .value(managedValue) }
}
