public import DataMonkCore

// The right operand is a value of any attribute type, `nil`, another key, an object or an object's id. Each of the six
// operators has one overload per kind of operand, few enough for fast type checking.

extension QueryKey {
    /// Matches values equal to `value`; `nil` equals `nil`. `ZNAME = ?`, for `nil` `ZNAME IS NULL`
    public static func == (key: QueryKey, value: some ManagedAttribute) -> Query { key.compare(.equal, to: value) }

    /// Matches values other than `value`; `nil` differs from every value. `ZNAME IS NOT ?`, for `nil` `ZNAME IS NOT NULL`
    public static func != (key: QueryKey, value: some ManagedAttribute) -> Query { key.compare(.notEqual, to: value) }

    /// Matches values less than `value`, but not `nil`. `ZAGE < ?`
    public static func < (key: QueryKey, value: some ManagedAttribute) -> Query { key.compare(.lessThan, to: value) }

    /// Matches values less than or equal to `value`, but not `nil`. `ZAGE <= ?`
    public static func <= (key: QueryKey, value: some ManagedAttribute) -> Query {
        key.compare(.lessThanOrEqual, to: value)
    }

    /// Matches values greater than `value`, but not `nil`. `ZAGE > ?`
    public static func > (key: QueryKey, value: some ManagedAttribute) -> Query { key.compare(.greaterThan, to: value) }

    /// Matches values greater than or equal to `value`, but not `nil`. `ZAGE >= ?`
    public static func >= (key: QueryKey, value: some ManagedAttribute) -> Query {
        key.compare(.greaterThanOrEqual, to: value)
    }

    private func compare(_ operation: Condition.Comparison.Operator, to value: some ManagedAttribute) -> Query {
        compare(operation, to: .value(value.managedValue))
    }

    func compare(_ operation: Condition.Comparison.Operator, to right: ConditionExpression) -> Query {
        Query(.comparison(.init(.keyPath(keyPath), operation, right, modifier: modifier)))
    }
}

extension QueryKey {
    /// Matches if the values of two keys are equal. `ZNAME IS ZLOCATION`
    public static func == (key: QueryKey, other: QueryKey) -> Query { key.compare(.equal, to: other.expression) }

    /// Matches if the values of two keys differ. `ZNAME IS NOT ZLOCATION`
    public static func != (key: QueryKey, other: QueryKey) -> Query { key.compare(.notEqual, to: other.expression) }

    /// Matches if the first key's value is less than the second's. `ZAGE < ZLIMIT`
    public static func < (key: QueryKey, other: QueryKey) -> Query { key.compare(.lessThan, to: other.expression) }

    /// Matches if the first key's value is less than or equal to the second's, or if both are `nil`. `ZAGE <= ZLIMIT OR ZAGE
    /// IS NULL AND ZLIMIT IS NULL`
    public static func <= (key: QueryKey, other: QueryKey) -> Query {
        key.compare(.lessThanOrEqual, to: other.expression)
    }

    /// Matches if the first key's value is greater than the second's. `ZAGE > ZLIMIT`
    public static func > (key: QueryKey, other: QueryKey) -> Query { key.compare(.greaterThan, to: other.expression) }

    /// Matches if the first key's value is greater than or equal to the second's, or if both are `nil`. `ZAGE >= ZLIMIT OR
    /// ZAGE IS NULL AND ZLIMIT IS NULL`
    public static func >= (key: QueryKey, other: QueryKey) -> Query {
        key.compare(.greaterThanOrEqual, to: other.expression)
    }

    private var expression: ConditionExpression { .keyPath(keyPath) }
}

extension QueryKey {
    /// Matches `nil`. `ZLOCATION IS NULL`
    public static func == (key: QueryKey, none: _OptionalNilComparisonType) -> Query {
        key.compare(.equal, to: .value(.null))
    }

    /// Matches values other than `nil`. `ZLOCATION IS NOT NULL`
    public static func != (key: QueryKey, none: _OptionalNilComparisonType) -> Query {
        key.compare(.notEqual, to: .value(.null))
    }
}

extension QueryKey {
    /// Matches a to-one relationship to the object. `ZFRIEND = ?`
    public static func == (key: QueryKey, object: ManagedObject?) -> Query {
        key.compare(.equal, to: .value(.init(object)))
    }

    /// Matches a to-one relationship to another object, or to none. `ZFRIEND IS NOT ?`
    public static func != (key: QueryKey, object: ManagedObject?) -> Query {
        key.compare(.notEqual, to: .value(.init(object)))
    }

    /// Matches a to-one relationship to the object with the id. `ZFRIEND = ?`
    public static func == <Object>(key: QueryKey, id: ObjectID<Object>?) -> Query {
        key.compare(.equal, to: .value(id.map { .object($0.erased) } ?? .null))
    }

    /// Matches a to-one relationship to another object, or to none. `ZFRIEND IS NOT ?`
    public static func != <Object>(key: QueryKey, id: ObjectID<Object>?) -> Query {
        key.compare(.notEqual, to: .value(id.map { .object($0.erased) } ?? .null))
    }

    /// Matches a to-one relationship to the object with the id. `ZFRIEND = ?`
    public static func == (key: QueryKey, id: AnyObjectID?) -> Query {
        key.compare(.equal, to: .value(id.map { .object($0) } ?? .null))
    }

    /// Matches a to-one relationship to another object, or to none. `ZFRIEND IS NOT ?`
    public static func != (key: QueryKey, id: AnyObjectID?) -> Query {
        key.compare(.notEqual, to: .value(id.map { .object($0) } ?? .null))
    }
}

extension QueryKey {
    /// Matches any of the given values, objects or ids; `nil` among them matches `nil`. An empty list matches nothing.
    /// `ZNAME IN (?, …)`, with `nil` `(ZNAME IN (?, …) OR ZNAME IS NULL)`
    ///
    ///     try World.fetchAll(Person.self, %"name"%.in(["Monk", "Knight"]) && !(%"friend"%.in(friends)))
    ///     try World.fetchAll(Person.self, %"friends.age"%.any.in([40, 41]))
    public func `in`<Values: Sequence>(_ values: Values) -> Query where Values.Element: FormatArgument {
        compare(.isIn, to: .value(.list(values.map(\.formatArgument))))
    }

    /// Matches values within bounds, both included, but not `nil`: `%"age"%.between(17...30)`. `ZAGE BETWEEN ? AND ?`
    public func between(_ bounds: ClosedRange<some ManagedAttribute>) -> Query {
        compare(.between, to: .value(bounds.formatArgument))
    }

    // Ranges of integers are sequences, too, and would be passed number by number.

    /// Matches integers within bounds, both included. `ZAGE BETWEEN ? AND ?`
    public func `in`<Bound: ManagedAttribute & Strideable>(
        _ bounds: ClosedRange<Bound>
    ) -> Query where Bound.Stride: SignedInteger {
        between(bounds)
    }

    /// Matches integers within bounds, the upper one excluded; none within an empty range. `ZAGE BETWEEN ? AND ?`
    public func `in`<Bound: ManagedAttribute & Strideable>(
        _ bounds: Range<Bound>
    ) -> Query where Bound.Stride: SignedInteger {
        bounds.isEmpty ? `in`([Bound]()) : between(bounds.lowerBound...bounds.upperBound.advanced(by: -1))
    }

    /// Matches integers from a bound on. `ZAGE >= ?`
    public func `in`<Bound: ManagedAttribute & Strideable>(
        _ bounds: PartialRangeFrom<Bound>
    ) -> Query where Bound.Stride: SignedInteger {
        compare(.greaterThanOrEqual, to: .value(bounds.lowerBound.managedValue))
    }
}

extension Query {
    /// Returns the query itself, so that `%` may stand both before and after the name: `%"age"%.in([17, 18])`.
    public static prefix func % (query: Query) -> Query { query }
}

extension ManagedValue {
    fileprivate init(_ object: ManagedObject?) {
        self = object.map { .object($0.anyObjectID) } ?? .null
    }
}
