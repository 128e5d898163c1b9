public import DataMonkCore

// The value stands right of the operator: a value of any attribute type, nil, another key, an object, or an object's id.
// Each of the six operators has one overload a kind: few enough for the compiler to choose at once.

extension QueryKey {
    /// Equal; nil equals nil. `ZNAME = ?`, for nil `ZNAME IS NULL`
    public static func == (key: QueryKey, value: some ManagedAttribute) -> Query { key.compare(.equal, value) }

    /// Not equal; nil differs from every value. `ZNAME IS NOT ?`, for nil `ZNAME IS NOT NULL`
    public static func != (key: QueryKey, value: some ManagedAttribute) -> Query { key.compare(.notEqual, value) }

    /// Less; false for nil. `ZAGE < ?`
    public static func < (key: QueryKey, value: some ManagedAttribute) -> Query { key.compare(.lessThan, value) }

    /// Less or equal; false for nil. `ZAGE <= ?`
    public static func <= (key: QueryKey, value: some ManagedAttribute) -> Query {
        key.compare(.lessThanOrEqual, value)
    }

    /// Greater; false for nil. `ZAGE > ?`
    public static func > (key: QueryKey, value: some ManagedAttribute) -> Query { key.compare(.greaterThan, value) }

    /// Greater or equal; false for nil. `ZAGE >= ?`
    public static func >= (key: QueryKey, value: some ManagedAttribute) -> Query {
        key.compare(.greaterThanOrEqual, value)
    }

    private func compare(_ operation: Condition.Comparison.Operator, _ value: some ManagedAttribute) -> Query {
        compare(operation, .value(value.managedValue))
    }

    func compare(_ operation: Condition.Comparison.Operator, _ right: ConditionExpression) -> Query {
        Query(.comparison(.init(.keyPath(keyPath), operation, right, modifier: modifier)))
    }
}

extension QueryKey {
    /// The values of two keys are equal. `ZNAME IS ZLOCATION`
    public static func == (key: QueryKey, other: QueryKey) -> Query { key.compare(.equal, other.expression) }

    /// The values of two keys differ. `ZNAME IS NOT ZLOCATION`
    public static func != (key: QueryKey, other: QueryKey) -> Query { key.compare(.notEqual, other.expression) }

    /// The first key's value is less. `ZAGE < ZLIMIT`
    public static func < (key: QueryKey, other: QueryKey) -> Query { key.compare(.lessThan, other.expression) }

    /// The first key's value is less or equal; nil and nil are. `ZAGE <= ZLIMIT OR ZAGE IS NULL AND ZLIMIT IS NULL`
    public static func <= (key: QueryKey, other: QueryKey) -> Query { key.compare(.lessThanOrEqual, other.expression) }

    /// The first key's value is greater. `ZAGE > ZLIMIT`
    public static func > (key: QueryKey, other: QueryKey) -> Query { key.compare(.greaterThan, other.expression) }

    /// The first key's value is greater or equal; nil and nil are. `ZAGE >= ZLIMIT OR ZAGE IS NULL AND ZLIMIT IS NULL`
    public static func >= (key: QueryKey, other: QueryKey) -> Query {
        key.compare(.greaterThanOrEqual, other.expression)
    }

    private var expression: ConditionExpression { .keyPath(keyPath) }
}

extension QueryKey {
    /// There is no value. `ZLOCATION IS NULL`
    public static func == (key: QueryKey, none: _OptionalNilComparisonType) -> Query {
        key.compare(.equal, .value(.null))
    }

    /// There is a value. `ZLOCATION IS NOT NULL`
    public static func != (key: QueryKey, none: _OptionalNilComparisonType) -> Query {
        key.compare(.notEqual, .value(.null))
    }
}

extension QueryKey {
    /// The relationship leads to the object. `ZFRIEND = ?`
    public static func == (key: QueryKey, object: ManagedObject?) -> Query {
        key.compare(.equal, .value(.init(object)))
    }

    /// The relationship leads elsewhere or nowhere. `ZFRIEND IS NOT ?`
    public static func != (key: QueryKey, object: ManagedObject?) -> Query {
        key.compare(.notEqual, .value(.init(object)))
    }

    /// The relationship leads to the object with the id. `ZFRIEND = ?`
    public static func == <Object>(key: QueryKey, id: ObjectID<Object>?) -> Query {
        key.compare(.equal, .value(id.map { .object($0.erased) } ?? .null))
    }

    /// The relationship leads elsewhere or nowhere. `ZFRIEND IS NOT ?`
    public static func != <Object>(key: QueryKey, id: ObjectID<Object>?) -> Query {
        key.compare(.notEqual, .value(id.map { .object($0.erased) } ?? .null))
    }

    /// The relationship leads to the object with the id. `ZFRIEND = ?`
    public static func == (key: QueryKey, id: AnyObjectID?) -> Query {
        key.compare(.equal, .value(id.map { .object($0) } ?? .null))
    }

    /// The relationship leads elsewhere or nowhere. `ZFRIEND IS NOT ?`
    public static func != (key: QueryKey, id: AnyObjectID?) -> Query {
        key.compare(.notEqual, .value(id.map { .object($0) } ?? .null))
    }
}

extension ManagedValue {
    fileprivate init(_ object: ManagedObject?) {
        self = object.map { .object($0.anyObjectID) } ?? .null
    }
}
